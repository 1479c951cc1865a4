#include "core/encodings/rope_axes.h"

#include <cmath>
#include <map>

#include <QTest>

#include "core/attention/rotate.h"
#include "core/ladder/scaling.h"
#include "tests/core/golden.h"

using nlohmann::json;
using phaseladder::axisOfPair;
using phaseladder::axisPositions;
using phaseladder::EncodingPlan;
using phaseladder::findEncoding;
using phaseladder::mropeSections;
using phaseladder::RopeAxes;
using phaseladder::Scene;
using phaseladder::sceneLadders;
using phaseladder::validate;
using phaseladder::tests::readGolden;

namespace {

Scene sceneOf(int headDim, double theta, RopeAxes axes) {
    Scene scene;
    scene.headDim = headDim;
    scene.rope.theta = theta;
    scene.rope.axes = axes;
    return scene;
}

/// Angle of a pair where the axes stand at these positions.
double angleOf(const Scene& scene, std::size_t pair, const json& positions) {
    const auto ladders = sceneLadders(scene).value();
    const auto axes = axisOfPair(scene, static_cast<int>(ladders.scaled.ladder.inverseFrequency.size()));
    const double position = positions.at(axes.at(pair)).get<double>();
    return position * static_cast<double>(ladders.scaled.ladder.inverseFrequency.at(pair));
}

void compareAngles(const Scene& scene, const json& golden) {
    for (const auto& [pair, angle] : golden.at("angle").items()) {
        const double expected = angle.get<double>();
        const double actual = angleOf(scene, std::stoul(pair), golden.at("pos_thw"));
        QVERIFY2(std::abs(actual - expected) <= 1e-12 * expected, qPrintable(QString::fromStdString(pair)));
    }
}

}  // namespace

class RopeAxesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sectionsInTurnAreQwen2Vls() {
        Scene scene = sceneOf(128, 1e6, RopeAxes::mrope);
        scene.rope.sections = {16, 24, 24};
        compareAngles(scene, readGolden("golden.json").at("mrope_chunked"));
        scene.rope.sections.clear();  // the published shares
        compareAngles(scene, readGolden("golden.json").at("mrope_chunked"));
    }

    void interleavedSectionsAreQwen3Vls() {
        const json golden = readGolden("golden.json").at("mrope_interleaved");
        Scene scene = sceneOf(128, 5e5, RopeAxes::mrope_interleaved);
        scene.rope.sections = {24, 20, 20};
        compareAngles(scene, golden);
        std::map<int, int> counts;
        for (const std::uint8_t axis : axisOfPair(scene, 64)) {
            ++counts[axis];
        }
        for (int axis = 0; axis < 3; ++axis) {
            QCOMPARE(counts[axis], golden.at("owner_counts").at(static_cast<std::size_t>(axis)).get<int>());
        }
        scene.rope.sections.clear();
        QCOMPARE(mropeSections(scene, 64), (std::vector<int>{24, 20, 20}));
    }

    void visionHalvesHaveALadderEach() {
        const json golden = readGolden("golden.json").at("rope2d_qwen2vl_vision");
        const Scene scene = sceneOf(80, 1e4, RopeAxes::vision_2d);
        const json& place = golden.at("pos_hw");
        const auto compare = [&](const char* name, std::size_t first, std::size_t last) {
            QVERIFY(std::abs(angleOf(scene, first, place) - golden.at(name).front().get<double>()) < 1e-12);
            const double slowest = golden.at(name).back();
            QVERIFY(std::abs(angleOf(scene, last, place) / slowest - 1.0) < 1e-12);
        };
        compare("angle_pairs_first_half", 0, 19);
        compare("angle_pairs_second_half", 20, 39);
    }

    void pixtralAlternatesOnOneLadder() {
        const json golden = readGolden("golden.json").at("rope2d_pixtral");
        const Scene scene = sceneOf(64, 1e4, RopeAxes::vision_2d_alternating);
        const json& place = golden.at("pos_hw");
        const std::vector<std::pair<const char*, std::vector<std::size_t>>> rows{
            {"h_uses_even_pairs", {0, 2, 30}}, {"w_uses_odd_pairs", {1, 3, 31}}};
        for (const auto& [name, pairs] : rows) {
            for (std::size_t index = 0; index < pairs.size(); ++index) {
                const double expected = golden.at(name).at(index);
                QVERIFY(std::abs(angleOf(scene, pairs[index], place) / expected - 1.0) < 1e-12);
            }
        }
    }

    void yarnAndSectionsBothApply() {
        // Case K01: the ladder is scaled, then its pairs are shared out.
        Scene scene = sceneOf(128, 1e6, RopeAxes::mrope);
        scene.rope.sections = {16, 24, 24};
        scene.scaling.method = "yarn";
        scene.scaling.originalLength = 32768;
        scene.length.target = 131072;
        const EncodingPlan plan = findEncoding("rope")->plan(scene, 3).value();
        Scene text = scene;
        text.rope.axes = RopeAxes::text;
        const EncodingPlan plain = findEncoding("rope")->plan(text, 3).value();
        QVERIFY(plan.rotation->turnsPerToken == plain.rotation->turnsPerToken);
        QCOMPARE(plan.rotation->attentionFactor, plain.rotation->attentionFactor);
        QCOMPARE(std::ranges::count(plan.rotation->axisOfPair, 1), std::ptrdiff_t{24});
    }

    void imageCountsRowsAndColumnsAndTextGoesOnPastTheLargest() {
        Scene scene = sceneOf(64, 1e4, RopeAxes::mrope);
        scene.rope.gridStart = 2;
        scene.rope.gridRows = 2;
        scene.rope.gridColumns = 3;
        const std::vector<std::int64_t> expected{0, 0, 0, 1, 1, 1,           // text
                                                 2, 2, 2, 2, 2, 3, 2, 2, 4,  // first row of patches
                                                 2, 3, 2, 2, 3, 3, 2, 3, 4,  // second
                                                 5, 5, 5, 6, 6, 6};          // text: one past the largest, 4
        QCOMPARE(axisPositions(scene, 10), expected);
    }

    void textWithoutAnImageTurnsAsRope() {
        Scene scene = sceneOf(64, 1e4, RopeAxes::mrope);
        scene.rope.gridRows = scene.rope.gridColumns = 1;
        const EncodingPlan plan = findEncoding("rope")->plan(scene, 9).value();
        for (std::int64_t position = 0; position < 9; ++position) {
            for (int axis = 0; axis < 3; ++axis) {
                QCOMPARE(plan.rotation->axisPositions.at(static_cast<std::size_t>(3 * position + axis)),
                         position);
            }
        }
    }

    void gridStandsInRowsAndColumns() {
        Scene scene = sceneOf(64, 1e4, RopeAxes::vision_2d);
        scene.rope.gridColumns = 3;
        QCOMPARE(axisPositions(scene, 5), (std::vector<std::int64_t>{0, 0, 0, 1, 0, 2, 1, 0, 1, 1}));
    }

    void sectionsThatDoNotFitAreRefused() {
        Scene scene = sceneOf(64, 1e4, RopeAxes::mrope);
        const auto refusal = [&](std::vector<double> sections) {
            scene.rope.sections = std::move(sections);
            const auto valid = validate(scene);
            return valid ? std::string() : valid.error().message;
        };
        QCOMPARE(refusal({8, 12, 12}), std::string());
        QVERIFY(refusal({16, 24, 24}).find("16 + 24 + 24 sum to 64; they must sum to the 32 pairs") !=
                std::string::npos);
        QVERIFY(refusal({16, 16}).find("needs 3 numbers") != std::string::npos);
        QVERIFY(refusal({8.5, 11.5, 12}).find("got 8.5") != std::string::npos);
        scene.rope.axes = RopeAxes::vision_2d;
        scene.headDim = 66;
        QVERIFY(refusal({}).find("multiple of 4 (got 66)") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(RopeAxesTest)
#include "rope_axes_test.moc"
