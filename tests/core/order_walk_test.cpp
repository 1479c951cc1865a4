#include "core/attention/order_walk.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/attention/order_sweep.h"
#include "core/attention/permutations.h"
#include "tests/core/word_scene.h"

namespace phaseladder::test {
namespace {

Scene walkScene(int words, const std::string& encoding, bool causal, int layers) {
    Scene scene = wordScene(words, encoding, causal, layers);
    scene.shaw.valueVectors = true;
    return scene;
}

std::shared_ptr<const LayerStack> stackOf(const Scene& scene) {
    return std::make_shared<const LayerStack>(LayerStack::create(scene, {}).value());
}

RowMatrix runStates(const LayerStack& stack, const std::vector<int>& order) {
    return stack.hiddenStates(order, *makeReferenceBackend(), {}).value();
}

}  // namespace

class OrderWalkTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBatchOfOrdersGivesTheStatesOfEachOne() {
        for (const Encoding& encoding : encodings()) {
            for (const AbsoluteJoin join : {AbsoluteJoin::add, AbsoluteJoin::concatenate}) {
                for (const int layers : {1, 2, 4}) {
                    Scene scene = walkScene(5, encoding.id, layers != 2, layers);
                    scene.join = join;
                    scene.heads = 2;
                    scene.head = 1;
                    scene.content = {0, 1, 0, 2, 0.5, -1.5, 1, 2, 1, 3, 2.0, 1.0};
                    const auto stack = stackOf(scene);
                    const std::vector<std::vector<int>> orders{shuffledOrder(5, 3), identityOrder(5),
                                                               reversedOrder(5)};
                    const RowMatrix states = OrderWalk(stack, {}).states(orders);
                    for (std::size_t order = 0; order < orders.size(); ++order) {
                        const auto rows = states.middleRows(static_cast<Eigen::Index>(5 * order), 5);
                        const double off = (rows - runStates(*stack, orders[order])).cwiseAbs().maxCoeff();
                        QVERIFY2(off < 1e-12, encoding.id.c_str());
                    }
                }
            }
        }
    }

    void aWalkComesToEachStateOnceAndNamesIt() {
        for (const char* encoding : {"none", "sinusoidal", "shaw", "transformer_xl", "xpos"}) {
            for (const bool causal : {false, true}) {
                for (const int words : {1, 2, 3, 5}) {
                    const auto stack = stackOf(walkScene(words, encoding, causal, 3));
                    const OrderWalk walk(stack, {});
                    std::vector<std::uint32_t> seen;
                    double off = 0.0;
                    for (int part = 0; part < walk.parts(); ++part) {
                        walk.go(part,
                                [&](const WalkedStates& walked) {
                                    for (std::size_t row = 0; row < walked.states.size(); ++row) {
                                        const auto position = walked.states[row] % std::uint32_t(words);
                                        const auto order =
                                            orderOfRank(words, walked.states[row] / std::uint32_t(words));
                                        QCOMPARE(order[position], walked.tokens[row]);
                                        const Eigen::RowVectorXd expected =
                                            runStates(*stack, order).row(walked.tokens[row]);
                                        const Eigen::RowVectorXd delta =
                                            walked.hidden.row(Eigen::Index(row)) - expected;
                                        off = std::max(off, delta.cwiseAbs().maxCoeff());
                                        seen.push_back(walked.states[row]);
                                    }
                                },
                                {});
                    }
                    QVERIFY2(off < 1e-12, encoding);
                    QCOMPARE(double(seen.size()), OrderWalk::states(words, causal));
                    std::ranges::sort(seen);
                    QVERIFY(std::ranges::adjacent_find(seen) == seen.end());
                }
            }
        }
    }

