#include "core/attention/order_sweep.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/attention/assignment.h"
#include "core/attention/order_extremes.h"
#include "core/attention/permutations.h"
#include "core/engine.h"
#include "core/random.h"
#include "tests/core/word_scene.h"

namespace phaseladder::test {
namespace {

using Counts = std::vector<std::int64_t>;

/// The engine's hidden states of an order; rows are tokens.
RowMatrix engineStates(Scene scene, const std::vector<int>& order) {
    scene.order = order;
    const auto result = Engine().attention(scene, nullptr, true, {}).value();
    RowMatrix states(result->hiddenStates.rows(), result->hiddenStates.cols());
    for (std::size_t position = 0; position < order.size(); ++position) {
        states.row(order[position]) = result->hiddenStates.row(static_cast<Eigen::Index>(position));
    }
    return states;
}

/// States of each token over all orders, by the engine.
std::vector<RowMatrix> allStates(const Scene& scene) {
    std::vector<RowMatrix> states;
    const int count = static_cast<int>(scene.tokens.size());
    for (std::int64_t rank = 0; rank < orderCount(count); ++rank) {
        states.push_back(engineStates(scene, orderOfRank(count, rank)));
    }
    return states;
}

std::int64_t distinctRows(const std::vector<RowMatrix>& states, int token, double tolerance) {
    std::vector<Eigen::RowVectorXd> groups;
    for (const RowMatrix& one : states) {
        const bool isKnown = std::ranges::any_of(groups, [&](const Eigen::RowVectorXd& group) {
            return (group - one.row(token)).cwiseAbs().maxCoeff() <= tolerance;
        });
        if (!isKnown) {
            groups.emplace_back(one.row(token));
        }
    }
    return static_cast<std::int64_t>(groups.size());
}

OrderSweep sweepOf(const Scene& scene) {
    return OrderSweep::create(scene, {}).value();
}

Counts countsOf(const Scene& scene) {
    return sweepOf(scene)
        .counts(identityOrder(static_cast<int>(scene.tokens.size())), nullptr, {})
        .value()
        .distinct;
}

std::int64_t heldLast(const Scene& scene) {
    return sweepOf(scene)
        .counts(identityOrder(static_cast<int>(scene.tokens.size())), nullptr, {})
        .value()
        .heldLast;
}

double largestOf(const Scene& scene, const std::vector<int>& present) {
    OrderSweep sweep = sweepOf(scene);
    const bool isCounted = sweep.counts(present, nullptr, {}).has_value();
    const OrderDifferences found = sweep.differences(present, {}).value();
    return isCounted && found.isExact ? std::ranges::max(found.largest) : std::nan("");
}

}  // namespace

class OrderSweepTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBestAssignmentIsTheBestOfAll() {
        Random random(7);
        for (int trial = 0; trial < 200; ++trial) {
            const int columns = 1 + static_cast<int>(random.below(5));
            const int rows = static_cast<int>(random.below(static_cast<std::uint64_t>(columns) + 1));
            std::vector<double> gains(static_cast<std::size_t>(rows * columns));
            std::ranges::generate(gains, [&] { return random.normal(); });
            const auto sumOf = [&](const std::vector<int>& chosen) {
                double sum = 0.0;
                for (int row = 0; row < rows; ++row) {
                    sum += gains[static_cast<std::size_t>(row * columns +
                                                          chosen[static_cast<std::size_t>(row)])];
                }
                return sum;
            };
            double best = -1e300;
            for (std::int64_t rank = 0; rank < orderCount(columns); ++rank) {
                best = std::max(best, sumOf(orderOfRank(columns, rank)));
            }
            QVERIFY(std::abs(sumOf(bestAssignment(gains, rows, columns)) - best) < 1e-12);
        }
    }

    void theTableGivesTheStatesOfTheEngine() {
        for (const Encoding& encoding : encodings()) {
            for (const bool causal : {false, true}) {
                Scene scene = wordScene(6, encoding.id, causal);
                scene.shaw.valueVectors = true;
                const OrderTable table = OrderTable::create(scene).value();
                for (std::uint64_t seed = 0; seed < 5; ++seed) {
                    const std::vector<int> order = shuffledOrder(6, seed);
                    const OrderTable::States states = table.states(order);
                    const double off = (states.hidden - engineStates(scene, order)).cwiseAbs().maxCoeff();
                    QVERIFY2(off < 1e-12, encoding.id.c_str());
                    QVERIFY((states.weights.rowwise().sum().array() - 1.0).abs().maxCoeff() < 1e-14);
                }
            }
        }
    }

