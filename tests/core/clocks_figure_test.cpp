#include <cmath>
#include <numbers>

#include <QTest>

#include "core/figures/handle.h"
#include "tests/core/figure_test_parts.h"

using phaseladder::Clock;
using phaseladder::encodings;
using phaseladder::Figure;
using phaseladder::Handle;
using phaseladder::handleValue;
using phaseladder::ListEntryTarget;
using phaseladder::Panel;
using phaseladder::Scene;
using phaseladder::validate;
using phaseladder::test::figureOf;
using phaseladder::test::layersOf;
using phaseladder::test::readoutNumber;

namespace {

std::vector<Clock> clocksOf(const Figure& figure) {
    return layersOf<Clock>(figure.panels.front());
}

Handle handleOf(const Figure& figure, std::size_t index) {
    std::vector<Handle> handles;
    for (const Panel& panel : figure.panels) {
        const std::vector<Handle> more = layersOf<Handle>(panel);
        handles.insert(handles.end(), more.begin(), more.end());
    }
    return handles.at(index);
}

}  // namespace

class ClocksFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstPairTurnsOneRadianAToken() {
        Scene scene;
        for (const int position : {1, 5, 1000}) {
            scene.view.position = position;
            const Clock clock = clocksOf(figureOf(scene, "clocks")).front();
            QVERIFY(std::abs(clock.hands.back().angle -
                             std::fmod(static_cast<double>(position), 2.0 * std::numbers::pi)) < 1e-12);
        }
    }

    void arcIsWhatTrainingSawAndBeyondWhatItDidNot() {
        Scene scene;
        scene.headDim = 128;  // Llama-2: 18 pairs never turn once in 4,096 tokens
        scene.length.trained = 4096;
        scene.view.position = 8192;
        int beyond = 0;
        for (const Clock& clock : clocksOf(figureOf(scene, "clocks"))) {
            beyond += clock.arcs.size() > 1 ? 1 : 0;
        }
        QCOMPARE(beyond, 18);
        scene.view.position = 4096;
        for (const Clock& clock : clocksOf(figureOf(scene, "clocks"))) {
            QCOMPARE(clock.arcs.size(), std::size_t{1});
        }
    }

    void scalingShowsTheHandBeforeAndAfter() {
        Scene scene;
        scene.scaling.method = "linear";
        scene.view.position = 8192;
        const Clock clock = clocksOf(figureOf(scene, "clocks")).at(20);
        QCOMPARE(clock.hands.size(), std::size_t{2});
        scene.scaling.method = "none";
        scene.view.position = 2048;  // source text: 8,192 at a quarter has the phase of 2,048
        QVERIFY(std::abs(clocksOf(figureOf(scene, "clocks")).at(20).hands.back().angle -
                         clock.hands.back().angle) < 1e-12);
    }

    void draggedTipIsWhereItWasDroppedForEveryEncoding() {
        for (const auto& encoding : encodings()) {
            for (const std::size_t hand : {std::size_t{0}, std::size_t{1}}) {
                Scene scene;
                scene.encoding = encoding.id;
                scene.view.pair = 4;
                scene.scaling.method = "yarn";  // an attention factor other than 1
                const Handle before = handleOf(figureOf(scene, "clocks"), hand);
                scene.content = handleValue(scene, before, 1.25, -0.5);
                QCOMPARE(scene.content.size(), std::size_t{6});
                QVERIFY(validate(scene).has_value());
                const Handle after = handleOf(figureOf(scene, "clocks"), hand);
                QVERIFY2(std::abs(after.x - 1.25) < 1e-12 && std::abs(after.y + 0.5) < 1e-12,
                         encoding.id.c_str());
                scene.content = handleValue(scene, after, 0.0, 2.0);
                QCOMPARE(scene.content.size(), std::size_t{6});  // the same record
            }
        }
    }

    void aRightAngleMakesThePairSilentAndTheMapFollows() {
        Scene scene;
        scene.headDim = 2;  // one pair: the logit is its share
        scene.view.token = 2;
        scene.view.key = 0;
        const Handle key = handleOf(figureOf(scene, "clocks"), 1);
        const Handle query = handleOf(figureOf(scene, "clocks"), 0);
        scene.content = handleValue(scene, key, -query.y, query.x);  // a quarter turn from q
        const Figure figure = figureOf(scene, "clocks");
        QVERIFY(std::abs(readoutNumber(figure, "logit")) < 1e-12);
        QVERIFY(std::abs(readoutNumber(figure, "angle") - 90.0) < 1e-9);
        // Large where both point the same way, at any distance.
        scene.content = handleValue(scene, key, 20.0 * query.x, 20.0 * query.y);
        const Figure loud = figureOf(scene, "clocks");
        QVERIFY(readoutNumber(loud, "weight") > 0.9 || readoutNumber(loud, "logit") > 5.0);
        const Figure map = figureOf(scene, "attention");
        QVERIFY(std::abs(map.matrix->values.at(6) - readoutNumber(loud, "weight")) < 1e-12);
    }

    void listHandleBeginsWithTheListThatIsDrawn() {
        Scene scene;
        scene.encoding = "relative_bias";
        scene.relativeBias.clip = 1;
        Handle handle;
        handle.parameterId = "relative_bias.values";
        handle.target = ListEntryTarget{2, {0.1, 0.2, 0.3}};
        scene.relativeBias.values = handleValue(scene, handle, 1.0, -4.0);
        QCOMPARE(scene.relativeBias.values, (std::vector<double>{0.1, 0.2, -4.0}));
    }

    void pairContributionSumsToTheLogit() {
        for (const auto& encoding : encodings()) {
            Scene scene;
            scene.encoding = encoding.id;
            scene.rope.partial = 0.5;
            const Figure figure = figureOf(scene, "pair-contribution");
            QVERIFY(readoutNumber(figure, "sum_error") <= 1e-12);
            Scene logits = scene;
            logits.view.values = phaseladder::ViewValues::logits;
            const Figure map = figureOf(logits, "attention");
            QVERIFY2(std::abs(map.matrix->values.at(6) - readoutNumber(figure, "logit")) < 1e-12,
                     encoding.id.c_str());
        }
    }

    void positionRowIsWholeBeforeTheFirstLayer() {
        for (const std::string id : {"learned", "sinusoidal"}) {
            for (const auto join : {phaseladder::AbsoluteJoin::add, phaseladder::AbsoluteJoin::concatenate}) {
                Scene scene;
                scene.encoding = id;
                scene.join = join;
                scene.headDim = 16;
                QVERIFY(std::abs(readoutNumber(figureOf(scene, "carry"), "projection_first") - 1.0) < 1e-12);
            }
        }
    }

    void readOutFindsSinusoidalPositionsAndNoneWithoutPositions() {
        Scene scene;
        scene.headDim = 32;
        scene.encoding = "sinusoidal";
        QVERIFY(readoutNumber(figureOf(scene, "carry"), "read_out_last") > 0.95);
        scene.encoding = "none";
        const Figure none = figureOf(scene, "carry");
        QVERIFY(readoutNumber(none, "read_out_last") < 0.1);
        // A causal mask alone leaks the position: a token averages over as many tokens as stand before it.
        scene.causal = true;
        QVERIFY(readoutNumber(figureOf(scene, "carry"), "read_out_last") > 0.3);
        // A learned table has no structure that a read-out could carry over to rows it was not fitted on.
        scene.causal = false;
        scene.encoding = "learned";
        QVERIFY(readoutNumber(figureOf(scene, "carry"), "read_out_last") < 0.1);
    }

    void tooShortATableIsSaid() {
        Scene scene;
        scene.encoding = "learned";
        scene.learned.rows = 99;
        QVERIFY(figureOf(scene, "carry").emptyState.find("130 positions") != std::string::npos);
        scene.learned.rows = 2;
        QVERIFY(figureOf(scene, "clocks").emptyState.find("Position 2") != std::string::npos);
        QVERIFY(figureOf(scene, "pair-contribution").emptyState.find("Position 2") != std::string::npos);
        const Figure map = figureOf(scene, "attention");
        QVERIFY(map.warnings.front().find("no visible keys") != std::string::npos);
        QVERIFY(std::isnan(map.matrix->values.at(8)) && !std::isnan(map.matrix->values.at(0)));
    }
};

QTEST_GUILESS_MAIN(ClocksFigureTest)
#include "clocks_figure_test.moc"
