#include <QTest>

#include <cmath>
#include <limits>

#include "core/export/figure_text.h"
#include "core/figures/attention_cells.h"
#include "core/figures/color_range.h"
#include "core/number_text.h"
#include "tests/core/comparison_test_parts.h"
#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {
namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

Heatmap mapOfWeights(std::int64_t rows, std::vector<double> values) {
    Heatmap map;
    map.rows = rows;
    map.columns = static_cast<std::int64_t>(values.size()) / rows;
    map.values = std::move(values);
    return map;
}

bool hasNote(const Figure& figure, std::string_view part) {
    return std::ranges::any_of(figure.notes,
                               [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

bool hasWarning(const Figure& figure, std::string_view part) {
    return std::ranges::any_of(
        figure.warnings, [&](const std::string& warning) { return warning.find(part) != std::string::npos; });
}

const Heatmap& attentionMap(const Figure& figure) {
    return std::get<Heatmap>(figure.panels.at(0).layers.at(0));
}

/// Four words whose first key draws nearly all.
Scene wordsWith(std::vector<std::pair<std::string, std::string>> settings) {
    settings.insert(settings.begin(), {"tokens", "a b c d e f"});
    return sceneWith(std::move(settings));
}

}  // namespace

class ColorRangeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void logColoursAreLinearInTheLogarithm() {
        Heatmap map = mapOfWeights(1, {0.9, 1e-3, 0.0});
        Figure figure;
        setWeightRange(figure, map, {AxisScale::log10, 1e-6, {}});
        QCOMPARE(map.low, 1e-6);
        QCOMPARE(map.high, 1.0);
        for (const double decade : {0.0, 1.5, 3.0, 6.0}) {
            QVERIFY(std::abs(colorShare(map, std::pow(10.0, decade - 6.0)) - decade / 6.0) < 1e-12);
        }
        QVERIFY(colorShare(map, 0.0) < 0.0);
        QVERIFY(std::isnan(colorShare(map, notANumber)));
    }

    void theFloorSaysHowManyAreBelowIt() {
        Heatmap map = mapOfWeights(2, {0.9, 1e-9, 0.0, 0.1, 1e-6, 1e-7});
        Figure figure;
        setWeightRange(figure, map, {AxisScale::log10, 1e-6, {}});
        QVERIFY(hasNote(figure, "3 cells are below it."));
        setKeptRange(figure, map, 1e-8, 1.0);
        QVERIFY(!hasNote(figure, "below it"));
        QVERIFY(hasNote(figure,
                        "Colours are locked at " + formatForPeople(1e-8) + " to 1; 2 cells are outside."));
    }

    void logColoursHaveADecadeWhereAllIsBelowTheFloor() {
        Heatmap map = mapOfWeights(1, {1e-9, 0.0});
        Figure figure;
        setWeightRange(figure, map, {AxisScale::log10, 0.1, {}});
        QVERIFY(map.low < map.high);
        QCOMPARE(map.high, 1.0);
    }

    void aSinkLeftOutChangesTheRangeAndNoValue() {
        const std::vector<double> values{0.97, 0.01, 0.02, 0.95, 0.03, 0.02};
        Heatmap all = mapOfWeights(2, values), rest = all;
        Figure ofAll, ofRest;
        setWeightRange(ofAll, all);
        setWeightRange(ofRest, rest, {AxisScale::linear, 1e-6, 0});
        QCOMPARE(all.high, 1.0);
        QCOMPARE(rest.high, 0.05);
        QVERIFY(rest.values == values);
        QVERIFY(hasNote(ofRest, "Colours end at 0.05, found without the first key; 2 cells are above it."));
        QVERIFY(ofAll.notes.empty());
    }

    void theFirstKeyIsFoundByPositionByTokenAndInAWindow() {
        const Scene included = wordsWith({{"order", "3,0,1,2,4,5"}});
        Scene excluded = included;
        excluded.view.sink = SinkColors::excluded;
        for (const ViewBy by : {ViewBy::position, ViewBy::token}) {
            excluded.view.by = by;
            const Figure figure = figureOf(excluded, "attention");
            const Heatmap& map = attentionMap(figure);
            const std::int64_t sink = by == ViewBy::position ? 0 : 3;
            double largest = 0.0;
            for (std::int64_t cell = 0; cell < 36; ++cell) {
                largest = cell % 6 == sink ? largest
                                           : std::max(largest, map.values[static_cast<std::size_t>(cell)]);
            }
            QVERIFY(map.high >= largest && map.high < 10.0 * largest);
            QVERIFY(hasNote(figure, "without the first key"));
        }
        excluded.view.by = ViewBy::position;
        FigureRequest request;
        request.id = "attention";
        request.pixelRows = request.pixelColumns = 64;
        request.window = CellWindow{0, 6, 1, 6};
        QVERIFY(!hasNote(figureOf(excluded, request), "without the first key"));
    }

    void valuesDoNotDependOnTheColours() {
        const Figure plainColours = figureOf(wordsWith({}), "attention");
        const Figure others =
            figureOf(wordsWith({{"view.color", "log"}, {"view.floor", "1e-3"}, {"view.sink", "excluded"}}),
                     "attention");
        QVERIFY(plainColours.matrix->values == others.matrix->values);
        QVERIFY(attentionMap(plainColours).values == attentionMap(others).values);
        QVERIFY(attentionMap(others).scale == AxisScale::log10);
        QCOMPARE(attentionMap(others).low, 1e-3);
    }

    void logitsKeepLinearColoursAndSaySo() {
        const Figure figure =
            figureOf(wordsWith({{"view.color", "log"}, {"view.values", "logits"}}), "attention");
        QVERIFY(attentionMap(figure).scale == AxisScale::linear);
        QVERIFY(hasNote(figure, "Logits are shown in linear colours"));
    }

    void rowsPastTheTableHaveNoVisibleKeysAndAreNotZero() {
        Scene scene = wordsWith({{"encoding", "learned"}, {"learned.rows", "4"}});
        const Figure figure = figureOf(scene, "attention");
        const Heatmap& map = attentionMap(figure);
        for (std::size_t cell = 0; cell < 36; ++cell) {
            const bool isPast = cell / 6 >= 4;
            QVERIFY((map.states[cell] == CellState::noKeys) == isPast);
            QVERIFY((map.states[cell] == CellState::undefined) == (!isPast && cell % 6 >= 4));
            QVERIFY(std::isnan(figure.matrix->values[cell]) == (isPast || cell % 6 >= 4));
        }
        QCOMPARE(
            std::ranges::count(layersOf<Text>(figure.panels[0]), std::string("no visible keys"), &Text::text),
            2);
        QVERIFY(hasWarning(figure, "2 tokens from position 4 on"));
        QVERIFY(writeCanonicalText(figure).find("no_visible_keys") != std::string::npos);
    }

    void aRowBeforeTheFirstKeySeesNoKey() {
        // Queries at 0, 1, 2 and keys at 1, 2, 3 under a causal mask.
        Scene scene;
        scene.causal = true;
        AttentionResult result;
        result.definedTokens = 4;
        result.map = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.5, 0.0};
        result.masked = {1, 1, 1, 0, 1, 1, 0, 0, 1};
        MapPlan plan;
        plan.shape = {3, 3, 0, 1};
        plan.rows = plan.columns = 3;
        plan.window = {0, 3, 0, 3};
        const MapValues whole = arrangeCells(scene, result, plan);
        QVERIFY(whole.rowsWithoutKeys == std::vector<std::int64_t>{0});
        QVERIFY(std::isnan(whole.values[0]));
        plan.window = {0, 3, 1, 3};  // the key that row 1 sees is outside
        plan.columns = 2;
        result.map = {0.0, 0.0, 0.0, 0.0, 0.5, 0.0};
        result.masked = {1, 1, 1, 1, 0, 1};
        const MapValues part = arrangeCells(scene, result, plan);
        QVERIFY(part.rowsWithoutKeys == std::vector<std::int64_t>{0});
        QVERIFY(part.states[2] == CellState::masked);
    }

    void whatIsNoNumberIsUndefinedAndLocated() {
        AttentionResult result;
        result.definedTokens = 3;
        result.map = {0.2, 0.3, 0.5, notANumber, notANumber, notANumber, 0.1, 0.1, 0.8};
        result.masked.assign(9, 0);
        MapPlan plan;
        plan.shape = {3, 3, 0, 0};
        plan.rows = plan.columns = 3;
        plan.window = {0, 3, 0, 3};
        const MapValues cells = arrangeCells(Scene(), result, plan);
        QVERIFY(cells.rowsWithoutNumbers == std::vector<std::int64_t>{1});
        Heatmap map = mapOfWeights(3, cells.values);
        map.states = cells.states;
        for (std::size_t cell = 0; cell < 9; ++cell) {
            QVERIFY((map.stateAt(cell) == CellState::undefined) == (cell / 3 == 1));
        }
        Figure figure;
        setWeightRange(figure, map);
        QCOMPARE(map.high, 1.0);
        setValueRange(map);
        QCOMPARE(map.low, 0.1);
        QCOMPARE(map.high, 0.8);
        const Figure shown = plain(map);
        QVERIFY(writeJson(shown, Scene()).find("[0.2,0.3,0.5,null,null,null,0.1,0.1,0.8]") !=
                std::string::npos);
        const Figure delta = compareFigures(shown, shown, CompareMode::difference, {});
        const Heatmap difference = std::get<Heatmap>(delta.panels[0].layers[0]);
        QVERIFY(difference.stateAt(4) == CellState::undefined);
        QCOMPARE(difference.values[0], 0.0);
    }

    void aMapWithoutAnyNumberHasAFiniteRange() {
        for (const bool isLog : {false, true}) {
            Heatmap map = mapOfWeights(1, {notANumber, -std::numeric_limits<double>::infinity()});
            Figure figure;
            setWeightRange(figure, map, {isLog ? AxisScale::log10 : AxisScale::linear, 1e-6, {}});
            QVERIFY(map.low < map.high && std::isfinite(map.high) && figure.notes.empty());
            setLogitRange(figure, map);
            setDivergingRange(map);
            QVERIFY(map.low < map.high && std::isfinite(map.low));
        }
        Heatmap none;
        Figure figure;
        setWeightRange(figure, none);
        setLogitRange(figure, none);
        QVERIFY(std::isfinite(none.low) && std::isfinite(none.high));
    }

    void inLogColoursTheDifferenceIsARatio() {
        Heatmap pinned = mapOf({0.1, 0.4, 0.0, 0.5});
        pinned.scale = AxisScale::log10;
        pinned.low = 1e-6;
        Heatmap live = pinned;
        live.values = {0.4, 0.1, 0.5, 0.5};
        const Figure figure = compareFigures(plain(pinned), plain(live), CompareMode::difference, {});
        const auto map = onlyLayer<Heatmap>(figure);
        QVERIFY(map.scale == AxisScale::linear);
        QVERIFY(std::abs(map.values[0] - 2.0) < 1e-15 && std::abs(map.values[1] + 2.0) < 1e-15);
        QVERIFY(map.stateAt(2) == CellState::undefined);
        QCOMPARE(map.values[3], 0.0);
        QVERIFY(map.valueTitle.find("log₂(B / A)") != std::string::npos);
        QVERIFY(hasNote(figure, "log₂(B / A)"));
    }

    void linearAndLogColoursDoNotShareARange() {
        Heatmap pinned = mapOf({0.1, 0.4, 0.0, 0.5});
        Heatmap live = pinned;
        live.scale = AxisScale::log10;
        live.low = 1e-6;
        const auto map =
            onlyLayer<Heatmap>(compareFigures(plain(pinned), plain(live), CompareMode::live, {}));
        QCOMPARE(map.low, 1e-6);
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::ColorRangeTest)
#include "color_range_test.moc"
