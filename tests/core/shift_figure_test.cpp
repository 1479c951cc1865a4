#include <QTest>

#include <cmath>

#include "core/attention/shift_map.h"
#include "tests/core/figure_test_parts.h"
#include "tests/core/golden.h"

namespace phaseladder::test {
namespace {

struct Kind {
    const char* name;
    SinusoidalSettings settings;
};

constexpr Kind publishedKinds[] = {
    {"vaswani_interleaved", {SinusoidalLayout::interleaved, SinusoidalSpacing::paper}},
    {"marian_concatenated", {SinusoidalLayout::halves, SinusoidalSpacing::paper}},
    {"tensor2tensor_fairseq", {SinusoidalLayout::halves, SinusoidalSpacing::tensor2tensor}}};

const nlohmann::json& goldenRows() {
    static const nlohmann::json rows = tests::readGolden("golden.json")["sinusoidal"];
    return rows;
}

double largestDifference(const Eigen::VectorXd& value, const std::vector<double>& expected) {
    return (value - Eigen::Map<const Eigen::VectorXd>(expected.data(), value.size())).cwiseAbs().maxCoeff();
}

Eigen::VectorXd vectorOf(const std::vector<double>& numbers) {
    return Eigen::Map<const Eigen::VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

}  // namespace

class ShiftFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theMapTakesPublishedRowsToPublishedRows() {
        for (const Kind& kind : publishedKinds) {
            for (const auto& [from, to] :
                 {std::pair(0, 1), std::pair(1, 2), std::pair(0, 100), std::pair(2, 100)}) {
                Scene scene;
                scene.encoding = "sinusoidal";
                scene.headDim = 8;
                scene.sinusoidal = kind.settings;
                scene.view.shift = to - from;
                const Figure figure = figureOf(scene, "shift");
                const Eigen::Map<const RowMatrix> map(figure.matrix->values.data(), 8, 8);
                const std::vector<double> start = goldenRows()["positions"][std::to_string(from)][kind.name];
                const std::vector<double> end = goldenRows()["positions"][std::to_string(to)][kind.name];
                QVERIFY2(largestDifference(map * vectorOf(start), end) < 1e-12, kind.name);
            }
        }
    }

    void sinusoidalRowsHaveOneMapForAllPositions() {
        for (const Kind& kind : publishedKinds) {
            for (const std::int64_t shift : {1, 3, 1000, 1048576}) {
                Scene scene;
                scene.encoding = "sinusoidal";
                scene.sinusoidal = kind.settings;
                scene.view.shift = shift;
                scene.view.start = 100000;
                const Figure figure = figureOf(scene, "shift");
                QVERIFY(readoutNumber(figure, "largest_residual") <= 1e-12);
                QCOMPARE(findReadout(figure, "largest_residual")->tone, Tone::good);
            }
        }
    }

    void anOddWidthKeepsItsZeroColumnAndMissesItsLoneSine() {
        const RowMatrix zeroTail =
            sinusoidalShift({SinusoidalLayout::halves, SinusoidalSpacing::tensor2tensor}, 7, 1);
        const Eigen::VectorXd moved = zeroTail * vectorOf({0, 0, 0, 1, 1, 1, 0});
        QVERIFY(largestDifference(moved, goldenRows()["odd_d7_pos1"]["fairseq_zero_tail"]) < 1e-12);
        const RowMatrix lone =
            sinusoidalShift({SinusoidalLayout::interleaved, SinusoidalSpacing::paper}, 7, 1);
        std::vector<double> expected = goldenRows()["odd_d7_pos1"]["xlm_style_sin_ceil_cos_floor"];
        expected.back() = 0.0;  // sin(ω) needs the cosine that is not there
        QVERIFY(largestDifference(lone * vectorOf({0, 1, 0, 1, 0, 1, 0}), expected) < 1e-12);
    }

    void theRotationIsItsOwnMap() {
        for (const RopeLayout layout : {RopeLayout::half, RopeLayout::interleaved}) {
            Scene scene;
            scene.headDim = 8;
            scene.rope.layout = layout;
            scene.view.shift = 3;
            const Figure figure = figureOf(scene, "shift");
            QVERIFY(readoutNumber(figure, "largest_residual") <= 1e-12);
            const Eigen::Map<const RowMatrix> map(figure.matrix->values.data(), 8, 8);
            const nlohmann::json rotated = tests::readGolden("golden.json")["rotate_d8_pos3"];
            QVERIFY(largestDifference(map * vectorOf(rotated["x"]),
                                      rotated[layout == RopeLayout::half ? "half_split" : "interleaved"]) <
                    1e-12);
        }
    }

    void partialRotationLeavesTheOtherChannels() {
        Scene scene;
        scene.headDim = 8;
        scene.rope.partial = 0.5;
        const Figure figure = figureOf(scene, "shift");
        const Eigen::Map<const RowMatrix> map(figure.matrix->values.data(), 8, 8);
        QCOMPARE(RowMatrix(map.bottomRightCorner(4, 4)), RowMatrix(RowMatrix::Identity(4, 4)));
    }

    void aTableHasNoMapThatHoldsForOtherPositions() {
        Scene scene;
        scene.encoding = "learned";
        const Figure figure = figureOf(scene, "shift");
        QVERIFY(readoutNumber(figure, "largest_residual") > 0.1);
        QCOMPARE(findReadout(figure, "largest_residual")->tone, Tone::warning);
        scene.learned.rows = 64;
        const Figure small = figureOf(scene, "shift");
        QVERIFY(readoutNumber(small, "largest_residual") > 0.1);
        QVERIFY(readoutNumber(small, "largest_fitted_residual") < 1e-9);
    }

    void aFitFindsTheMapWhereThereIsOne() {
        const RowMatrix map = RowMatrix::Random(6, 6);
        const RowMatrix from = RowMatrix::Random(20, 6);
        QVERIFY((fittedMap(from, from * map.transpose()) - map).cwiseAbs().maxCoeff() < 1e-9);
    }

    void aShiftAsLongAsTheTableSaysWhatToDo() {
        Scene scene;
        scene.encoding = "learned";
        scene.view.shift = 512;
        QVERIFY(figureOf(scene, "shift").emptyState.find("smaller shift") != std::string::npos);
    }

    void othersSayWhatToChoose() {
        for (const char* encoding :
             {"none", "relative_bias", "shaw", "t5", "alibi", "transformer_xl", "xpos"}) {
            Scene scene;
            scene.encoding = encoding;
            QVERIFY(figureOf(scene, "shift").emptyState.find("Choose") != std::string::npos);
        }
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::ShiftFigureTest)
#include "shift_figure_test.moc"