    void theLargestDifferenceOfAllOrdersIsThatOfRunningEach() {
        for (const char* encoding : {"none", "learned", "t5", "shaw", "rope"}) {
            for (const bool causal : {false, true}) {
                const Scene scene = walkScene(5, encoding, causal, 2);
                const auto stack = stackOf(scene);
                const std::vector<int> present = shuffledOrder(5, 2);
                const RowMatrix now = runStates(*stack, present);
                RowMatrix most = RowMatrix::Zero(5, scene.headDim);
                for (std::int64_t rank = 0; rank < orderCount(5); ++rank) {
                    most = most.cwiseMax((runStates(*stack, orderOfRank(5, rank)) - now).cwiseAbs());
                }
                OrderSweep sweep = OrderSweep::create(scene, {}).value();
                QVERIFY(sweep.counts(identityOrder(5), nullptr, {}).has_value());
                const OrderDifferences found = sweep.differences(present, {}).value();
                QVERIFY(found.isExact);
                for (int token = 0; token < 5; ++token) {
                    QVERIFY2(std::abs(found.largest[std::size_t(token)] - most.row(token).maxCoeff()) < 1e-12,
                             encoding);
                }
            }
        }
    }

    // The counts of an independent program with other weights: under a mask each ordered prefix is a state of
    // its own in two layers, Σ (n−1)!/(n−1−k)!, with positions or without.
    void twoLayersTellOrderedPrefixesApart() {
        const auto countsOf = [](int words, const char* encoding, bool causal) {
            OrderSweep sweep = OrderSweep::create(walkScene(words, encoding, causal, 2), {}).value();
            return sweep.counts(identityOrder(words), nullptr, {}).value();
        };
        const std::int64_t prefixes[] = {65, 326, 1957, 13700};
        const std::int64_t orders[] = {120, 720, 5040};
        for (int words = 5; words <= 8; ++words) {
            for (const char* encoding : {"none", "rope"}) {
                const OrderCounts counts = countsOf(words, encoding, true);
                QCOMPARE(counts.distinct, std::vector<std::int64_t>(std::size_t(words), prefixes[words - 5]));
                QCOMPARE(counts.heldLast, orderCount(words - 1));
                QVERIFY(!counts.isHeldSampled);
            }
            QCOMPARE(countsOf(words, "none", false).distinct,
                     std::vector<std::int64_t>(std::size_t(words), 1));
        }
        for (int words = 5; words <= 7; ++words) {
            QCOMPARE(countsOf(words, "rope", false).distinct,
                     std::vector<std::int64_t>(std::size_t(words), orders[words - 5]));
        }
    }

    void theDefaultWidthReachesTenTokensUnderAMaskAndNineWithout() {
        Scene scene = walkScene(3, "rope", true, 2);
        scene.headDim = 64;
        QVERIFY(OrderWalk::fits(*stackOf(scene), 10));
        scene.causal = false;
        QVERIFY(OrderWalk::fits(*stackOf(scene), 9) && !OrderWalk::fits(*stackOf(scene), 10));
        for (const bool causal : {false, true}) {
            scene.causal = causal;
            scene.layers = 4;
            QVERIFY(OrderWalk::fits(*stackOf(scene), 8));
        }
    }

    void beforeTheCountTheLargestDifferenceIsOfTheShownOrders() {
        const Scene scene = walkScene(7, "rope", true, 2);
        OrderSweep sweep = OrderSweep::create(scene, {}).value();
        const OrderDifferences quick = sweep.differences(identityOrder(7), {}).value();
        QVERIFY(!quick.isExact && quick.looked == 720);
        QVERIFY(sweep.counts(identityOrder(7), nullptr, {}).has_value());
        const OrderDifferences whole = sweep.differences(identityOrder(7), {}).value();
        QVERIFY(whole.isExact && whole.looked == 5040);
        for (std::size_t token = 0; token < 7; ++token) {
            QVERIFY(whole.largest[token] >= quick.largest[token] - 1e-12);
        }
    }

    void weightsThatDoNotFitAreRefusedByName() {
        Scene scene = walkScene(3, "none", true, 4);
        scene.heads = 1024;
        scene.headDim = 1024;
        std::stop_source stop;
        const auto refused = LayerStack::create(scene, stop.get_token());
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("4 layers with 1024 heads need 96.0 GiB, 1.0 GiB allowed") !=
                std::string::npos);
        stop.request_stop();
        QVERIFY(LayerStack::create(scene, stop.get_token()).error().kind == ErrorKind::cancelled);
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::OrderWalkTest)
#include "order_walk_test.moc"