    void theStackGivesTheStatesOfTheEngine() {
        for (const Encoding& encoding : encodings()) {
            for (const AbsoluteJoin join : {AbsoluteJoin::add, AbsoluteJoin::concatenate}) {
                for (const int layers : {1, 2, 3}) {
                    Scene scene = wordScene(5, encoding.id, true, layers);
                    scene.join = join;
                    scene.heads = 2;
                    scene.head = 1;
                    scene.content = {0, 1, 0, 2, 0.5, -1.5, 1, 2, 1, 3, 2.0, 1.0};
                    const LayerStack stack = LayerStack::create(scene, {}).value();
                    const std::vector<int> order = shuffledOrder(5, 3);
                    const RowMatrix states = stack.hiddenStates(order, *makeReferenceBackend(), {}).value();
                    const double off = (states - engineStates(scene, order)).cwiseAbs().maxCoeff();
                    QVERIFY2(off < 1e-12, encoding.id.c_str());
                }
            }
        }
    }

    void theLargestChangeIsThatOfTryingAllOrders() {
        for (const Encoding& encoding : encodings()) {
            for (const bool causal : {false, true}) {
                for (const int words : {1, 2, 4, 6}) {
                    Scene scene = wordScene(words, encoding.id, causal);
                    scene.shaw.valueVectors = true;
                    scene.relativeBias.clip = 2;
                    const OrderTable table = OrderTable::create(scene).value();
                    const OrderTable::States present = table.states(shuffledOrder(words, 5));
                    RowMatrix hidden = RowMatrix::Zero(words, scene.headDim);
                    RowMatrix weights = RowMatrix::Zero(words, words);
                    for (std::int64_t rank = 0; rank < orderCount(words); ++rank) {
                        const OrderTable::States other = table.states(orderOfRank(words, rank));
                        hidden = hidden.cwiseMax((other.hidden - present.hidden).cwiseAbs());
                        weights = weights.cwiseMax((other.weights - present.weights).cwiseAbs());
                    }
                    for (int token = 0; token < words; ++token) {
                        const LargestChange change = largestChange(table, token, present, {}, 1e-13, {});
                        QVERIFY(std::abs(change.hidden - hidden.row(token).maxCoeff()) < 1e-12);
                        QVERIFY(std::abs(change.weight - weights.row(token).maxCoeff()) < 1e-12);
                    }
                }
            }
        }
    }

    void distinctStatesAreThoseOfComparingAllOrders() {
        for (const Encoding& encoding : encodings()) {
            for (const bool causal : {false, true}) {
                for (const int layers : {1, 2}) {
                    Scene scene = wordScene(4, encoding.id, causal, layers);
                    scene.relativeBias.clip = 1;  // so that far positions are alike
                    scene.shaw.clip = 1;
                    OrderSweep sweep = sweepOf(scene);
                    const Counts counts =
                        sweep.counts(identityOrder(sweep.tokens()), nullptr, {}).value().distinct;
                    const std::vector<RowMatrix> states = allStates(scene);
                    for (int token = 0; token < 4; ++token) {
                        const std::int64_t expected = distinctRows(states, token, sweep.tolerance());
                        QVERIFY2(counts[static_cast<std::size_t>(token)] == expected, encoding.id.c_str());
                    }
                }
            }
        }
    }

    void nearlyEqualStatesAreToldApartChannelByChannel() {
        // A peaked softmax: states differ by a few tolerances only.
        Scene scene = wordScene(4, "relative_bias", false);
        scene.relativeBias.clip = 2;
        scene.relativeBias.values = {-17.0, -17.2, 0.0, -17.4, -17.6};
        const std::vector<RowMatrix> states = allStates(scene);
        OrderSweep sweep = sweepOf(scene);
        const Counts counts = sweep.counts(identityOrder(sweep.tokens()), nullptr, {}).value().distinct;
        for (int token = 0; token < 4; ++token) {
            QCOMPARE(counts[static_cast<std::size_t>(token)], distinctRows(states, token, sweep.tolerance()));
        }
        const Counts buckets = countsOf(wordScene(5, "t5", false));
        QVERIFY(*std::ranges::max_element(buckets) == 120 && *std::ranges::min_element(buckets) > 90);
    }

    void countsAreThoseOfTheSets() {
        for (int words = 1; words <= 6; ++words) {
            QCOMPARE(countsOf(wordScene(words, "none", false)), Counts(static_cast<std::size_t>(words), 1));
            QCOMPARE(countsOf(wordScene(words, "none", true)),
                     Counts(static_cast<std::size_t>(words), std::int64_t{1} << (words - 1)));
        }
        QCOMPARE(countsOf(wordScene(8, "none", true)), Counts(8, 128));
        QCOMPARE(countsOf(wordScene(8, "rope", true)), Counts(8, 13700));
        QCOMPARE(countsOf(wordScene(3, "rope", false)), Counts(3, 6));
        QCOMPARE(countsOf(wordScene(5, "rope", false)), Counts(5, 120));
    }

