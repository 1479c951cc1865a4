#include "core/attention/pair_scorer.h"

#include <QTest>

#include "core/attention/backend.h"
#include "core/attention/layers.h"
#include "core/engine.h"

using phaseladder::AbsoluteJoin;
using phaseladder::AttentionResult;
using phaseladder::encodings;
using phaseladder::Engine;
using phaseladder::findEncoding;
using phaseladder::LogitParts;
using phaseladder::makePlan;
using phaseladder::makeProblem;
using phaseladder::makeReferenceBackend;
using phaseladder::MapRequest;
using phaseladder::pairChannels;
using phaseladder::PairScorer;
using phaseladder::residualStream;
using phaseladder::RopeAxes;
using phaseladder::RowMatrix;
using phaseladder::Scene;
using phaseladder::tokenAtPosition;
using phaseladder::validate;
using phaseladder::ViewValues;

namespace {

Scene fiveWords(const std::string& encoding) {
    Scene scene;
    scene.tokens = {"the", "dog", "bites", "the", "man"};
    scene.order = {3, 1, 4, 0, 2};
    scene.encoding = encoding;
    scene.headDim = 16;
    scene.shaw.valueVectors = true;
    return scene;
}

/// Every encoding, and the ways of those that have several.
std::vector<Scene> allKinds() {
    std::vector<Scene> scenes;
    for (const auto& encoding : encodings()) {
        scenes.push_back(fiveWords(encoding.id));
    }
    for (const std::string id : {"learned", "sinusoidal"}) {
        Scene scene = fiveWords(id);
        scene.join = AbsoluteJoin::concatenate;
        scenes.push_back(scene);
    }
    for (const RopeAxes axes : {RopeAxes::mrope, RopeAxes::mrope_interleaved, RopeAxes::vision_2d,
                                RopeAxes::vision_2d_alternating}) {
        Scene scene = fiveWords("rope");
        scene.rope.axes = axes;
        scenes.push_back(scene);
    }
    return scenes;
}

AttentionResult attentionOf(const Scene& scene, ViewValues values) {
    const auto backend = makeReferenceBackend();
    const MapRequest map{.window = {0, 5, 0, 5}, .pixelRows = 5, .pixelColumns = 5, .values = values};
    const auto problem = Engine().problem(scene, {}).value();
    return backend->run({.problem = problem, .map = map, .hiddenStates = true}, {}).value();
}

}  // namespace

class PairScorerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesTheLogitsAndHiddenStatesOfTheBackend() {
        for (const Scene& scene : allKinds()) {
            const PairScorer scorer = PairScorer::create(scene, 5).value();
            const AttentionResult logits = attentionOf(scene, ViewValues::logits);
            const AttentionResult weights = attentionOf(scene, ViewValues::weights);
            for (int i = 0; i < 5; ++i) {
                Eigen::RowVectorXd hidden = Eigen::RowVectorXd::Zero(16);
                for (int j = 0; j < 5; ++j) {
                    const int query = static_cast<int>(tokenAtPosition(scene, i));
                    const int key = static_cast<int>(tokenAtPosition(scene, j));
                    const auto cell = static_cast<std::size_t>(5 * i + j);
                    QVERIFY2(std::abs(scorer.tokenLogit(query, i, key, j) - logits.map[cell]) < 1e-12,
                             scene.encoding.c_str());
                    hidden += weights.map[cell] * scorer.valueAt(key, j, i);
                }
                QVERIFY2((hidden - logits.hiddenStates.row(i)).cwiseAbs().maxCoeff() < 1e-12,
                         scene.encoding.c_str());
            }
        }
    }

    void partsSumToTheLogit() {
        for (Scene scene : allKinds()) {
            scene.rope.partial = 0.5;
            const PairScorer scorer = PairScorer::create(scene, 50).value();
            const auto query = scorer.queryAt(scorer.queryContent(2), 41);
            const auto key = scorer.keyAt(scorer.keyContent(1), 7);
            const LogitParts parts = scorer.parts(query, 41, key, 7);
            QVERIFY2(std::abs(parts.sum() - scorer.logit(query, 41, key, 7)) < 1e-12, scene.encoding.c_str());
            QCOMPARE(parts.pairs.size(), static_cast<std::size_t>(contentPairs(scene)));
            QCOMPARE(parts.passThrough != 0.0, scene.encoding == "rope" || scene.encoding == "xpos");
        }
    }

    void turnedHandReplacesTwoChannelsOfOneWord() {
        for (Scene scene : allKinds()) {
            const PairScorer seeded = PairScorer::create(scene, 5).value();
            scene.content = {0, 1, 0, 3, 0.25, -2.0, 0, 1, 1, 3, 8.0, 1.0};
            QVERIFY(validate(scene).has_value());
            const PairScorer turned = PairScorer::create(scene, 5).value();
            const auto [first, second] = pairChannels(scene, 3);
            Eigen::RowVectorXd query = seeded.queryContent(1);
            query[first] = 0.25;
            query[second] = -2.0;
            QVERIFY(turned.queryContent(1) == query);
            QVERIFY(turned.keyContent(1)[first] == 8.0 && turned.keyContent(1)[second] == 1.0);
            QVERIFY(turned.queryContent(0) == seeded.queryContent(0));
            QVERIFY(turned.valueAt(1, 2, 2) == seeded.valueAt(1, 2, 2));
            scene.head = 0;
            scene.heads = 2;
            const PairScorer again = PairScorer::create(scene, 5).value();
            scene.head = 1;
            QVERIFY(again.queryContent(1) == query);
            QVERIFY(PairScorer::create(scene, 5).value().queryContent(1)[first] != 0.25);
        }
    }

    void handsThatAreNotThereAnyMoreAreSaidAndNotUsed() {
        Scene scene = fiveWords("rope");
        scene.content = {0, 9, 0, 3, 1, 1, 0, 1, 0, 70, 1, 1, 5, 1, 0, 3, 1, 1};
        QVERIFY(validate(scene).has_value());
        QCOMPARE(unusedContent(scene), std::size_t{3});
        QVERIFY(sceneNotes(scene).notes.front().sentence.find("3 turned hands") != std::string::npos);
        scene.content = {0, 1, 2, 3, 1, 1};
        QVERIFY(validate(scene).error().message.find("side 2; it must be 0..1") != std::string::npos);
        scene.content = {0, 1, 1};
        QVERIFY(validate(scene).error().message.find("holds 3 numbers") != std::string::npos);
    }

    void secondLayerReadsWhatTheFirstAdded() {
        for (Scene scene : allKinds()) {
            scene.heads = 2;
            scene.layers = 2;
            scene.head = 1;
            const auto backend = makeReferenceBackend();
            const auto stream = residualStream(scene, 2, *backend, {}).value();
            QCOMPARE(stream.size(), std::size_t{3});
            // Written out: x¹ - x⁰ is the sum of both heads' outputs.
            RowMatrix sum = RowMatrix::Zero(stream[0].rows(), stream[0].cols());
            Scene head = scene;
            for (head.head = 0; head.head < 2; ++head.head) {
                const auto problem = makeProblem(head, makePlan(head, 5).value());
                const auto result = backend->run({.problem = problem, .hiddenStates = true}, {}).value();
                sum += result.hiddenStates * outputWeights(scene, 0, head.head, stream[0].cols());
            }
            QVERIFY((stream[1] - stream[0] - sum).cwiseAbs().maxCoeff() < 1e-12);
            const auto last = Engine().problem(scene, {}).value();
            const auto weights = headWeights(scene, 1, 1, stream[1].cols());
            QVERIFY((last->queries.matrix() - stream[1] * weights.query).cwiseAbs().maxCoeff() < 1e-12);
        }
    }

    void onlyTwoLayersSeeTheOrderOfAPrefixWithoutPositions() {
        Scene scene;
        scene.encoding = "none";
        scene.causal = true;
        const auto lastState = [&](int layers, std::vector<int> order) {
            scene.layers = layers;
            scene.order = std::move(order);
            const auto backend = makeReferenceBackend();
            const auto problem = Engine().problem(scene, {}).value();
            return Eigen::RowVectorXd(
                backend->run({.problem = problem, .hiddenStates = true}, {})->hiddenStates.row(2));
        };
        QVERIFY((lastState(1, {0, 1, 2}) - lastState(1, {1, 0, 2})).cwiseAbs().maxCoeff() < 1e-12);
        QVERIFY((lastState(2, {0, 1, 2}) - lastState(2, {1, 0, 2})).cwiseAbs().maxCoeff() > 1e-3);
    }

    void concatenatedRowsDoubleTheStream() {
        Scene scene = fiveWords("sinusoidal");
        scene.join = AbsoluteJoin::concatenate;
        const auto plan = makePlan(scene, 5).value();
        QVERIFY(plan.additiveRows.empty() && plan.concatenatedRows.size() == 5 * 16);
        QCOMPARE(inputStream(scene, plan).cols(), Eigen::Index{32});
        QVERIFY(findEncoding("sinusoidal")->numbers(scene).find("3 · 32 · 16") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(PairScorerTest)
#include "pair_scorer_test.moc"
