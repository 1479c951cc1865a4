#include <QTest>

#include <cmath>

#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {

class HiddenStatesFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSumIsWrittenOutUnderBothOrders() {
        Scene scene;
        scene.encoding = "none";
        const Figure figure = figureOf(scene, "hidden-states");
        const auto texts = layersOf<Text>(figure.panels.at(0));
        QCOMPARE(texts.size(), std::size_t{2});
        QVERIFY(texts.at(0).text.starts_with("h_man = 0."));
        QVERIFY(texts.at(0).text.find("·v_dog + ") < texts.at(0).text.find("·v_bites + "));
        QVERIFY(texts.at(1).text.starts_with("h′_man = 0."));
        QVERIFY(texts.at(1).text.find("·v_man + ") < texts.at(1).text.find("·v_bites + "));
        QVERIFY(!figure.panels.at(0).axesShown);
    }

    void theWeightsOfATokenDoNotChangeWithoutPositions() {
        Scene scene;
        scene.encoding = "none";
        const Figure blind = figureOf(scene, "hidden-states");
        const auto bars = layersOf<Bars>(blind.panels.at(1));
        QCOMPARE(bars.size(), std::size_t{2});
        double sum = 0.0;
        for (std::size_t token = 0; token < 3; ++token) {
            QVERIFY(std::abs(bars[0].y[token] - bars[1].y[token]) < 1e-12);
            sum += bars[0].y[token];
        }
        QVERIFY(std::abs(sum - 1.0) < 1e-12);
        QVERIFY(readoutNumber(blind, "largest_difference") < 1e-12);
        scene.encoding = "rope";
        QVERIFY(readoutNumber(figureOf(scene, "hidden-states"), "largest_difference") > 1e-3);
    }

    void aMaskedTokenHasNoTerm() {
        Scene scene;
        scene.encoding = "none";
        scene.causal = true;  // reversed, "man" stands first and sees only itself
        const auto texts = layersOf<Text>(figureOf(scene, "hidden-states").panels.at(0));
        QCOMPARE(texts.at(1).text, std::string("h′_man = 1.00·v_man"));
    }

    void rowsOfTheMapAreTokensUnderBothOrders() {
        Scene scene;
        scene.order = {2, 0, 1};
        const Figure figure = figureOf(scene, "hidden-states");
        const Panel& panel = figure.panels.back();
        QCOMPARE(panel.y.labels, (std::vector<std::string>{"dog", "dog′", "bites", "bites′", "man", "man′"}));
        const auto map = layersOf<Heatmap>(panel).at(0);
        QCOMPARE(map.rows, 6);
        QCOMPARE(map.columns, 64);
        QCOMPARE(map.low, -map.high);
        QCOMPARE(columnOf(figure, "h_present").size(), std::size_t{64});
        QCOMPARE(columnOf(figure, "h_original")[5], map.values[5 * 64 + 5]);
    }

    void tokensWithoutACodeAreHatched() {
        Scene scene;
        scene.encoding = "learned";
        scene.learned.rows = 2;
        const Figure figure = figureOf(scene, "hidden-states");
        QCOMPARE(figure.panels.size(), std::size_t{1});
        QVERIFY(!layersOf<Heatmap>(figure.panels.at(0)).at(0).states.empty());
        QVERIFY(findReadout(figure, "verdict") == nullptr);
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::HiddenStatesFigureTest)
#include "hidden_states_figure_test.moc"
