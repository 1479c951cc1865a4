#include "ui/figure/figure_layout.h"

#include <QTest>

#include <cmath>

#include "core/engine.h"
#include "core/parameter.h"
#include "ui/figure/axis_ticks.h"
#include "ui/figure/page_height.h"

namespace phaseladder::ui::test {

namespace {

double luminance(const QColor& color) {
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double high = std::max(luminance(a), luminance(b));
    const double low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

}  // namespace

class FigureLayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void logAxesHaveTwoLabelsAtAnyZoom() {
        Axis axis;
        axis.scale = AxisScale::log10;
        for (double low = 1e-3; low < 1e9; low *= 1.37) {
            for (double ratio = 1.001; ratio < 1e8; ratio *= 1.9) {
                for (const int wanted : {2, 5, 9}) {
                    qsizetype labels = 0;
                    for (const Tick& tick : axisTicks(axis, low, low * ratio, wanted)) {
                        labels += tick.minor ? 0 : 1;
                    }
                    QVERIFY2(labels >= 2, qPrintable(QStringLiteral("%1 × %2").arg(low).arg(ratio)));
                }
            }
        }
    }

    void wholeNumberAxesTickAtWholeNumbersOnly() {
        Axis axis;
        axis.wholeNumbers = true;
        for (const Tick& tick : axisTicks(axis, 0.2, 3.4, 9)) {
            QCOMPARE(tick.value, std::round(tick.value));
        }
    }

    void linesStandOutOnEveryBackground() {
        for (const StyleKind kind : {StyleKind::light, StyleKind::dark, StyleKind::print}) {
            const FigureStyle style = figureStyle(kind);
            for (int role = 0; role <= static_cast<int>(Role::muted); ++role) {
                QVERIFY(contrast(style.role(static_cast<Role>(role)).line, style.plotBackground) >= 3.0);
            }
            QVERIFY(contrast(style.text, style.background) >= 4.5 &&
                    contrast(style.mutedText, style.background) >= 4.5);
        }
    }

    void everyColourMapHas256Colours() {
        for (const QString& name : colormapNames()) {
            QCOMPARE(colormap(name).size(), 256);
        }
        QCOMPARE(colormap(QStringLiteral("viridis")).first(), qRgb(68, 1, 84));
    }

    void noLabelTouchesAnotherOrLeavesThePage_data() {
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("font");
        for (const double width : {234.0, 252.28, 396.0}) {
            for (const double font : {6.0, 8.0, 9.0, 9.95}) {
                QTest::addRow("%g pt wide, %g pt text", width, font) << width << font;
            }
        }
    }

    void noLabelTouchesAnotherOrLeavesThePage() {
        QFETCH(double, width);
        QFETCH(double, font);
        const std::vector<std::vector<std::pair<std::string, std::string>>> settings{
            {},
            {{"scaling", "yarn"},
             {"scaling.factor", "16"},
             {"length.trained", "4096"},
             {"length.target", "65536"}},
            {{"tokens", "the dog bites the man because internationalization matters"}, {"causal", "true"}}};
        Engine engine;
        for (const auto& setting : settings) {
            const Result<Scene> scene = applySettings(Scene{}, setting);
            QVERIFY(scene);
            for (const FigureKind& kind : figureKinds()) {
                FigureRequest request;
                request.id = kind.id;
                const Result<Figure> figure = engine.figure(*scene, request);
                QVERIFY(figure);
                PageOptions options;
                options.sizePoints = QSizeF(width, defaultHeightPoints(*figure, width));
                options.fontPoints = font;
                options.style = figureStyle(StyleKind::print);
                for (const char* title :
                     {"", "Wavelengths of all frequency pairs before and after YaRN, which has to wrap"}) {
                    options.title = QLatin1StringView(title);
                    const QStringList problems = layoutFigure(*figure, options).problems;
                    QVERIFY2(problems.isEmpty(),
                             qPrintable(QString::fromStdString(kind.id) + problems.join(QLatin1Char(';'))));
                }
            }
        }
    }

    void aDenseCurveKeepsFewPointsAndStaysInsideThePlot() {
        Curve curve;
        for (int index = 0; index < 1'000'000; ++index) {
            curve.x.push_back(index);
            curve.y.push_back(2.0 * std::sin(index));
        }
        Figure figure;
        Panel panel;
        panel.x = {AxisMeaning::distance, "distance", 0.0, 999'999.0, AxisScale::linear, false, true, {}};
        panel.y = {AxisMeaning::value, "score", -1.0, 1.0, AxisScale::linear, false, false, {}};
        panel.layers.push_back(std::move(curve));
        figure.panels.push_back(panel);
        PageOptions options;
        options.sizePoints = QSizeF(234.0, 144.0);
        options.style = figureStyle(StyleKind::print);
        const LaidOutFigure page = layoutFigure(figure, options);
        const QRectF plot = page.plots.first().rect.adjusted(-1e-6, -1e-6, 1e-6, 1e-6);
        qsizetype points = 0;
        for (qsizetype index = page.plots.first().clippedFrom; index < page.plots.first().clippedTo;
             ++index) {
            if (const auto* line = std::get_if<Polyline>(&page.primitives[index])) {
                for (const QPolygonF& part : line->parts) {
                    points += part.size();
                    for (const QPointF& point : part) {
                        QVERIFY(plot.contains(point));
                    }
                }
            }
        }
        QVERIFY(points > 100 && points < 20'000);
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::FigureLayoutTest)
#include "figure_layout_test.moc"
