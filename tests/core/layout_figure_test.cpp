#include <QTest>

#include <cmath>

#include "core/attention/pair_layout.h"
#include "core/attention/rotate.h"
#include "core/phase/phase_turns.h"
#include "tests/core/figure_test_parts.h"
#include "tests/core/golden.h"

namespace phaseladder::test {
namespace {

using Vector = Eigen::RowVectorXd;

const nlohmann::json& golden() {
    static const nlohmann::json values = tests::readGolden("golden.json");
    return values;
}

Vector vectorOf(const std::vector<double>& numbers) {
    return Eigen::Map<const Vector>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

PairRotation rotationOf(RopeLayout layout) {
    return {.turnsPerToken = phaseTurns(plainLadder(10000.0, 8)), .layout = layout, .rotaryDim = 8};
}

Vector turned(Vector row, RopeLayout layout, std::int64_t position) {
    rotatePairs({row.data(), static_cast<std::size_t>(row.size())}, rotationOf(layout), position);
    return row;
}

/// The figure's token map: query (and key) [1 0 1 0 1 0 1 0] at every position, in the scene's layout.
Scene goldenScene() {
    Scene scene;
    scene.headDim = 8;
    scene.rope.layout = RopeLayout::interleaved;
    scene.tokens = {"a", "a", "a", "a"};
    for (const double side : {0.0, 1.0}) {
        for (int pair = 0; pair < 4; ++pair) {
            scene.content.insert(scene.content.end(), {0.0, 0.0, side, static_cast<double>(pair), 1.0, 0.0});
        }
    }
    return scene;
}

}  // namespace

class LayoutFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePermutationIsThePublishedOne() {
        const std::vector<int> expected = golden()["rotate_d8_pos3"]["half_to_interleaved_permutation"];
        QCOMPARE(interleavingOrder(8, 8), expected);
        QCOMPARE(interleavingOrder(4, 6), (std::vector<int>{0, 2, 1, 3, 4, 5}));
        const Vector row = vectorOf(golden()["rotate_d8_pos3"]["x"]);
        QCOMPARE(permuted(permuted(row, interleavingOrder(8, 8)), halvingOrder(8, 8)), row);
    }

    void interleavedOfThePermutedIsThePermutedOfHalf() {
        const Vector row = vectorOf(golden()["rotate_d8_pos3"]["x"]);
        const std::vector<int> order = interleavingOrder(8, 8);
        const Vector half = turned(row, RopeLayout::half, 3);
        QVERIFY((half - vectorOf(golden()["rotate_d8_pos3"]["half_split"])).cwiseAbs().maxCoeff() < 1e-12);
        QVERIFY(
            (turned(row, RopeLayout::interleaved, 3) - vectorOf(golden()["rotate_d8_pos3"]["interleaved"]))
                .cwiseAbs()
                .maxCoeff() < 1e-12);
        QCOMPARE(turned(permuted(row, order), RopeLayout::interleaved, 3), permuted(half, order));
    }

    void mixedLayoutsGiveThePublishedWrongScores() {
        const Vector row = vectorOf(golden()["relative_property"]["q_k"]);
        for (const auto& [query, key, name] :
             {std::tuple(3, 1, "mixed_layouts_3_1"), std::tuple(1003, 1001, "mixed_layouts_1003_1001")}) {
            const double score =
                pairwiseProduct(turned(row, RopeLayout::interleaved, query),
                                turned(row, RopeLayout::half, key), rotationOf(RopeLayout::half));
            QVERIFY(isClose(score, golden()["relative_property"][name], 1e-12));
        }
    }

    void theMapShowsThePublishedError() {
        const Figure figure = figureOf(goldenScene(), "layout");
        const double expected = golden()["relative_property"]["mixed_layouts_3_1"].get<double>() -
                                golden()["relative_property"]["score_3_1"].get<double>();
        QVERIFY(isClose(figure.matrix->values[3 * 4 + 1] * std::sqrt(8.0), expected, 1e-12));
        QCOMPARE(figure.matrix->values[0], 0.0);
    }

    void afterThePermutationLogitsAreEqualBitForBit() {
        for (const RopeLayout layout : {RopeLayout::half, RopeLayout::interleaved}) {
            for (const double partial : {1.0, 0.5}) {
                Scene scene;
                scene.rope.layout = layout;
                scene.rope.partial = partial;
                scene.textLength = 100;
                const Figure figure = figureOf(scene, "layout");
                QCOMPARE(readoutNumber(figure, "permuted_difference"), 0.0);
                QVERIFY(readoutNumber(figure, "mixed_difference") > 0.1);
                QVERIFY(readoutNumber(figure, "unpermuted_difference") > 0.1);
            }
        }
    }

    void aWrongKernelIsRightAtPositionZeroOnly() {
        const Figure figure = figureOf(Scene{}, "layout");
        for (const char* column : {"rotated_difference", "mixed_error", "wrong_kernel_error"}) {
            const std::vector<double> errors = columnOf(figure, column);
            QCOMPARE(errors.front(), 0.0);
            QVERIFY(errors[1] > 0.0);
            QVERIFY(std::ranges::max(errors) > errors[1]);
        }
    }

    void thePairingOfFourChannelsIsAcAndBd() {
        Scene scene;
        scene.headDim = 4;
        const Figure figure = figureOf(scene, "layout");
        const Heatmap map = layersOf<Heatmap>(figure.panels.front()).front();
        QCOMPARE(map.values, (std::vector<double>{0, 1, 0, 1, 0, 0, 1, 1}));
    }

    void onePairHasOneLayout() {
        Scene scene;
        scene.headDim = 2;
        const Figure figure = figureOf(scene, "layout");
        QCOMPARE(readoutNumber(figure, "mixed_difference"), 0.0);
        QCOMPARE(readoutNumber(figure, "unpermuted_difference"), 0.0);
    }

    void othersSayWhatToChoose() {
        for (const char* encoding : {"none", "sinusoidal", "xpos", "alibi"}) {
            Scene scene;
            scene.encoding = encoding;
            QVERIFY(figureOf(scene, "layout").emptyState.find("Choose RoPE") != std::string::npos);
        }
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::LayoutFigureTest)
#include "layout_figure_test.moc"