    void aTokenThatIsHeldLastIsBlindInOneLayerWithoutPositions() {
        for (const bool causal : {false, true}) {
            QCOMPARE(heldLast(wordScene(6, "none", causal)), 1);
            QCOMPARE(heldLast(wordScene(6, "rope", causal)), 120);
        }
        QCOMPARE(heldLast(wordScene(5, "none", false, 2)), 1);
        QVERIFY(heldLast(wordScene(5, "none", true, 2)) > 1);
    }

    void equalWordsStayDifferentTokens() {
        Scene scene = wordScene(3, "none", true);
        scene.tokens = {"the", "dog", "the"};
        // "dog" has seen no, one or two "the". A "the" has seen no dog, a dog, or a dog and the other "the",
        // which changes nothing where it is all that was seen.
        QCOMPARE(countsOf(scene), (Counts{3, 3, 3}));
    }

    void aSeparatedHeldTokenIsTheOneThatStandsLast() {
        Scene scene = wordScene(4, "none", true);
        scene.tokens = {"a", "b", "b", "c"};
        OrderSweep sweep = sweepOf(scene);
        QCOMPARE(sweep.counts({3, 2, 1, 0}, nullptr, {}).value().heldLast, 1);
        QCOMPARE(sweep.counts({0, 1, 2, 3}, nullptr, {}).value().heldLast, 1);
    }

    void anOrderBlindTextDiffersByRoundingOnly() {
        for (const int layers : {1, 3}) {
            QVERIFY(largestOf(wordScene(6, "none", false, layers), {5, 0, 3, 1, 2, 4}) < 1e-12);
            QVERIFY(largestOf(wordScene(6, "rope", false, layers), {5, 0, 3, 1, 2, 4}) > 1e-3);
        }
        QVERIFY(largestOf(wordScene(10, "none", false), identityOrder(10)) < 1e-12);
    }

    void longTextsAreSampledWithTheSeed() {
        Scene scene = wordScene(11, "none", true);
        OrderSweep sweep = sweepOf(scene);
        QVERIFY(sweep.isSampled());
        QCOMPARE(sweep.orders(), mostSampledOrders);
        QVERIFY(sweep.differences(identityOrder(11), {}).value().isExact);
        const Counts counts = sweep.counts(identityOrder(sweep.tokens()), nullptr, {}).value().distinct;
        for (const std::int64_t count : counts) {
            QVERIFY(count > 512 && count <= 1024);
        }
        QCOMPARE(countsOf(scene), counts);
        QCOMPARE(sweep.counts(identityOrder(11), nullptr, {}).value().heldLast, 1);
        scene.seed = 2;
        QVERIFY(sweepOf(scene).orderAt(1) != sweep.orderAt(1));
    }

    void theExactChangeIsNoLessThanThatOfAnySample() {
        for (const char* encoding : {"none", "rope", "sinusoidal"}) {
            Scene scene = wordScene(12, encoding, true);
            OrderSweep sweep = sweepOf(scene);
            const std::vector<int> present = shuffledOrder(12, 1);
            const OrderDifferences found = sweep.differences(present, {}).value();
            const OrderTable table = OrderTable::create(scene).value();
            const OrderTable::States now = table.states(present);
            for (std::uint64_t seed = 0; seed < 50; ++seed) {
                const OrderTable::States other = table.states(shuffledOrder(12, seed));
                for (int token = 0; token < 12; ++token) {
                    QVERIFY((now.hidden.row(token) - other.hidden.row(token)).cwiseAbs().maxCoeff() <=
                            found.largest[static_cast<std::size_t>(token)] + 1e-12);
                }
            }
        }
    }

    void logitsTooFarApartAreRunOrderByOrder() {
        Scene scene = wordScene(4, "relative_bias", false);
        scene.relativeBias.clip = 1;
        scene.relativeBias.values = {-5000.0, 0.0, 5000.0};
        const OrderSweep sweep = sweepOf(scene);
        QVERIFY(!sweep.differences(identityOrder(4), {}).value().largestWeight);
        QCOMPARE(sweep.orders(), 24);
    }

    void refusalsSayWhatToDo() {
        Scene scene;
        QCOMPARE(orderSweepRefusal(scene), std::string());
        scene.textLength = 9;
        QVERIFY(orderSweepRefusal(scene).find("set it to 0") != std::string::npos);
        scene.textLength = 0;
        scene.encoding = "learned";
        scene.learned.rows = 2;
        QVERIFY(orderSweepRefusal(scene).starts_with("Only 2 of 3 positions have a code"));
        scene.tokens.clear();
        QVERIFY(!orderSweepRefusal(scene).empty());
    }

    void countingStopsWhenAsked() {
        std::stop_source stop;
        OrderSweep sweep = sweepOf(wordScene(9, "rope", false));
        stop.request_stop();
        const auto counts = sweep.counts(identityOrder(9), nullptr, stop.get_token());
        QVERIFY(!counts && counts.error().kind == ErrorKind::cancelled);
        QVERIFY(sweep.statesToCount() > 0);
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::OrderSweepTest)
#include "order_sweep_test.moc"
