#include "core/figures/difference.h"

#include <QTest>

#include "core/figures/dense_curve.h"
#include "core/figures/map_difference.h"
#include "tests/core/comparison_test_parts.h"

namespace phaseladder::test {

class DifferenceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDifferenceIsLiveLessPinned() {
        const Figure figure = compareFigures(plain(mapOf({0.25, 0.5, 0.5, 0.0})),
                                             plain(mapOf({0.5, 0.5, 0.25, 0.125})), CompareMode::difference);
        const auto map = onlyLayer<Heatmap>(figure);
        QCOMPARE(map.values, (std::vector<double>{0.25, 0.0, -0.25, 0.125}));
        QVERIFY(map.map == ColorMapKind::diverging);
        QCOMPARE(map.low, -map.high);
        QCOMPARE(map.high, 0.5);
        QCOMPARE(map.valueTitle, std::string("Δ weight"));
    }

    void aCellHiddenInOneIsHidden() {
        Heatmap pinned = mapOf({1.0, 2.0, 3.0, 4.0});
        Heatmap live = pinned;
        using enum CellState;
        pinned.states = {shown, masked, masked, shown};
        live.states = {shown, masked, undefined, aliased};
        const auto map =
            onlyLayer<Heatmap>(compareFigures(plain(pinned), plain(live), CompareMode::difference));
        QVERIFY(map.states == (std::vector<CellState>{shown, masked, undefined, aliased}));
    }

    void aCellMaskedInOneCountsAsItsValueWhereItHasOne() {
        Heatmap weights = mapOf({0.5, 0.0, 0.25, 0.75});
        Heatmap free = mapOf({0.25, 0.75, 0.5, 0.5});
        using enum CellState;
        weights.states = {shown, masked, shown, shown};
        const auto shownMap =
            onlyLayer<Heatmap>(compareFigures(plain(weights), plain(free), CompareMode::difference));
        QVERIFY(shownMap.states == (std::vector<CellState>{shown, shown, shown, shown}));
        QCOMPARE(shownMap.values[1], 0.75);
        weights.values[1] = -std::numeric_limits<double>::infinity();  // a masked logit
        const auto hiddenMap =
            onlyLayer<Heatmap>(compareFigures(plain(weights), plain(free), CompareMode::difference));
        QVERIFY(hiddenMap.states.at(1) == masked);
    }

    void phasesDifferByTheShorterWayAround() {
        Heatmap pinned = mapOf({0.1, 3.0, 6.0, 1.0});
        pinned.map = ColorMapKind::cyclic;
        pinned.high = 2.0 * M_PI;
        pinned.phaseTicks = true;
        Heatmap live = pinned;
        live.values = {6.2, 3.5, 0.1, 1.0};
        const auto map =
            onlyLayer<Heatmap>(compareFigures(plain(pinned), plain(live), CompareMode::difference));
        QVERIFY(std::abs(map.values[0] - (6.1 - 2.0 * M_PI)) < 1e-12);
        QVERIFY(std::abs(map.values[2] - (0.1 - 6.0 + 2.0 * M_PI)) < 1e-12);
        QCOMPARE(map.values[1], 0.5);
        QCOMPARE(map.values[3], 0.0);
        QVERIFY(!map.phaseTicks);
        QVERIFY(map.high <= M_PI && map.low == -map.high);
    }

    void roundingIsNoPattern() {
        const Figure figure =
            compareFigures(plain(mapOf({0.25, 0.5, 0.5, 0.0})), plain(mapOf({0.25 + 2e-16, 0.5, 0.5, 0.0})),
                           CompareMode::difference);
        const auto map = onlyLayer<Heatmap>(figure);
        QVERIFY(map.values[0] != 0.0);
        QCOMPARE(map.high, 1.0);  // as the maps themselves
    }

    void mapsMeetWhereBothHaveCells() {
        Heatmap pinned = mapOf({1.0, 2.0, 3.0, 4.0});
        Heatmap live = mapOf({10.0, 20.0, 30.0, 40.0});
        live.rowStart = live.columnStart = 0.5;  // begins one cell on
        const Heatmap map = differenceMap(pinned, live);
        QCOMPARE(map.rows, std::int64_t(3));
        QCOMPARE(map.columns, std::int64_t(3));
        QCOMPARE(map.rowStart, -0.5);
        for (std::size_t cell = 0; cell < 9; ++cell) {
            QVERIFY(map.states.at(cell) == (cell == 4 ? CellState::shown : CellState::undefined));
        }
        QCOMPARE(map.values[4], 6.0);  // 10 - 4
        const Heatmap back = differenceMap(live, pinned);
        QCOMPARE(back.values[4], -6.0);
    }

