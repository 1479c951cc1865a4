#include "ui/figure/figure_view.h"

#include <QTest>

#include <cmath>

#include "core/engine.h"
#include "core/export/figure_text.h"

namespace phaseladder::ui::test {
namespace {

Figure figureOf(const char* id) {
    FigureRequest request;
    request.id = id;
    return *Engine().figure(Scene{}, request);
}

const Heatmap& mapOf(const Figure& figure) {
    return std::get<Heatmap>(figure.panels[0].layers[0]);
}

QString refusal(const Result<void>& result) {
    return result ? QString() : QString::fromStdString(result.error().message);
}

}  // namespace

class FigureViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aZoomNamesItsPanelAndBothRanges() {
        Figure figure = figureOf("ladder");
        QCOMPARE(refusal(zoomPanel(figure, QStringLiteral("ladder=10:20,1e2:10000"))), QString());
        QCOMPARE(figure.panels[0].x.minimum, 10.0);
        QCOMPARE(figure.panels[0].x.maximum, 20.0);
        QCOMPARE(figure.panels[0].y.minimum, 100.0);
        QCOMPARE(figure.panels[0].y.maximum, 10000.0);
    }

    void wrongTextsAreRefusedAndChangeNothing_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* text, const char* said) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(said);
        };
        row("phases=0:1,1:2", "ladder");
        row("0:1,1:2", "ladder");
        row("ladder=20:10,1:2", "20:10");
        row("ladder=0:1,0:2", "log axis");
        row("ladder=1e9:2e9,1:2", "31");
        row("ladder=0:1", "x0:x1,y0:y1");
        row("ladder=0:1,1:2,3:4", "x0:x1,y0:y1");
        row("ladder=nan:1,1:2", "nan");
        row("ladder=", "x0:x1,y0:y1");
        row("", "ladder");
    }

    void wrongTextsAreRefusedAndChangeNothing() {
        QFETCH(const QString, text);
        QFETCH(const QString, said);
        Figure figure = figureOf("ladder");
        const std::string before = writeJson(figure, Scene{});
        const Result<void> result = zoomPanel(figure, text);
        QVERIFY2(refusal(result).contains(said), qPrintable(refusal(result)));
        QCOMPARE(result.error().kind, ErrorKind::usage);
        QCOMPARE(writeJson(figure, Scene{}), before);
    }

    void keptColorsAreTheMapsEndsAndSaid() {
        Figure figure = figureOf("attention");
        QCOMPARE(refusal(keepColors(figure, QStringLiteral("attention=0.25:1/2"))), QString());
        QCOMPARE(mapOf(figure).low, 0.25);
        QCOMPARE(mapOf(figure).high, 0.5);
        QVERIFY(figure.notes.size() > figureOf("attention").notes.size());
        QVERIFY(!refusal(keepColors(figure, QStringLiteral("attention=1:0"))).isEmpty());
        Figure phases = figureOf("phases");  // a phase goes once around its map: nothing to keep
        QVERIFY(!refusal(keepColors(phases, QStringLiteral("phases=0:1"))).isEmpty());
    }

    void theWordsOfAViewMakeItAgain() {
        const Figure computed = figureOf("attention");
        QVERIFY(viewWords(computed, computed).isEmpty());
        Figure shown = computed;
        shown.panels[0].x.minimum = 0.1 + 0.2;  // no short decimal
        shown.panels[0].y.maximum = std::nextafter(2.0, 3.0);
        setKept(shown, 1.0 / 3.0, 0.7);
        const QStringList words = viewWords(computed, shown);
        QCOMPARE(words.size(), 4);
        Figure again = computed;
        for (qsizetype index = 0; index < words.size(); index += 2) {
            const bool isZoom = words[index] == QStringLiteral("--zoom");
            QVERIFY(isZoom || words[index] == QStringLiteral("--color-range"));
            QCOMPARE(
                refusal(isZoom ? zoomPanel(again, words[index + 1]) : keepColors(again, words[index + 1])),
                QString());
        }
        QCOMPARE(writeJson(again, Scene{}), writeJson(shown, Scene{}));
    }

private:
    static void setKept(Figure& figure, double low, double high) {
        const QString text = QStringLiteral("attention=%1:%2").arg(low, 0, 'g', 17).arg(high, 0, 'g', 17);
        QVERIFY(keepColors(figure, text).has_value());
    }
};

}  // namespace phaseladder::ui::test

QTEST_GUILESS_MAIN(phaseladder::ui::test::FigureViewTest)
#include "figure_view_test.moc"
