#include "core/figures/comparison.h"

#include <QTest>

#include <cmath>
#include <memory>

#include "core/figures/difference.h"
#include "core/parameter.h"
#include "tests/core/figure_test_parts.h"

namespace phaseladder {
namespace {

using test::figureOf;
using test::findReadout;
using test::layersOf;

Scene sceneWith(std::vector<std::pair<std::string, std::string>> settings) {
    return applySettings(Scene(), settings).value();
}

Figure compared(const std::string& id, const Scene& pinned, const Scene& live, CompareMode mode) {
    FigureRequest request;
    request.id = id;
    request.pixelColumns = request.pixelRows = 256;
    request.pinned = std::make_shared<const Scene>(pinned);
    request.compare = mode;
    return figureOf(live, request);
}

bool areAllZero(const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return value == 0.0 || std::isnan(value); });
}

/// Whether nothing in the panel says that something differs.
bool saysNoDifference(const Panel& panel) {
    const bool hasLanes = panel.y.laneHeight > 0.0;
    const auto isFlat = [&](const std::vector<double>& values) {
        return hasLanes ? std::ranges::all_of(values, [](double y) { return y == std::round(y); })
                        : areAllZero(values);
    };
    return std::ranges::all_of(panel.layers, [&](const Layer& layer) {
        if (const auto* map = std::get_if<Heatmap>(&layer)) {
            return areAllZero(map->values) && map->map == ColorMapKind::diverging && map->low == -map->high;
        }
        if (const auto* curve = std::get_if<Curve>(&layer)) {
            return isFlat(curve->y);
        }
        if (const auto* points = std::get_if<Points>(&layer)) {
            return isFlat(points->y);
        }
        if (const auto* bars = std::get_if<Bars>(&layer)) {
            return areAllZero(bars->y);
        }
        if (const auto* clock = std::get_if<Clock>(&layer)) {
            return std::ranges::all_of(clock->arcs, [](const ClockArc& arc) { return arc.sweep == 0.0; });
        }
        return true;
    });
}

/// A figure of one panel with one layer.
Figure plain(Layer layer, const Axis& y = {}) {
    Figure figure;
    figure.id = "plain";
    Panel panel;
    panel.id = "panel";
    panel.x.title = "x";
    panel.x.maximum = 10.0;
    panel.y = y;
    panel.y.title = "height";
    panel.layers.push_back(std::move(layer));
    figure.panels.push_back(std::move(panel));
    return figure;
}

Heatmap mapOf(std::vector<double> values, std::int64_t rows = 2) {
    Heatmap map;
    map.rows = rows;
    map.columns = static_cast<std::int64_t>(values.size()) / rows;
    map.values = std::move(values);
    map.valueTitle = "weight";
    return map;
}

const Panel& panelOf(const Figure& figure) {
    return figure.panels.at(0);
}

template <class LayerType>
LayerType onlyLayer(const Figure& figure) {
    const std::vector<LayerType> layers = layersOf<LayerType>(panelOf(figure));
    return layers.size() == 1 ? layers.front() : LayerType();
}

