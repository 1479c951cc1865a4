#include "core/random.h"

#include <array>
#include <cmath>
#include <set>

#include <QTest>

using phaseladder::Random;
using phaseladder::streamSeed;

class RandomTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bitsAreThePublishedOnesOfSplitMix64() {
        // rosettacode.org, Pseudo-random numbers/Splitmix64, seed 1234567.
        Random random(1234567);
        for (const std::uint64_t expected :
             {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL, 4593380528125082431ULL,
              16408922859458223821ULL}) {
            QCOMPARE(random.bits(), expected);
        }
    }

    void uniformIsInTheHalfOpenUnitInterval() {
        Random random(7);
        double sum = 0.0;
        for (int draw = 0; draw < 100000; ++draw) {
            const double value = random.uniform();
            QVERIFY(value >= 0.0 && value < 1.0);
            sum += value;
        }
        QVERIFY(std::abs(sum / 100000.0 - 0.5) < 5.0 * std::sqrt(1.0 / 12.0 / 100000.0));
    }

    void normalHasTheMomentsOfAStandardNormal() {
        Random random(11);
        const int draws = 200000;
        double sum = 0.0, squares = 0.0, fourth = 0.0;
        for (int draw = 0; draw < draws; ++draw) {
            const double value = random.normal();
            QVERIFY(std::isfinite(value));
            sum += value;
            squares += value * value;
            fourth += value * value * value * value;
        }
        QVERIFY(std::abs(sum / draws) < 5.0 / std::sqrt(draws));
        QVERIFY(std::abs(squares / draws - 1.0) < 5.0 * std::sqrt(2.0 / draws));
        QVERIFY(std::abs(fourth / draws - 3.0) < 5.0 * std::sqrt(96.0 / draws));
    }

    void belowReachesEachResultEquallyOften() {
        Random random(3);
        std::array<int, 6> counts{};
        for (int draw = 0; draw < 60000; ++draw) {
            ++counts.at(random.below(6));
        }
        for (const int count : counts) {
            QVERIFY(std::abs(count - 10000) < 500);
        }
        QCOMPARE(random.below(1), std::uint64_t{0});
    }

    void streamsDifferBySeedNameAndIndex() {
        std::set<std::uint64_t> seeds;
        for (const std::uint64_t seed : {0ULL, 1ULL, 2ULL}) {
            for (const char* name : {"", "W_q", "W_k", "dog", "god"}) {
                for (const std::uint64_t index : {0ULL, 1ULL, 2ULL}) {
                    seeds.insert(streamSeed(seed, name, index));
                }
            }
        }
        QCOMPARE(seeds.size(), std::size_t{45});
        QCOMPARE(streamSeed(1, "W_q", 2), streamSeed(1, "W_q", 2));
    }
};

QTEST_GUILESS_MAIN(RandomTest)
#include "random_test.moc"
