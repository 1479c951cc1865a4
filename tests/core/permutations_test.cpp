#include "core/attention/permutations.h"

#include <QTest>

using phaseladder::checkPermutation;
using phaseladder::composedOrder;
using phaseladder::cyclesText;
using phaseladder::identityOrder;
using phaseladder::inverseOrder;
using phaseladder::orderCount;
using phaseladder::orderOfRank;
using phaseladder::orderRank;
using phaseladder::reversedOrder;
using phaseladder::rotatedOrder;
using phaseladder::shuffledOrder;

namespace {

using Order = std::vector<int>;

std::string faultOf(const Order& order, int count) {
    const auto checked = checkPermutation(order, count);
    return checked ? std::string() : checked.error().message;
}

}  // namespace

class PermutationsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void faultsAreNamedInOneSentence() {
        QCOMPARE(faultOf({1, 2, 2}, 3), "Not a permutation of 0..2: 2 appears twice, 0 is missing.");
        QCOMPARE(faultOf({0, 0, 0}, 3),
                 "Not a permutation of 0..2: 0 appears 3 times, 1 is missing, 2 is missing.");
        QCOMPARE(faultOf({0, 1}, 3), "Not a permutation of 0..2: 2 is missing.");
        QCOMPARE(faultOf({0, 1, 5}, 3), "Not a permutation of 0..2: 5 is outside, 2 is missing.");
        QCOMPARE(faultOf({0, -1}, 2), "Not a permutation of 0..1: -1 is outside, 1 is missing.");
        QCOMPARE(faultOf({0}, 0), "The text has no tokens, the order has 1.");
    }

    void manyFaultsAreCounted() {
        const std::string fault = faultOf(Order(1000, 7), 1000);
        QCOMPARE(fault,
                 "Not a permutation of 0..999: 7 appears 1000 times, 0 is missing, 1 is missing, 997 more "
                 "faults.");
    }

    void permutationsOfAllKindsPass() {
        for (int count = 0; count <= 9; ++count) {
            QVERIFY(checkPermutation(identityOrder(count), count).has_value());
            QVERIFY(checkPermutation(reversedOrder(count), count).has_value());
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                QVERIFY(checkPermutation(shuffledOrder(count, seed), count).has_value());
            }
        }
    }

    void ranksGoThroughAllOrdersInLexicographicOrder() {
        for (int count = 0; count <= 6; ++count) {
            Order order = identityOrder(count);
            for (std::int64_t rank = 0; rank < orderCount(count); ++rank) {
                QCOMPARE(orderRank(order), rank);
                QCOMPARE(orderOfRank(count, rank), order);
                std::ranges::next_permutation(order);
            }
        }
        QCOMPARE(orderRank(reversedOrder(10)), 3628799);
        QCOMPARE(orderCount(20), 2432902008176640000);
    }

    void aRotationMovesEveryTokenOnePlace() {
        QCOMPARE(rotatedOrder(4), (Order{3, 0, 1, 2}));
        QCOMPARE(rotatedOrder(1), Order{0});
        QCOMPARE(rotatedOrder(0), Order{});
        Order order = identityOrder(5);
        for (int turn = 0; turn < 5; ++turn) {
            order = composedOrder(order, rotatedOrder(5));
        }
        QCOMPARE(order, identityOrder(5));
    }

    void shuffleFollowsItsSeed() {
        QVERIFY(shuffledOrder(20, 7) == shuffledOrder(20, 7));
        QVERIFY(shuffledOrder(20, 7) != shuffledOrder(20, 8));
    }

    void shuffleReachesEveryOrderEquallyOften() {
        std::map<Order, int> counts;
        for (std::uint64_t seed = 0; seed < 6000; ++seed) {
            ++counts[shuffledOrder(3, seed)];
        }
        QCOMPARE(counts.size(), std::size_t{6});
        for (const auto& [order, count] : counts) {
            QVERIFY(std::abs(count - 1000) < 150);
        }
    }

    void cyclesAreWrittenFromTheirSmallestMember() {
        QCOMPARE(cyclesText(Order{2, 0, 1}), "(0 2 1)");
        QCOMPARE(cyclesText(Order{1, 0, 2, 4, 3}), "(0 1)(3 4)");
        QCOMPARE(cyclesText(identityOrder(4)), "identity");
        QCOMPARE(cyclesText(Order{}), "identity");
    }

    void composingWithTheInverseGivesTheIdentity() {
        const Order order = shuffledOrder(12, 5);
        QVERIFY(composedOrder(order, inverseOrder(order)) == identityOrder(12));
        QVERIFY(composedOrder(inverseOrder(order), order) == identityOrder(12));
        QVERIFY((composedOrder(Order{2, 0, 1}, Order{1, 0, 2}) == Order{0, 2, 1}));
    }
};

QTEST_GUILESS_MAIN(PermutationsTest)
#include "permutations_test.moc"