bool says(const Figure& figure, std::string_view words) {
    return std::ranges::any_of(
        figure.notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

}  // namespace

class ComparisonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSameSettingsGiveExactlyZeroInEveryFigure() {
        const std::vector<Scene> scenes{
            Scene(),
            sceneWith({{"encoding", "none"}}),
            sceneWith({{"encoding", "sinusoidal"}, {"causal", "false"}}),
            sceneWith({{"scaling", "yarn"}, {"view.values", "logits"}, {"order", "2,1,0"}}),
            sceneWith({{"encoding", "alibi"}, {"text.length", "300"}}),
            sceneWith({{"view.positions", "131072"}, {"head_dim", "128"}})};
        for (const FigureKind& kind : figureKinds()) {
            for (const Scene& scene : scenes) {
                const Figure figure = compared(kind.id, scene, scene, CompareMode::difference);
                for (const Panel& panel : figure.panels) {
                    QVERIFY2(saysNoDifference(panel), (kind.id + ' ' + panel.id).c_str());
                }
                for (const Readout& readout : figure.readouts) {
                    const double* value = std::get_if<double>(&readout.value);
                    QVERIFY2(value == nullptr || *value == 0.0 || std::isnan(*value), readout.id.c_str());
                }
                for (std::size_t column = 1; column < figure.table.size(); ++column) {
                    QVERIFY2(areAllZero(figure.table[column].values), figure.table[column].name.c_str());
                }
                QVERIFY(!figure.matrix || areAllZero(figure.matrix->values));
                QCOMPARE(figure.matrix.has_value(), figureOf(scene, kind.id).matrix.has_value());
            }
        }
    }

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
        live.states = {shown, shown, undefined, aliased};
        const auto map =
            onlyLayer<Heatmap>(compareFigures(plain(pinned), plain(live), CompareMode::difference));
        QVERIFY(map.states == (std::vector<CellState>{shown, masked, undefined, aliased}));
        live.states.clear();
        const auto other =
            onlyLayer<Heatmap>(compareFigures(plain(pinned), plain(live), CompareMode::difference));
        QVERIFY(other.states == (std::vector<CellState>{shown, masked, masked, shown}));
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

    void whatCannotBeSubtractedIsSaid() {
        Figure figure = compareFigures(plain(mapOf({1.0, 2.0})), plain(mapOf({1.0, 2.0, 3.0, 4.0})),
                                       CompareMode::difference);
        QVERIFY(layersOf<Heatmap>(panelOf(figure)).empty());
        QCOMPARE(onlyLayer<Text>(figure).text, std::string("Not compared: A has 2 × 1 cells, B 2 × 2."));
        QVERIFY(says(figure, "A has 2 × 1 cells"));
        Heatmap logits = mapOf({1.0, 2.0, 3.0, 4.0});
        logits.valueTitle = "logit";
        figure = compareFigures(plain(logits), plain(mapOf({1.0, 2.0, 3.0, 4.0})), CompareMode::difference);
        QVERIFY(says(figure, "A shows logit, B weight"));
        Figure other = plain(mapOf({1.0, 2.0}));
        other.panels[0].id = "another";
        figure = compareFigures(other, plain(mapOf({1.0, 2.0})), CompareMode::difference);
        QVERIFY(says(figure, "A has no such panel"));
        figure = compared("ladder", sceneWith({{"encoding", "none"}}), Scene(), CompareMode::difference);
        QVERIFY(figure.panels.empty());
        QVERIFY(figure.emptyState.starts_with("No difference to show: A has no picture here."));
    }

    void linesAreSubtractedAtTheSameX() {
        const Curve pinned{"weight", Role::live, {0.0, 2.0, 4.0}, {1.0, 3.0, 5.0}};
        const Curve live{"weight", Role::live, {0.0, 1.0, 4.0, 6.0}, {2.0, 2.0, 4.0, 9.0}};
        const Figure figure = compareFigures(plain(pinned), plain(live), CompareMode::difference);
        const auto curve = onlyLayer<Curve>(figure);
        QCOMPARE(curve.x, live.x);
        QCOMPARE(curve.y[0], 1.0);
        QCOMPARE(curve.y[1], 0.0);  // A is 2 between its points
        QCOMPARE(curve.y[2], -1.0);
        QVERIFY(std::isnan(curve.y[3]));
        QVERIFY(says(figure, "interpolated"));
        QCOMPARE(curve.label, std::string("weight: B − A"));
        QCOMPARE(panelOf(figure).y.title, std::string("Δ height"));
        QCOMPARE(panelOf(figure).y.minimum, -panelOf(figure).y.maximum);
    }

    void pointsAndColumnsAreNotInterpolated() {
        const Points pinned{"a", Role::live, {0.0, 2.0}, {1.0, 3.0}};
        const Points live{"a", Role::live, {0.0, 1.0, 2.0}, {2.0, 2.0, 2.0}};
        const auto points =
            onlyLayer<Points>(compareFigures(plain(pinned), plain(live), CompareMode::difference));
        QCOMPARE(points.y[0], 1.0);
        QVERIFY(std::isnan(points.y[1]));
        QCOMPARE(points.y[2], -1.0);
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

    void bothLinesAreNamedAndInView() {
        Axis low, high;
        high.maximum = 20.0;
        const Figure figure =
            compareFigures(plain(Curve{"base", Role::live, {0.0, 1.0}, {2.0, 20.0}}, high),
                           plain(Curve{"base", Role::live, {0.0, 1.0}, {1.0, 0.0}}, low), CompareMode::live);
        const std::vector<Curve> curves = layersOf<Curve>(panelOf(figure));
        QCOMPARE(curves.size(), std::size_t(2));
        QCOMPARE(curves[0].label, std::string("B: base"));
        QCOMPARE(curves[1].label, std::string("A: base"));
        QVERIFY(curves[0].role == Role::live && curves[1].role == Role::pinned);
        QCOMPARE(panelOf(figure).y.maximum, 20.0);
        const Figure pinned =
            compareFigures(plain(Curve{"base", Role::live, {0.0}, {2.0}}, low),
                           plain(Curve{"base", Role::live, {0.0}, {1.0}}, high), CompareMode::pinned);
        QCOMPARE(panelOf(pinned).y.maximum, 20.0);
        QVERIFY(onlyLayer<Curve>(pinned).role == Role::pinned);
    }

    void aLineThatIsTheSameIsDrawnOnce() {
        const Curve curve{"base", Role::base, {0.0, 1.0}, {1.0, 2.0}};
        const auto drawn = onlyLayer<Curve>(compareFigures(plain(curve), plain(curve), CompareMode::live));
        QCOMPARE(drawn.label, std::string("A = B: base"));
    }

    void columnsStandSideBySide() {
        const Figure figure = compareFigures(plain(Bars{"w", Role::live, {0.0}, {1.0}}),
                                             plain(Bars{"w", Role::live, {0.0}, {2.0}}), CompareMode::live);
        const std::vector<Bars> bars = layersOf<Bars>(panelOf(figure));
        QCOMPARE(bars.size(), std::size_t(2));
        QVERIFY(bars[0].series == 1 && bars[0].seriesCount == 2 && bars[0].role == Role::live);
        QVERIFY(bars[1].series == 0 && bars[1].seriesCount == 2 && bars[1].role == Role::pinned);
    }

    void mapsOfBothHaveOneColourRange() {
        Heatmap pinned = mapOf({0.5, 0.5});
        Heatmap live = mapOf({0.1, 0.1});
        pinned.high = 0.5;
        live.high = 0.1;
        for (const CompareMode mode : {CompareMode::live, CompareMode::pinned}) {
            const auto map = onlyLayer<Heatmap>(compareFigures(plain(pinned), plain(live), mode));
            QCOMPARE(map.low, 0.0);
            QCOMPARE(map.high, 0.5);
            QCOMPARE(map.values, mode == CompareMode::live ? live.values : pinned.values);
        }
    }

    void handsOfDialsEncloseTheDifference() {
        Clock pinned{"pair 0", 0.0, 0.0, 0.4, {}, {{"q", Role::live, 1.0, 1.0}}, false};
        Clock live = pinned;
        live.hands[0].angle = 0.75;
        const auto clock =
            onlyLayer<Clock>(compareFigures(plain(pinned), plain(live), CompareMode::difference));
        QCOMPARE(clock.hands.size(), std::size_t(2));
        QCOMPARE(clock.arcs[0].from, 0.75);
        QCOMPARE(clock.arcs[0].sweep, 0.25);
        const auto over = onlyLayer<Clock>(compareFigures(plain(pinned), plain(live), CompareMode::live));
        QVERIFY(over.hands[1].role == Role::pinned && over.hands[1].label == "A: q");
    }

    void nothingOfThePinnedFigureCanBeDragged() {
        Figure figure = plain(Rule{"trained", Role::trained, Orientation::horizontal, 0.5, "length.trained"});
        figure.panels[0].layers.emplace_back(Handle{"q", Role::live, 0.0, 0.0, "content", {}});
        for (const CompareMode mode : {CompareMode::pinned, CompareMode::difference}) {
            const Figure shown = compareFigures(figure, figure, mode);
            QVERIFY(layersOf<Handle>(panelOf(shown)).empty());
            for (const Rule& rule : layersOf<Rule>(panelOf(shown))) {
                QVERIFY(rule.parameterId.empty());
            }
        }
        QCOMPARE(layersOf<Handle>(panelOf(compareFigures(figure, figure, CompareMode::live))).size(),
                 std::size_t(1));
    }

    void readoutsTableAndMatrixFollowTheMode() {
        Figure pinned = plain(mapOf({1.0, 2.0}));
        pinned.readouts = {{"count", "count", 3.0, "pairs", 0.5, "3 pairs", Tone::good},
                           {"verdict", "verdict", "blind", "", std::nullopt, "", Tone::good}};
        pinned.table = {{"pair", {0.0, 1.0}}, {"weight", {1.0, 2.0}}};
        pinned.matrix = Matrix{2, 1, {1.0, 2.0}};
        Figure live = plain(mapOf({1.5, 2.5}));
        live.readouts = {{"count", "count", 5.0, "pairs", 0.5, "5 pairs", Tone::good},
                         {"verdict", "verdict", "aware", "", std::nullopt, "", Tone::good}};
        live.table = {{"pair", {1.0, 2.0}}, {"weight", {5.0, 6.0}}};
        live.matrix = Matrix{2, 1, {1.5, 2.5}};
        const Figure figure = compareFigures(pinned, live, CompareMode::difference);
        QCOMPARE(test::readoutNumber(figure, "count"), 2.0);
        QCOMPARE(findReadout(figure, "count")->chip, std::string("3 pairs → 5 pairs"));
        QVERIFY(!findReadout(figure, "count")->tolerance);
        QCOMPARE(std::get<std::string>(findReadout(figure, "verdict")->value), std::string("blind → aware"));
        QCOMPARE(figure.table[0].values, (std::vector<double>{1.0, 2.0}));
        QCOMPARE(figure.table[1].name, std::string("delta_weight"));
        QCOMPARE(figure.table[1].values[0], 3.0);
        QVERIFY(std::isnan(figure.table[1].values[1]));
        QCOMPARE(figure.matrix->values, (std::vector<double>{0.5, 0.5}));
        QCOMPARE(compareFigures(pinned, live, CompareMode::live).table[1].values, live.table[1].values);
        QCOMPARE(compareFigures(pinned, live, CompareMode::pinned).matrix->values, pinned.matrix->values);
    }

    void theFigureSaysWhatAAndBAre() {
        const Scene live = sceneWith({{"rope.theta", "500000"}});
        const Figure figure = compared("attention", Scene(), live, CompareMode::difference);
        QCOMPARE(figure.title, std::string("Attention: Δ = B − A (A: theta base 10,000 · B: theta base "
                                           "500,000)"));
        QCOMPARE(figure.readouts.front().id, std::string("compared"));
        QVERIFY(figure.readouts.front().chip.starts_with("Δ = B − A"));
        QCOMPARE(compared("attention", Scene(), live, CompareMode::live).title,
                 std::string("Attention: B (theta base 500,000)"));
        QCOMPARE(compared("attention", Scene(), live, CompareMode::pinned).title,
                 std::string("Attention: A (theta base 10,000)"));
        QCOMPARE(compared("ladder", live, live, CompareMode::live).title,
                 std::string("Ladder: A and B (A: the same settings · B: the same settings)"));
    }

    void anErrorOfThePinnedSceneDoesNotHideTheLiveOne() {
        const Scene large = sceneWith({{"text.length", "2000000"}});
        const Figure figure = compared("attention", large, Scene(), CompareMode::live);
        QCOMPARE(figure.panels.size(), std::size_t(1));
        QVERIFY(says(figure, "A shows nothing here: text.length"));
    }
};

}  // namespace phaseladder

QTEST_APPLESS_MAIN(phaseladder::ComparisonTest)
#include "comparison_test.moc"