    void whatCannotBeSubtractedIsSaidWithWhatToDo() {
        Heatmap fine = mapOf({1.0, 2.0, 3.0, 4.0});
        Heatmap coarse = fine;
        coarse.columnStep = 2.0;
        QVERIFY(whyNotSubtracted(coarse, fine).find("1 × 2 places in A, 1 × 1 in B; show") !=
                std::string::npos);
        Heatmap between = fine;
        between.rowStart = 0.0;
        QVERIFY(whyNotSubtracted(between, fine).find("between those of B; let") != std::string::npos);
        Heatmap away = fine;
        away.rowStart = 99.5;
        QVERIFY(whyNotSubtracted(away, fine).find("no place in common; let") != std::string::npos);
        Heatmap logits = fine;
        logits.valueTitle = "logit";
        const Figure figure = compareFigures(plain(logits), plain(fine), CompareMode::difference);
        QCOMPARE(onlyLayer<Text>(figure).text,
                 std::string("Not compared: A shows logit, B weight; show the same values in both."));
        QVERIFY(!panelOf(figure).axesShown);
        QVERIFY(says(figure, "A shows logit, B weight"));
    }

    void aPanelOrPictureThatOnlyOneHasIsSaid() {
        Figure other = plain(mapOf({1.0, 2.0}));
        other.panels[0].id = "another";
        const Figure figure = compareFigures(other, plain(mapOf({1.0, 2.0})), CompareMode::difference);
        QVERIFY(says(figure, "only B has this panel"));
        const Figure none =
            compared("ladder", sceneWith({{"encoding", "none"}}), Scene(), CompareMode::difference);
        QVERIFY(none.panels.empty());
        QVERIFY(none.emptyState.starts_with("No difference to show, since A has no picture here: "));
    }

    void linesAreSubtractedWhereBothHaveAPoint() {
        const Curve pinned{"weight", Role::live, {0.0, 2.0, 4.0}, {1.0, 3.0, 5.0}};
        const Curve live{"weight", Role::live, {0.0, 1.0, 4.0, 6.0}, {2.0, 2.0, 4.0, 9.0}};
        const Figure figure = compareFigures(plain(pinned), plain(live), CompareMode::difference);
        const auto curve = onlyLayer<Curve>(figure);
        QCOMPARE(curve.x, (std::vector<double>{0.0, 4.0}));
        QCOMPARE(curve.y, (std::vector<double>{1.0, -1.0}));
        QVERIFY(says(figure, "2 places left out between them"));  // 1 and 2
        QCOMPARE(curve.label, std::string("weight: B − A"));
        QCOMPARE(panelOf(figure).y.title, std::string("Δ height"));
        QCOMPARE(panelOf(figure).y.minimum, -panelOf(figure).y.maximum);
    }

    void pointsAreSubtractedWhereBothHaveOne() {
        const Points pinned{"a", Role::live, {0.0, 2.0}, {1.0, 3.0}};
        const Points live{"a", Role::live, {0.0, 1.0, 2.0}, {2.0, 2.0, 2.0}};
        const auto points =
            onlyLayer<Points>(compareFigures(plain(pinned), plain(live), CompareMode::difference));
        QCOMPARE(points.x, (std::vector<double>{0.0, 2.0}));
        QCOMPARE(points.y, (std::vector<double>{1.0, -1.0}));
    }

    void whatHasNoCounterpartIsNamed() {
        Figure live = plain(Curve{"", Role::live, {0.0, 1.0}, {1.0, 2.0}});
        const Figure pinned = live;
        live.panels[0].layers.emplace_back(Curve{"base", Role::base, {0.0, 1.0}, {1.0, 2.0}});
        const Figure figure = compareFigures(pinned, live, CompareMode::difference);
        QVERIFY(says(figure, "left out, since only B has it: “base”."));
    }

    /// A is 1 up to 2 and 5 from there to 6; B is 0 up to 4 and 7 from there to 8.
    void stepsStaySteps() {
        const Curve pinned{"", Role::live, {0.0, 2.0, 2.0, 6.0}, {1.0, 1.0, 5.0, 5.0}, true};
        const Curve live{"", Role::live, {0.0, 4.0, 4.0, 8.0}, {0.0, 0.0, 7.0, 7.0}, true};
        const SeriesDifference found = curveDifference(pinned, live, AxisScale::linear);
        QCOMPARE(found.x, (std::vector<double>{0.0, 2.0, 2.0, 4.0, 4.0, 6.0}));
        QCOMPARE(found.values, (std::vector<double>{-1.0, -1.0, -5.0, -5.0, 2.0, 2.0}));
    }

    void aStaircaseIsReadAtThePlacesOfALine() {
        const Curve stairs{"", Role::live, {-0.5, 1.5, 1.5, 3.5}, {1.0, 1.0, 5.0, 5.0}, true};
        const Curve line{"", Role::live, {0.0, 1.0, 2.0, 3.0, 4.0}, {0.0, 1.0, 2.0, 3.0, 4.0}};
        const SeriesDifference found = curveDifference(stairs, line, AxisScale::linear);
        QCOMPARE(found.values[0], -1.0);
        QCOMPARE(found.values[1], 0.0);
        QCOMPARE(found.values[2], -3.0);
        QCOMPARE(found.values[3], -2.0);
        QVERIFY(std::isnan(found.values[4]));
        QCOMPARE(curveDifference(line, stairs, AxisScale::linear).values[2], 3.0);
    }

