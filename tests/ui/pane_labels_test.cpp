#include <QApplication>
#include <QPainter>
#include <QTest>

#include <algorithm>

#include "core/encodings/encoding.h"
#include "core/engine.h"
#include "core/parameter.h"
#include "tests/ui/recorded_texts.h"
#include "ui/document.h"
#include "ui/figure/figure_pane.h"
#include "ui/figure/panel_view.h"
#include "ui/resources.h"
#include "ui/theme.h"

// Every figure under every encoding in one of four panes, at the size that the panes have in a window of
// 1440 × 900 and in the smallest one, 1024 × 700: a new figure is looked at too.

namespace phaseladder::ui::test {
namespace {

constexpr double leastPlot = 30.0;  // pixels: in a plot of less, nothing can be pointed at

/// What overlaps by less than this is only drawn near.
bool doTouch(const RecordedText& one, const RecordedText& other) {
    const QRectF common = one.box.intersected(other.box).boundingRect();
    return common.width() > 1.0 && common.height() > 1.0;
}

QStringList problemsOf(PanelView* view) {
    QStringList problems;
    RecordingDevice paper(view->size());
    QPainter painter(&paper);
    view->paintContent(painter);
    static_cast<void>(painter.end());
    const QRectF room = QRectF(view->rect()).adjusted(-1.0, -1.0, 1.0, 1.0);
    const QList<RecordedText>& texts = paper.texts();
    for (qsizetype one = 0; one < texts.size(); ++one) {
        if (!room.contains(texts[one].box.boundingRect())) {
            problems.append(QStringLiteral("\"%1\" is cut").arg(texts[one].text));
        }
        for (qsizetype other = one + 1; other < texts.size(); ++other) {
            if (doTouch(texts[one], texts[other])) {
                problems.append(
                    QStringLiteral("\"%1\" touches \"%2\"").arg(texts[one].text, texts[other].text));
            }
        }
    }
    return problems;
}

}  // namespace

class PaneLabelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        loadResources();
        applyTheme(*qApp, ThemeKind::light);  // its buttons take room
    }

    void everyFigureCanBeReadInAQuarterOfTheWindow_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("encoding");
        QTest::addColumn<QString>("tokens");
        for (const QSize& size : {QSize(546, 330), QSize(338, 230)}) {
            for (const Encoding& encoding : encodings()) {
                const QString id = QString::fromStdString(encoding.id);
                QTest::addRow("%s at %d × %d", encoding.id.c_str(), size.width(), size.height())
                    << size << id << QStringLiteral("dog bites man");
                QTest::addRow("%s, long words, at %d × %d", encoding.id.c_str(), size.width(), size.height())
                    << size << id
                    << QStringLiteral("the dog bites the man because internationalization matters");
            }
        }
    }

    void everyFigureCanBeReadInAQuarterOfTheWindow() {
        QFETCH(QSize, size);
        QFETCH(QString, encoding);
        QFETCH(QString, tokens);
        SceneDocument document;
        FigureLink link;
        Engine engine;
        const Result<Scene> scene = applySettings(
            Scene{}, std::vector<std::pair<std::string, std::string>>{{"encoding", encoding.toStdString()},
                                                                      {"tokens", tokens.toStdString()}});
        QVERIFY(scene);
        document.replaceScene(*scene, QString(), false);
        QStringList problems;
        for (const FigureKind& kind : figureKinds()) {
            FigurePane pane(&document, &link);
            pane.resize(size);
            pane.setFigureId(QString::fromStdString(kind.id));
            pane.show();
            for (int round = 0; round < 2; ++round) {  // the plots' sizes say what to ask for
                const Result<Figure> figure = engine.figure(*scene, pane.request());
                QVERIFY(figure);
                pane.showFigure(std::make_shared<const Figure>(*figure));
                QCoreApplication::processEvents();
            }
            const auto note = [&](const QString& problem) {
                problems.append(QString::fromStdString(kind.id) + QStringLiteral(": ") + problem);
            };
            QList<QRect> taken;
            for (PanelView* view : pane.findChildren<PanelView*>()) {
                if (!view->isVisible()) {
                    continue;
                }
                const QRectF plot = view->plotRect();
                const double least = view->panel().axesShown ? leastPlot : 0.0;
                if (!QRectF(view->rect()).contains(plot) || std::min(plot.width(), plot.height()) < least) {
                    note(QStringLiteral("a plot of %1 × %2").arg(plot.width()).arg(plot.height()));
                }
                for (const QRect& other : taken) {
                    if (other.intersects(view->geometry())) {
                        note(QStringLiteral("plots overlap"));
                    }
                }
                taken.append(view->geometry());
                for (const QString& problem : problemsOf(view)) {
                    note(problem);
                }
            }
        }
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::PaneLabelsTest)
#include "pane_labels_test.moc"
