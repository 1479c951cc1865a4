#include "core/figures/comparison.h"

#include <QTest>

#include <set>

#include "core/figures/panel_pairs.h"
#include "tests/core/comparison_test_parts.h"

namespace phaseladder::test {

namespace {

/// Whether lines of A are there, or lines that A and B share.
bool showsBoth(const Panel& panel) {
    return std::ranges::any_of(panel.layers, [](const Layer& layer) {
        const auto* curve = std::get_if<Curve>(&layer);
        return curve != nullptr && curve->label.starts_with('A');
    });
}

}  // namespace

class ComparisonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
        QCOMPARE(readoutNumber(figure, "count"), 2.0);
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
        QCOMPARE(compared("ladder", live, live, CompareMode::live).title, std::string("Ladder: A = B"));
    }

    void theSameSettingsAreSaidToBeTheSame() {
        for (const CompareMode mode : {CompareMode::live, CompareMode::pinned, CompareMode::difference}) {
            QCOMPARE(compared("ladder", Scene(), Scene(), mode).readouts.front().chip,
                     std::string("A and B are the same: Δ is exactly 0"));
        }
    }

    void aLineWithoutAnotherNameIsCalledWhatIsSpecialAboutItsSide() {
        const Figure figure =
            compared("decay", sceneWith({{"encoding", "alibi"}}), Scene(), CompareMode::live);
        std::vector<std::string> labels;
        for (const Curve& curve : layersOf<Curve>(panelOf(figure))) {
            labels.push_back(curve.label);
        }
        QCOMPARE(labels, (std::vector<std::string>{"B: encoding RoPE (rotary)", "A: encoding ALiBi"}));
    }

    /// Whatever is compared: no two lines look the same, and the legend says of each whose it is and what.
    void thePinnedFigureKeepsItsOwnWords() {
        const Figure pinned = compared("invariance", sceneWith({{"tokens", "the quick dog"}}),
                                       sceneWith({{"tokens", "a b c d"}}), CompareMode::pinned);
        const std::vector<std::string> words{"the", "quick", "dog"};
        QVERIFY(pinned.panels[0].x.labels == words && pinned.panels[1].y.labels == words);
        QCOMPARE(pinned.panels[0].x.maximum, 2.5);
    }

    void sumsOfOtherLengthsAreWrittenOneBelowTheOther() {
        const Figure delta =
            compared("hidden-states", sceneWith({{"tokens", "the quick brown fox jumps over lazy dogs now"}}),
                     sceneWith({{"tokens", "x y"}}), CompareMode::difference);
        const std::vector<const Text*> lines = layersOfKind<Text>(delta.panels[0]);
        QVERIFY(lines.size() > 4);
        std::size_t sums = 0;
        for (std::size_t index = 0; index < lines.size(); ++index) {
            QCOMPARE(lines[index]->y, static_cast<double>(index) + 1.0);
            QVERIFY(lines[index]->text.find("→") == std::string::npos);
            sums += lines[index]->text.starts_with("A: h") || lines[index]->text.starts_with("B: h");
        }
        QCOMPARE(sums, std::size_t{4});
        QCOMPARE(delta.panels[0].y.maximum, static_cast<double>(lines.size()) + 0.5);
    }

    void noTwoLinesOfAnOverlayLookTheSame() {
        for (const FigureKind& kind : figureKinds()) {
            for (const auto& [pinned, live] : comparedScenes()) {
                for (const Panel& panel : compared(kind.id, pinned, live, CompareMode::live).panels) {
                    if (!showsBoth(panel)) {
                        continue;
                    }
                    std::set<std::pair<Role, bool>> looks;
                    for (const Layer& layer : panel.layers) {
                        const auto* curve = std::get_if<Curve>(&layer);
                        const auto* envelope = std::get_if<Envelope>(&layer);
                        if ((curve == nullptr && envelope == nullptr) || panel.y.laneHeight > 0.0) {
                            continue;
                        }
                        const Role role = curve != nullptr ? curve->role : envelope->role;
                        const std::string& label = curve != nullptr ? curve->label : envelope->label;
                        const std::string where = kind.id + ' ' + panel.id + ": " + label;
                        QVERIFY2(looks.emplace(role, curve != nullptr).second, where.c_str());
                        const std::size_t colon = label.find(": ");
                        QVERIFY2(label.empty() ? envelope != nullptr
                                               : colon != label.npos && colon + 2 < label.size(),
                                 where.c_str());
                    }
                }
            }
        }
    }

    void aLineThatGoesOnAsARangeStandsInTheLegendOnce() {
        const Figure figure = compared("decay", sceneWith({{"encoding", "sinusoidal"}}),
                                       sceneWith({{"encoding", "t5"}}), CompareMode::live);
        for (const Envelope& envelope : layersOf<Envelope>(panelOf(figure))) {
            QVERIFY(envelope.label.empty());
        }
    }

    void anErrorOfThePinnedSceneDoesNotHideTheLiveOne() {
        const Scene large = sceneWith({{"text.length", "2000000"}});
        const Figure figure = compared("attention", large, Scene(), CompareMode::live);
        QCOMPARE(figure.panels.size(), std::size_t(1));
        QVERIFY(says(figure, "A shows nothing here: text.length"));
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::ComparisonTest)
#include "comparison_test.moc"
