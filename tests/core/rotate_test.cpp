#include "core/attention/rotate.h"

#include <array>

#include <QTest>

#include "core/ladder/scaling.h"
#include "core/phase/phase_turns.h"
#include "core/random.h"
#include "tests/core/golden.h"

using nlohmann::json;
using phaseladder::PairRotation;
using phaseladder::phaseTurns;
using phaseladder::plainLadder;
using phaseladder::Random;
using phaseladder::RopeLayout;
using phaseladder::rotatePairs;
using phaseladder::RowMatrix;
using phaseladder::tests::readGolden;

namespace {

using Vector = std::vector<double>;

PairRotation rotationOf(int rotaryDim, RopeLayout layout, double attentionFactor = 1.0) {
    return {.turnsPerToken = phaseTurns(plainLadder(10000.0, rotaryDim)),
            .layout = layout,
            .rotaryDim = rotaryDim,
            .attentionFactor = attentionFactor};
}

Vector rotated(Vector row, const PairRotation& rotation, std::int64_t position) {
    rotatePairs(row, rotation, position);
    return row;
}

double dot(const Vector& first, const Vector& second) {
    return std::inner_product(first.begin(), first.end(), second.begin(), 0.0);
}

Vector randomVector(std::uint64_t seed, std::size_t size) {
    Random random(seed);
    Vector values(size);
    std::ranges::generate(values, [&] { return random.normal(); });
    return values;
}

/// Half to interleaved: y[2k] = x[k], y[2k+1] = x[k + r/2].
Vector toInterleaved(const Vector& half) {
    Vector result(half.size());
    for (std::size_t pair = 0; pair < half.size() / 2; ++pair) {
        result[2 * pair] = half[pair];
        result[2 * pair + 1] = half[pair + half.size() / 2];
    }
    return result;
}

/// R(p) as a matrix: its columns are the rotated unit vectors.
Eigen::MatrixXd rotationMatrix(const PairRotation& rotation, std::int64_t position) {
    const int width = rotation.rotaryDim;
    Eigen::MatrixXd matrix(width, width);
    for (int column = 0; column < width; ++column) {
        Vector unit(static_cast<std::size_t>(width), 0.0);
        unit[static_cast<std::size_t>(column)] = 1.0;
        rotatePairs(unit, rotation, position);
        matrix.col(column) = Eigen::Map<Eigen::VectorXd>(unit.data(), width);
    }
    return matrix;
}

}  // namespace

class RotateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void publishedRotationIsMetInBothLayouts() {
        const json golden = readGolden("golden.json").at("rotate_d8_pos3");
        const auto x = golden.at("x").get<Vector>();
        for (const auto& [layout, key] :
             {std::pair{RopeLayout::interleaved, "interleaved"}, {RopeLayout::half, "half_split"}}) {
            const Vector result = rotated(x, rotationOf(8, layout), 3);
            const auto expected = golden.at(key).get<Vector>();
            for (std::size_t channel = 0; channel < 8; ++channel) {
                QVERIFY(std::abs(result[channel] - expected[channel]) <= 1e-14);
            }
        }
        const auto permutation = golden.at("half_to_interleaved_permutation").get<std::vector<double>>();
        QVERIFY(toInterleaved({0, 1, 2, 3, 4, 5, 6, 7}) == permutation);
    }

    void layoutsAreRelatedByThePermutationBitForBit() {
        for (const std::size_t width : {2, 4, 8, 66, 128}) {
            const Vector x = randomVector(width, width);
            const int rotary = static_cast<int>(width);
            for (const std::int64_t position : {0, 1, 3, 131071}) {
                const Vector half = rotated(x, rotationOf(rotary, RopeLayout::half), position);
                const Vector mixed =
                    rotated(toInterleaved(x), rotationOf(rotary, RopeLayout::interleaved), position);
                QVERIFY(mixed == toInterleaved(half));
            }
        }
    }

    void scoreDependsOnTheDistanceOnlyWithOneLayout() {
        const json golden = readGolden("golden.json").at("relative_property");
        const auto x = golden.at("q_k").get<Vector>();
        const auto score = [&](RopeLayout query, RopeLayout key, std::int64_t i, std::int64_t j) {
            return dot(rotated(x, rotationOf(8, query), i), rotated(x, rotationOf(8, key), j));
        };
        // Interleaved pairs hold (1, 0), half-split pairs (1, 1) and (0, 0): the same sum of cos(2w) here.
        QVERIFY(std::abs(score(RopeLayout::interleaved, RopeLayout::interleaved, 3, 1) -
                         golden.at("score_3_1").get<double>()) <= 1e-13);
        QVERIFY(std::abs(score(RopeLayout::interleaved, RopeLayout::interleaved, 1003, 1001) -
                         golden.at("score_1003_1001").get<double>()) <= 1e-12);
        QVERIFY(std::abs(score(RopeLayout::half, RopeLayout::half, 3, 1) -
                         score(RopeLayout::half, RopeLayout::half, 1003, 1001)) <= 1e-12);
        QVERIFY(std::abs(score(RopeLayout::interleaved, RopeLayout::half, 3, 1) -
                         golden.at("mixed_layouts_3_1").get<double>()) <= 1e-12);
        QVERIFY(std::abs(score(RopeLayout::interleaved, RopeLayout::half, 1003, 1001) -
                         golden.at("mixed_layouts_1003_1001").get<double>()) <= 1e-12);
    }

    void rotationsComposeToTheirDistance() {
        for (const auto layout : {RopeLayout::half, RopeLayout::interleaved}) {
            const PairRotation rotation = rotationOf(64, layout);
            for (const auto& [i, j] :
                 {std::pair<std::int64_t, std::int64_t>{0, 0}, {5, 2}, {2, 5}, {1000, 131071}}) {
                const Eigen::MatrixXd product =
                    rotationMatrix(rotation, i).transpose() * rotationMatrix(rotation, j);
                QVERIFY((product - rotationMatrix(rotation, j - i)).cwiseAbs().maxCoeff() <= 1e-13);
            }
        }
    }

    void halfSplitPairsTheFirstAndThirdOfFourChannels() {
        // Case C06: [a b c d] turns in the pairs (a, c) and (b, d).
        const PairRotation half = rotationOf(4, RopeLayout::half);
        const Vector turned = rotated({1.0, 0.0, 0.0, 0.0}, half, 1);
        QVERIFY(turned[0] != 1.0 && turned[2] != 0.0);
        QVERIFY(turned[1] == 0.0 && turned[3] == 0.0);
    }

    void attentionFactorScalesTheRotatedChannelsOnly() {
        const Vector x = randomVector(1, 16);
        const Vector plain = rotated(x, rotationOf(8, RopeLayout::half), 9);
        const Vector scaled = rotated(x, rotationOf(8, RopeLayout::half, 1.5), 9);
        for (std::size_t channel = 0; channel < 16; ++channel) {
            QVERIFY(std::abs(scaled[channel] - (channel < 8 ? 1.5 : 1.0) * plain[channel]) <= 1e-15);
            QVERIFY(channel < 8 || plain[channel] == x[channel]);
        }
    }

    void matricesAreRotatedRowByRow() {
        const PairRotation rotation = rotationOf(6, RopeLayout::interleaved, 1.1);
        RowMatrix queries(5, 8), keys(5, 8);
        for (Eigen::Index at = 0; at < queries.size(); ++at) {
            queries.data()[at] = static_cast<double>(at);
            keys.data()[at] = 1.0 / static_cast<double>(at + 1);
        }
        RowMatrix expectedQueries = queries, expectedKeys = keys;
        for (Eigen::Index row = 0; row < 5; ++row) {
            rotatePairs({expectedQueries.row(row).data(), 8}, rotation, row);
            rotatePairs({expectedKeys.row(row).data(), 8}, rotation, row);
        }
        phaseladder::rotateRows(queries, keys, rotation, 0, 2);
        phaseladder::rotateRows(queries, keys, rotation, 2, 5);
        QVERIFY(queries == expectedQueries && keys == expectedKeys);
    }
};

QTEST_GUILESS_MAIN(RotateTest)
#include "rotate_test.moc"