    /// Two waves that no pixel can show: what is drawn is the range of their difference, not of them.
    void theValuesOfDenseWavesAreSubtracted() {
        const auto waveOf = [](double height, double rise) {
            Panel panel;
            DenseValues values;
            for (int x = 0; x <= 100; ++x) {
                values.x.push_back(x);
                values.y.push_back((x % 2 == 0 ? height : -height) + rise * x);
            }
            values.binEdges = {20.0, 40.0, 60.0, 80.0, 101.0};
            addDenseCurve(panel, DenseCurve{"wave", Role::live, values});
            Figure figure = plain(Text{});
            figure.panels[0].layers = panel.layers;
            return figure;
        };
        const Figure wave = waveOf(3.0, 0.0);
        QCOMPARE(layersOf<Envelope>(panelOf(wave)).size(), std::size_t(1));
        const Figure line = compareFigures(wave, waveOf(3.0, 0.5), CompareMode::difference);
        QVERIFY(layersOf<Envelope>(panelOf(line)).empty());  // only rises
        const auto curve = onlyLayer<Curve>(line);
        QCOMPARE(curve.x.size(), std::size_t(101));
        QCOMPARE(curve.y[77], 38.5);
        const Figure swing = compareFigures(wave, waveOf(4.0, 0.0), CompareMode::difference);
        const std::vector<Envelope> envelopes = layersOf<Envelope>(panelOf(swing));
        QCOMPARE(envelopes.size(), std::size_t(1));
        QCOMPARE(envelopes[0].low, std::vector<double>(4, -1.0));
        QCOMPARE(envelopes[0].high, std::vector<double>(4, 1.0));
    }

    void aRangeOfManyValuesIsNotSubtracted() {
        Figure figure = plain(Envelope{"all positions", Role::live, {0.0, 1.0}, {0.0, 0.0}, {1.0, 1.0}, {}});
        figure.panels[0].layers.emplace_back(Curve{"mean", Role::live, {0.0, 1.0}, {0.5, 0.5}});
        const Figure delta = compareFigures(figure, figure, CompareMode::difference);
        QVERIFY(layersOf<Envelope>(panelOf(delta)).empty());
        QVERIFY(says(delta, "ranges of many values are not subtracted: “all positions”"));
    }

    void aLogAxisShowsDoublings() {
        Axis y;
        y.scale = AxisScale::log10;
        y.minimum = 1.0;
        y.maximum = 100.0;
        const Figure figure =
            compareFigures(plain(Curve{"", Role::live, {0.0, 1.0}, {2.0, 8.0}}, y),
                           plain(Curve{"", Role::live, {0.0, 1.0}, {8.0, 4.0}}, y), CompareMode::difference);
        QCOMPARE(onlyLayer<Curve>(figure).y, (std::vector<double>{2.0, -1.0}));
        QCOMPARE(panelOf(figure).y.title, std::string("Δ height, log₂(B / A)"));
        QVERIFY(panelOf(figure).y.scale == AxisScale::linear);
    }

    void rowsOfATableAreFoundByTheirNames() {
        Figure pinned = plain(mapOf({1.0, 2.0}));
        pinned.table = {{"row", {0.0, 0.0, 1.0}}, {"column", {0.0, 1.0, 0.0}}, {"value", {1.0, 2.0, 3.0}}};
        Figure live = plain(mapOf({1.0, 2.0}));
        live.table = {{"row", {0.0, 1.0, 1.0}}, {"column", {1.0, 0.0, 1.0}}, {"value", {5.0, 7.0, 9.0}}};
        const Figure delta = compareFigures(pinned, live, CompareMode::difference);
        QCOMPARE(delta.table.size(), std::size_t(3));
        QCOMPARE(delta.table[1].name, std::string("column"));
        QCOMPARE(delta.table[2].name, std::string("delta_value"));
        QCOMPARE(delta.table[2].values[0], 3.0);
        QCOMPARE(delta.table[2].values[1], 4.0);
        QVERIFY(std::isnan(delta.table[2].values[2]));
    }

    void aNumberOfAnotherThingIsSaidToBeOne() {
        Figure pinned = plain(mapOf({1.0, 2.0}));
        pinned.readouts = {{"last", "score at distance 300", 1.0, "", std::nullopt, "", Tone::neutral}};
        Figure live = plain(mapOf({1.0, 2.0}));
        live.readouts = {{"last", "score at distance 8,192", 3.0, "", std::nullopt, "", Tone::neutral}};
        QCOMPARE(findReadout(compareFigures(pinned, live, CompareMode::difference), "last")->label,
                 std::string("Δ score at distance 8,192 (A: score at distance 300)"));
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::DifferenceTest)
#include "difference_test.moc"
