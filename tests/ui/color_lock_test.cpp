#include "ui/figure/color_lock.h"

#include <QTest>

#include <cmath>

#include "core/engine.h"
#include "core/figures/map_plan.h"
#include "core/number_text.h"
#include "core/parameter.h"
#include "ui/figure/figure_view.h"
#include "ui/figure/map_cells.h"
#include "ui/figure/map_colors.h"

namespace phaseladder::ui::test {
namespace {

constexpr double lockedFloor = 1e-5;

/// Weights of 24 tokens in log colours.
Scene logScene() {
    Scene scene;
    scene.textLength = 24;
    scene.heads = 4;
    scene.view.color = ColorScale::log;
    scene.view.floor = lockedFloor;
    return scene;
}

Figure attentionOf(const Scene& scene) {
    FigureRequest request;
    request.id = "attention";
    request.pixelRows = request.pixelColumns = 64;
    Result<Figure> figure = Engine().figure(scene, request);
    return figure ? *std::move(figure) : Figure();
}

Heatmap& mapOf(Figure& figure) {
    return *keepableMap(figure.panels.at(0));
}

void set(Scene& scene, const char* id, const QString& value) {
    const Parameter* row = findParameter(id);
    QVERIFY(row != nullptr);
    const Result<ParameterValue> parsed = parseValue(*row, value.toStdString());
    QVERIFY(parsed.has_value());
    QVERIFY(setParameter(scene, *row, *parsed).has_value());
}

/// As a pane does with what comes next.
Figure locked(ColorLock& lock, Figure figure) {
    lock.add(figure);
    lock.apply(figure);
    return figure;
}

bool hasLockNote(const Figure& figure, const Heatmap& map) {
    return !figure.notes.empty() &&
           figure.notes.front().starts_with("Colours are locked at " + formatForPeople(map.low) + " to " +
                                            formatForPeople(map.high));
}

}  // namespace

class ColorLockTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLogRangeOutlastsEverySlider_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("value");
        QTest::newRow("theta") << "rope.theta"
                               << "1e6";
        QTest::newRow("a higher floor") << "view.floor"
                                        << "1e-2";
        QTest::newRow("a lower floor") << "view.floor"
                                       << "1e-12";
        QTest::newRow("first key") << "view.sink"
                                   << "excluded";
        QTest::newRow("scaling") << "scaling"
                                 << "linear";
        QTest::newRow("encoding") << "encoding"
                                  << "alibi";
        QTest::newRow("mask") << "causal"
                              << "true";
        QTest::newRow("head") << "head"
                              << "3";
        QTest::newRow("mean of heads") << "view.heads"
                                       << "0,2,3";
        QTest::newRow("width") << "head_dim"
                               << "128";
        QTest::newRow("a longer text") << "text.length"
                                       << "40";
        QTest::newRow("a text that is pooled") << "text.length"
                                               << "400";
        QTest::newRow("seed") << "seed"
                              << "9";
    }

    void aLogRangeOutlastsEverySlider() {
        QFETCH(const QString, id);
        QFETCH(const QString, value);
        Scene scene = logScene();
        Figure before = attentionOf(scene);
        const double low = mapOf(before).low, high = mapOf(before).high;
        QCOMPARE(low, lockedFloor);
        ColorLock lock = ColorLock::of(before);
        set(scene, qPrintable(id), value);
        Figure after = attentionOf(scene);
        QVERIFY(mapOf(after).values != mapOf(before).values || id.startsWith(QLatin1String("view.")));
        after = locked(lock, std::move(after));
        Heatmap& map = mapOf(after);
        QCOMPARE(map.low, low);
        QCOMPARE(map.high, high);
        QVERIFY(map.scale == AxisScale::log10);
        QVERIFY2(hasLockNote(after, map), after.notes.empty() ? "" : after.notes.front().c_str());
        for (const double weight : {1e-7, 1e-5, 3e-4, 0.02, 0.9}) {
            QCOMPARE(colorLevel(map, weight), colorLevel(mapOf(before), weight));
        }
    }

    void aQuantityIsTheSameHoweverItWasPutTogether() {
        for (const char* title : {"weight", "weight, mean", "weight, maximum", "weight, mean, mean of heads",
                                  "weight, mean of heads", "mean over heads of the weight, maximum",
                                  "weight, mean, sampled rows"}) {
            QCOMPARE(quantityOf(title), std::string("weight"));
        }
        QCOMPARE(quantityOf("\u0394 weight, mean, log\u2082(B / A)"),
                 std::string("\u0394 weight, log\u2082(B / A)"));
        QCOMPARE(quantityOf("mean norm"), std::string("mean norm"));
    }

    void theEndsOfALockedLogRangeStandAtTheColourBar() {
        Scene scene = logScene();
        ColorLock lock = ColorLock::of(attentionOf(scene));
        scene.view.floor = 1e-2;
        Figure figure = locked(lock, attentionOf(scene));
        const QList<Tick> ticks = barTicks(mapOf(figure), 6);
        QVERIFY(ticks.size() >= 2);
        QVERIFY(std::abs(ticks.first().value / lockedFloor - 1.0) < 1e-9);
        QCOMPARE(ticks.first().label + ticks.first().superscript, QStringLiteral("10\u22125"));
        QVERIFY(ticks.last().value <= mapOf(figure).high * (1.0 + 1e-9));
    }

    void aNoteCountsTheCellsOutsideTheLockedRange() {
        Scene scene = logScene();
        ColorLock lock = ColorLock::of(attentionOf(scene));
        scene.causal = true;  // the first token gives itself everything
        Figure figure = locked(lock, attentionOf(scene));
        const Heatmap& map = mapOf(figure);
        std::ptrdiff_t outside = 0;
        for (std::size_t cell = 0; cell < map.values.size(); ++cell) {
            outside += map.stateAt(cell) == CellState::shown &&
                       (map.values[cell] < map.low || map.values[cell] > map.high);
        }
        QVERIFY(outside > 0);
        const std::string words = outside == 1 ? "1 cell is" : std::to_string(outside) + " cells are";
        QVERIFY2(figure.notes.front().ends_with("; " + words + " outside."), figure.notes.front().c_str());
    }

    void linearColoursAndLogitsHaveTheirOwn() {
        Scene scene = logScene();
        Figure before = attentionOf(scene);
        ColorLock lock = ColorLock::of(before);
        const double high = mapOf(before).high;
        scene.view.color = ColorScale::linear;
        Figure linear = locked(lock, attentionOf(scene));
        QCOMPARE(mapOf(linear).low, 0.0);
        scene.view.values = ViewValues::logits;
        Figure logits = locked(lock, attentionOf(scene));
        QVERIFY(mapOf(logits).low < 0.0);
        scene = logScene();
        scene.rope.theta = 1e6;
        Figure again = locked(lock, attentionOf(scene));
        QCOMPARE(mapOf(again).low, lockedFloor);
        QCOMPARE(mapOf(again).high, high);
    }

    void theCommandLineKeepsTheSameRange() {
        Scene scene = logScene();
        ColorLock lock = ColorLock::of(attentionOf(scene));
        scene.view.floor = 1e-3;
        scene.causal = true;
        Figure computed = attentionOf(scene);
        Figure shown = locked(lock, computed);
        const QStringList words = viewWords(computed, shown);
        QCOMPARE(words.size(), 2);
        QCOMPARE(words[0], QStringLiteral("--color-range"));
        QVERIFY(keepColors(computed, words[1]).has_value());
        QCOMPARE(mapOf(computed).low, mapOf(shown).low);
        QCOMPARE(mapOf(computed).high, mapOf(shown).high);
        QCOMPARE(computed.notes, shown.notes);
    }
};

}  // namespace phaseladder::ui::test

QTEST_GUILESS_MAIN(phaseladder::ui::test::ColorLockTest)
#include "color_lock_test.moc"
