#include "ui/figure/figure_layout.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>

#include "core/engine.h"
#include "core/parameter.h"
#include "tests/ui/layer_panels.h"
#include "ui/figure/axis_ticks.h"
#include "ui/figure/figure_fonts.h"
#include "ui/figure/figure_painter.h"
#include "ui/figure/layout_check.h"
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

Figure figureOf(Engine& engine, const std::string& id) {
    FigureRequest request;
    request.id = id;
    return *engine.figure(Scene{}, request);
}

/// A column of a paper.
PageOptions pageOf(Engine& engine, const std::string& id) {
    PageOptions options;
    options.sizePoints = QSizeF(234.0, defaultHeightPoints(figureOf(engine, id), 234.0));
    options.fontPoints = 8.0;
    options.style = figureStyle(StyleKind::print);
    return options;
}

Figure figureOf(const Panel& panel) {
    Figure figure;
    figure.id = panel.id;
    figure.title = "A figure";
    figure.panels = {panel};
    return figure;
}

PageOptions pageFor(const Figure& figure, double width) {
    PageOptions options;
    options.sizePoints = QSizeF(width, defaultHeightPoints(figure, width));
    options.fontPoints = 8.0;
    options.style = figureStyle(StyleKind::print);
    return options;
}

QImage pictureOf(const LaidOutFigure& page) {
    QImage image((4.0 * page.sizePoints).toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    painter.scale(4.0, 4.0);
    paintFigure(painter, page);
    return image;
}

bool hasText(const LaidOutFigure& page, const QString& words) {
    return std::any_of(page.primitives.begin(), page.primitives.end(), [&](const Primitive& primitive) {
        const auto* run = std::get_if<TextRun>(&primitive);
        return run != nullptr && run->text.startsWith(words);
    });
}

}  // namespace

class FigureLayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSheetOfHeadsNumbersEachOfThemInOneColumn() {
        for (const int heads : {2, 5, 8, 12, 32, 64}) {
            Scene scene;
            scene.heads = heads;
            scene.textLength = 16;
            FigureRequest request;
            request.id = "heads";
            const Figure figure = *Engine().figure(scene, request);
            for (const double width : {234.0, 486.0}) {
                const LaidOutFigure page = layoutFigure(figure, pageFor(figure, width));
                QStringList numbers;
                for (const Primitive& primitive : page.primitives) {
                    const auto* text = std::get_if<TextRun>(&primitive);
                    if (text != nullptr && text->text == QString::number(numbers.size())) {
                        numbers.append(text->text);
                    }
                }
                QVERIFY2(numbers.size() >= heads, qPrintable(QString::number(heads)));
                QCOMPARE(page.check.overlapping + page.check.cutOff, 0);
            }
        }
    }

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

    void zeroAmongTinyNumbersIsWrittenAsZero() {
        bool found = false;
        for (const Tick& tick : axisTicks(Axis(), -5e-16, 5e-16, 5)) {
            found = found || tick.value == 0.0;
            QVERIFY(tick.value != 0.0 || tick.label == QLatin1String("0"));
        }
        QVERIFY(found);
    }

    void linesStandOutOnEveryBackground() {
        for (const StyleKind kind : {StyleKind::light, StyleKind::dark, StyleKind::print}) {
            const FigureStyle style = figureStyle(kind);
            for (int role = 0; role <= static_cast<int>(Role::pinnedMuted); ++role) {
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
            {{"tokens", "the dog bites the man because internationalization matters"}, {"causal", "true"}},
            {{"heads", "32"}}};
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
                    const QStringList problems = labelProblems(layoutFigure(*figure, options).check);
                    QVERIFY2(problems.isEmpty(),
                             qPrintable(QString::fromStdString(kind.id) + problems.join(QLatin1Char(';'))));
                }
            }
        }
    }

    void noLabelTouchesAnotherInAnyFontOfferedOrWithLetters() {
        Engine engine;
        for (const QString& family : figureFonts()) {
            for (const FigureKind& kind : figureKinds()) {
                PageOptions options = pageOf(engine, kind.id);
                options.style.fontFamily = family;
                options.showPanelLetters = true;
                const PageCheck check = layoutFigure(figureOf(engine, kind.id), options).check;
                const QStringList problems = labelProblems(check);
                QVERIFY2(
                    problems.isEmpty() && check.foreign == 0,
                    qPrintable(family + QString::fromStdString(kind.id) + problems.join(QLatin1Char(';'))));
            }
        }
    }

    void lettersNameThePanelsOfAFigureWithSeveral() {
        Engine engine;
        for (const char* id : {"ramp", "ladder"}) {
            PageOptions options = pageOf(engine, id);
            QVERIFY(!hasText(layoutFigure(figureOf(engine, id), options), QStringLiteral("(b)")));
            options.showPanelLetters = true;
            const LaidOutFigure page = layoutFigure(figureOf(engine, id), options);
            QCOMPARE(hasText(page, QStringLiteral("(a)")), page.plots.size() > 1);
            QCOMPARE(hasText(page, QStringLiteral("(b)")), page.plots.size() > 1);
        }
    }

    void aLegendSwitchedOffLeavesItsRoomToThePlots() {
        Engine engine;
        PageOptions options = pageOf(engine, "ramp");
        const LaidOutFigure with = layoutFigure(figureOf(engine, "ramp"), options);
        QVERIFY(hasText(with, QStringLiteral("dynamic NTK")));
        options.showLegend = false;
        const LaidOutFigure without = layoutFigure(figureOf(engine, "ramp"), options);
        QVERIFY(!hasText(without, QStringLiteral("dynamic NTK")));
        QVERIFY(without.plots.first().rect.height() > with.plots.first().rect.height());
    }

    void theBundledFontIsOfferedFirstAndHasGlyphsForOurSigns() {
        QCOMPARE(figureFonts().first(), figureStyle(StyleKind::print).fontFamily);
        QVERIFY(hasGlyphs(QFont(figureFonts().first()), QStringLiteral("θ = 10 · π ≤ Δ")));
        QVERIFY(!hasGlyphs(QFont(figureFonts().first()), QStringLiteral("位")));
    }

    void everyKindOfLayerIsDrawnOnPaper() {
        const Panel all = everyLayerPanel();
        QCOMPARE(all.layers.size(), std::variant_size_v<Layer>);
        const PageOptions options = pageFor(figureOf(all), 234.0);
        const QImage whole = pictureOf(layoutFigure(figureOf(all), options));
        for (std::size_t left = 0; left < all.layers.size(); ++left) {
            QCOMPARE(all.layers[left].index(), left);
            Panel without = all;
            without.layers.erase(without.layers.begin() + static_cast<std::ptrdiff_t>(left));
            QVERIFY2(pictureOf(layoutFigure(figureOf(without), options)) != whole,
                     qPrintable(QString::number(left)));
        }
    }

    void columnsDialsAndTextsLeaveNoLabelCutOrTouching() {
        for (const double width : {180.0, 234.0, 396.0}) {
            for (const Panel& panel : {barPanel(), clockPanel(8, 4), clockPanel(64, 16), clockPanel(64, 8),
                                       listPanel(std::vector<double>(33, 0.5)), textPanel()}) {
                const Figure figure = figureOf(panel);
                const LaidOutFigure page = layoutFigure(figure, pageFor(figure, width));
                const QStringList problems = labelProblems(page.check);
                QVERIFY2(problems.isEmpty(),
                         qPrintable(QString::fromStdString(panel.id) + problems.join(QLatin1Char(';'))));
                QVERIFY(page.check.smallestTextPoints >= 4.5);
            }
        }
    }

    void nothingOfANewLayerLeavesThePlotOfAZoomedPage() {
        for (Panel panel : {barPanel(), clockPanel(8, 4), listPanel(std::vector<double>(9, 0.5))}) {
            panel.x.minimum = 0.1;
            panel.x.maximum = 1.3;
            panel.y.minimum = 0.1;
            panel.y.maximum = 0.7;
            const Figure figure = figureOf(panel);
            const LaidOutFigure page = layoutFigure(figure, pageFor(figure, 234.0));
            const PlotArea& area = page.plots.first();
            const QRectF plot = area.rect.adjusted(-0.1, -0.1, 0.1, 0.1);
            const auto inside = [&](const QPolygonF& points) {
                return std::all_of(points.begin(), points.end(),
                                   [&](const QPointF& point) { return plot.contains(point); });
            };
            for (qsizetype index = area.clippedFrom; index < area.clippedTo; ++index) {
                const Primitive& primitive = page.primitives[index];
                if (const auto* rect = std::get_if<FilledRect>(&primitive)) {
                    QVERIFY(plot.contains(rect->rect));
                } else if (const auto* polygon = std::get_if<FilledPolygon>(&primitive)) {
                    QVERIFY(inside(polygon->points));
                } else if (const auto* line = std::get_if<Polyline>(&primitive)) {
                    QVERIFY(std::all_of(line->parts.begin(), line->parts.end(), inside));
                } else if (const auto* marker = std::get_if<Marker>(&primitive)) {
                    QVERIFY(plot.contains(marker->center));
                }
            }
        }
    }

    void aPageWithoutAxesHasOnlyItsContentInTheFiguresSize() {
        Panel panel = textPanel();
        panel.layers.resize(4);
        const Figure figure = figureOf(panel);
        const LaidOutFigure page = layoutFigure(figure, pageFor(figure, 396.0));
        QVERIFY(hasText(page, QStringLiteral("= 0.31 · v(dog) + 0.42 · v(bites) + 0.27 · v(man)")));
        for (const Primitive& primitive : page.primitives) {
            QVERIFY(!std::holds_alternative<Polyline>(primitive));
            const auto* run = std::get_if<TextRun>(&primitive);
            QVERIFY(run == nullptr || run->sizePoints >= 8.0);
        }
        QVERIFY(page.plots.first().rect.width() > 390.0);
    }

    void aLongTextIsBrokenAndKeepsAllItsWords() {
        const Figure figure = figureOf(textPanel());
        const LaidOutFigure page = layoutFigure(figure, pageFor(figure, 234.0));
        QString all;
        for (const Primitive& primitive : page.primitives) {
            if (const auto* run = std::get_if<TextRun>(&primitive)) {
                all += run->text + QLatin1Char(' ');
                QVERIFY(!run->text.contains(QChar(0x2026)));
            }
        }
        QVERIFY(all.contains(QStringLiteral("however long the sentence is.")));
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
