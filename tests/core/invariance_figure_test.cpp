#include <QTest>

#include <algorithm>
#include <cmath>

#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {
namespace {

Scene sceneOf(const std::string& encoding, bool causal, int layers = 1, int words = 3) {
    Scene scene;
    scene.encoding = encoding;
    scene.causal = causal;
    scene.layers = layers;
    std::vector<std::string> tokens = scene.tokens;
    for (int word = 3; word < words; ++word) {
        tokens.push_back("word" + std::to_string(word));
    }
    scene.tokens = std::move(tokens);
    return scene;
}

std::string readoutText(const Figure& figure, std::string_view id) {
    const Readout* readout = findReadout(figure, id);
    const auto* text = readout == nullptr ? nullptr : std::get_if<std::string>(&readout->value);
    return text == nullptr ? std::string() : *text;
}

bool hasNote(const Figure& figure, std::string_view part) {
    return std::ranges::any_of(figure.notes,
                               [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

class InvarianceFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutPositionsAFullTextIsOrderBlind() {
        const Figure figure = figureOf(sceneOf("none", false), "invariance");
        QCOMPARE(readoutNumber(figure, "orders"), 6.0);
        QCOMPARE(readoutNumber(figure, "distinct_states_min"), 1.0);
        QCOMPARE(readoutNumber(figure, "distinct_states_max"), 1.0);
        QCOMPARE(readoutNumber(figure, "distinct_states_last_held"), 1.0);
        QVERIFY(readoutNumber(figure, "largest_difference") <= 1e-12);
        QCOMPARE(readoutText(figure, "verdict"), std::string("order-blind"));
        QVERIFY(hasNote(figure, "Softmax over a set"));
    }

    void aMaskAloneTellsSetsApart() {
        const Figure figure = figureOf(sceneOf("none", true, 1, 8), "invariance");
        QCOMPARE(readoutNumber(figure, "distinct_states_min"), 128.0);
        QCOMPARE(readoutNumber(figure, "distinct_states_max"), 128.0);
        QCOMPARE(readoutNumber(figure, "distinct_states_last_held"), 1.0);
        QCOMPARE(readoutText(figure, "verdict"), std::string("order-aware"));
        QVERIFY(hasNote(figure, "2^(n−1) = 128 sets"));
    }

    void twoCausalLayersReachEvenTheLastToken() {
        const Figure figure = figureOf(sceneOf("none", true, 2), "invariance");
        QVERIFY(readoutNumber(figure, "distinct_states_last_held") > 1.0);
        QVERIFY(hasNote(figure, "held last"));
    }

    void ropeTellsAllOrdersApart() {
        const Figure figure = figureOf(sceneOf("rope", false), "invariance");
        QCOMPARE(readoutNumber(figure, "distinct_states_min"), 6.0);
        QCOMPARE(readoutNumber(figure, "distinct_states_last_held"), 2.0);
        QVERIFY(hasNote(figure, "q·k turns"));
        QCOMPARE(readoutNumber(figureOf(sceneOf("rope", true, 1, 8), "invariance"), "distinct_states_max"),
                 13700.0);
    }

    void barsStandInTheRowsOfTheMap() {
        Scene scene = sceneOf("none", true);
        scene.tokens = {"the", "dog", "the"};
        scene.order = {1, 0, 2};
        const Figure figure = figureOf(scene, "invariance");
        const auto bars = layersOf<Bars>(figure.panels.at(0));
        QCOMPARE(bars.size(), std::size_t{1});
        QCOMPARE(figure.panels.at(0).x.labels, (std::vector<std::string>{"dog", "the₁", "the₂"}));
        QCOMPARE(figure.panels.at(1).y.labels, figure.panels.at(0).x.labels);
        QVERIFY(hasNote(figure, "Equal words"));
        const auto maps = layersOf<Heatmap>(figure.panels.at(1));
        QCOMPARE(maps.at(0).columns, 6);
        // The present order differs from itself by nothing.
        QCOMPARE(maps.at(0).values[2], 0.0);
        QCOMPARE(maps.at(0).values[8], 0.0);
    }

    void aMapOfManyOrdersIsAnEvenChoice() {
        const Figure figure = figureOf(sceneOf("none", true, 1, 8), "invariance");
        const Panel& panel = figure.panels.at(1);
        const auto map = layersOf<Heatmap>(panel).at(0);
        QCOMPARE(map.columns, 720);
        QCOMPARE(map.columnStep, 56.0);
        QVERIFY(panel.title.find("720 of 40,320 orders") != std::string::npos);
    }

    void longTextsAreSampledAndSaySo() {
        const Figure figure = figureOf(sceneOf("rope", false, 1, 11), "invariance");
        QVERIFY(
            hasNote(figure,
                    "All orders of 11 tokens are 39 916 800; the limit is 10. Sampled: 10 000 orders, seed "
                    "1."));
        QVERIFY(hasNote(figure, "The largest difference is of all orders, the counts are of the sample."));
        QCOMPARE(readoutNumber(figure, "orders"), 10000.0);
    }

    void theQuickPartLeavesTheCountsOut() {
        FigureRequest request;
        request.id = "invariance";
        request.effort = Effort::quick;
        const Figure figure = figureOf(sceneOf("rope", false, 1, 9), request);
        QVERIFY(figure.isPartial);
        QVERIFY(findReadout(figure, "distinct_states_max") == nullptr);
        QVERIFY(readoutNumber(figure, "largest_difference") > 0.0);
        QCOMPARE(layersOf<Text>(figure.panels.at(0)).size(), std::size_t{1});
        QVERIFY(!figureOf(sceneOf("rope", false), request).isPartial);
    }

    void oneTokenHasOneOrder() {
        Scene scene;
        scene.tokens = {"dog"};
        const Figure figure = figureOf(scene, "invariance");
        QCOMPARE(readoutNumber(figure, "orders"), 1.0);
        QVERIFY(hasNote(figure, "One token has one order."));
        scene.tokens.clear();
        QVERIFY(!figureOf(scene, "invariance").emptyState.empty());
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::InvarianceFigureTest)
#include "invariance_figure_test.moc"
