#include "core/figures/pair_axes.h"

#include <cmath>
#include <numbers>

#include <QTest>

#include "core/attention/rotate.h"
#include "tests/core/figure_test_parts.h"
#include "tests/core/golden.h"

using nlohmann::json;
using phaseladder::tests::readGolden;

namespace phaseladder::test {
namespace {

Scene imageScene(RopeAxes axes, int headDim, double theta, std::int64_t rows, std::int64_t columns) {
    Scene scene;
    scene.headDim = headDim;
    scene.rope.theta = theta;
    scene.rope.axes = axes;
    scene.rope.gridRows = rows;
    scene.rope.gridColumns = columns;
    return scene;
}

bool isPhase(double phase, double angle) {
    return std::abs(std::remainder(phase - angle, 2.0 * std::numbers::pi)) < 1e-12;
}

/// The phase of a pair in each of the three figures, all of one token.
void compareAngle(Scene scene, std::int64_t token, std::size_t pair, double angle) {
    scene.view.start = token;
    scene.view.positions = 1;
    scene.view.position = token;
    const std::string name = std::to_string(pair);
    const Figure phases = figureOf(scene, "phases");
    QVERIFY2(isPhase(phases.matrix->values.at(pair), angle), name.c_str());
    const Figure clocks = figureOf(scene, "clocks");
    QVERIFY2(isPhase(columnOf(clocks, "scaled_angle").at(pair), angle), name.c_str());
    const Clock dial = layersOf<Clock>(clocks.panels.front()).at(pair);
    QVERIFY2(isPhase(dial.hands.back().angle, angle), name.c_str());
    const Figure tables = figureOf(scene, "encoding");
    const std::size_t pairs = phases.matrix->values.size();
    QVERIFY2(std::abs(tables.matrix->values.at(pair) - std::cos(angle)) < 1e-12, name.c_str());
    QVERIFY2(std::abs(tables.matrix->values.at(pairs + pair) - std::sin(angle)) < 1e-12, name.c_str());
}

/// The token of an M-RoPE image that stands at these places.
std::int64_t tokenAt(Scene& scene, const json& places) {
    scene.rope.gridStart = places.at(0).get<std::int64_t>();
    const std::int64_t row = places.at(1).get<std::int64_t>() - scene.rope.gridStart;
    const std::int64_t column = places.at(2).get<std::int64_t>() - scene.rope.gridStart;
    return scene.rope.gridStart + row * scene.rope.gridColumns + column;
}

}  // namespace

class PairAxesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void figuresShowThePublishedAnglesOfSections() {
        const json golden = readGolden("golden.json").at("mrope_chunked");
        Scene scene = imageScene(RopeAxes::mrope, 128, 1e6, 16, 16);
        scene.rope.sections = {16, 24, 24};
        const std::int64_t token = tokenAt(scene, golden.at("pos_thw"));
        for (const auto& [pair, angle] : golden.at("angle").items()) {
            compareAngle(scene, token, std::stoul(pair), angle.get<double>());
        }
    }

    void figuresShowThePublishedAnglesOfInterleavedSections() {
        const json golden = readGolden("golden.json").at("mrope_interleaved");
        Scene scene = imageScene(RopeAxes::mrope_interleaved, 128, 5e5, 16, 16);
        const std::int64_t token = tokenAt(scene, golden.at("pos_thw"));
        for (const auto& [pair, angle] : golden.at("angle").items()) {
            compareAngle(scene, token, std::stoul(pair), angle.get<double>());
        }
    }

    void figuresShowThePublishedAnglesOfVisionTowers() {
        const json halves = readGolden("golden.json").at("rope2d_qwen2vl_vision");
        const Scene inHalves = imageScene(RopeAxes::vision_2d, 80, 1e4, 8, 8);
        const auto place = [](const json& golden, const Scene& scene) {
            return golden.at("pos_hw").at(0).get<std::int64_t>() * scene.rope.gridColumns +
                   golden.at("pos_hw").at(1).get<std::int64_t>();
        };
        const std::int64_t token = place(halves, inHalves);
        compareAngle(inHalves, token, 0, halves.at("angle_pairs_first_half").front().get<double>());
        compareAngle(inHalves, token, 19, halves.at("angle_pairs_first_half").back().get<double>());
        compareAngle(inHalves, token, 20, halves.at("angle_pairs_second_half").front().get<double>());
        compareAngle(inHalves, token, 39, halves.at("angle_pairs_second_half").back().get<double>());

        const json pixtral = readGolden("golden.json").at("rope2d_pixtral");
        const Scene alternating = imageScene(RopeAxes::vision_2d_alternating, 64, 1e4, 8, 8);
        for (const auto& [name, pairs] :
             {std::pair("h_uses_even_pairs", std::vector<std::size_t>{0, 2, 30}),
              std::pair("w_uses_odd_pairs", std::vector<std::size_t>{1, 3, 31})}) {
            for (std::size_t index = 0; index < pairs.size(); ++index) {
                compareAngle(alternating, place(pixtral, alternating), pairs[index],
                             pixtral.at(name).at(index).get<double>());
            }
        }
    }

    void aSmallGridByHand() {
        // Two words, 2 × 3 patches, a word. d = 8, b = 10^4: ω = 1, 0.1, 0.01, 0.001; pairs 2 : 1 : 1.
        Scene scene = imageScene(RopeAxes::mrope, 8, 1e4, 2, 3);
        scene.rope.gridStart = 2;
        scene.rope.sections = {2, 1, 1};
        const double angles[9][4] = {{0, 0, 0, 0},          {1, 0.1, 0.01, 0.001}, {2, 0.2, 0.02, 0.002},
                                     {2, 0.2, 0.02, 0.003}, {2, 0.2, 0.02, 0.004}, {2, 0.2, 0.03, 0.002},
                                     {2, 0.2, 0.03, 0.003}, {2, 0.2, 0.03, 0.004}, {5, 0.5, 0.05, 0.005}};
        for (std::int64_t token = 0; token < 9; ++token) {
            for (std::size_t pair = 0; pair < 4; ++pair) {
                compareAngle(scene, token, pair, angles[token][pair]);
            }
        }
    }

    void figuresShowWhatAttentionDoes() {
        for (const RopeAxes axes : {RopeAxes::text, RopeAxes::mrope, RopeAxes::mrope_interleaved,
                                    RopeAxes::vision_2d, RopeAxes::vision_2d_alternating}) {
            Scene scene = imageScene(axes, 16, 1e4, 2, 3);
            scene.scaling.method = "linear";
            scene.view.positions = 12;
            const Figure tables = figureOf(scene, "encoding");
            const PairRotation rotation = *makePlan(scene, 12)->rotation;
            for (std::int64_t token = 0; token < 12; ++token) {
                const std::vector<CosSin> turned = anglesAt(rotation, token);
                for (std::size_t pair = 0; pair < 8; ++pair) {
                    const double* row = tables.matrix->values.data() + 16 * token;
                    QCOMPARE(row[pair], turned[pair].cosine);
                    QCOMPARE(row[8 + pair], turned[pair].sine);
                }
            }
        }
    }

    void theLadderMarksSectionsByRegions() {
        Scene scene = imageScene(RopeAxes::mrope, 128, 1e6, 2, 2);
        const Figure figure = figureOf(scene, "ladder");
        std::vector<std::string> names;
        for (const Band& band : layersOf<Band>(figure.panels.front())) {
            if (band.orientation == Orientation::vertical) {
                names.push_back(band.label);
                QCOMPARE(band.role, axisRole(names.size() - 1));
            }
        }
        QCOMPARE(names, (std::vector<std::string>{"time", "row", "column"}));
        QCOMPARE(std::get<std::string>(findReadout(figure, "axes")->value),
                 std::string("time 0–15 · row 16–39 · column 40–63"));
        const std::vector<double> axis = columnOf(figure, "axis");
        QCOMPARE(figure.table.back().name, std::string("axis"));
        QCOMPARE(axis.at(15), 0.0);
        QCOMPARE(axis.at(16), 1.0);
        QCOMPARE(axis.at(40), 2.0);
        QVERIFY(layersOf<Points>(figure.panels.front()).empty());
    }

    void theLadderMarksAxesThatTakeTurnsByPoints() {
        const Scene scene = imageScene(RopeAxes::vision_2d_alternating, 16, 1e4, 2, 2);
        const Figure figure = figureOf(scene, "ladder");
        const std::vector<Points> points = layersOf<Points>(figure.panels.front());
        QCOMPARE(points.size(), std::size_t{2});
        QCOMPARE(points[0].label, std::string("row"));
        QCOMPARE(points[0].x, (std::vector<double>{0, 2, 4, 6}));
        QCOMPARE(points[1].label, std::string("column"));
        QCOMPARE(points[1].x, (std::vector<double>{1, 3, 5, 7}));
        QVERIFY(points[1].role != points[0].role);
        QCOMPARE(columnOf(figure, "wavelength").at(3), points[1].y.at(1));
        QCOMPARE(std::get<std::string>(findReadout(figure, "axes")->value),
                 std::string("row 0, 2 … 6 · column 1, 3 … 7"));
    }

    void aTextHasNoMarksOfAxes() {
        const Figure ladder = figureOf(Scene(), "ladder");
        QVERIFY(columnOf(ladder, "axis").empty() && findReadout(ladder, "axes") == nullptr);
        const Figure phases = figureOf(Scene(), "phases");
        QCOMPARE(phases.panels.front().x.title, std::string("position (tokens)"));
        QVERIFY(phases.panels.front().title.empty());
    }

    void figuresSayWhichAxisTurnsWhat() {
        Scene scene = imageScene(RopeAxes::mrope, 16, 1e4, 2, 3);
        scene.rope.gridStart = 1;
        scene.view.position = 5;
        const Figure phases = figureOf(scene, "phases");
        QCOMPARE(phases.panels.front().x.title, std::string("token"));
        QVERIFY(phases.panels.front().title.find("turned by time 0–1 · row 2–4 · column 5–7") == 0);
        QVERIFY(phases.panels.back().y.labels.front().find("column") != std::string::npos);
        const Figure clocks = figureOf(scene, "clocks");
        QCOMPARE(clocks.panels.front().title,
                 std::string("Hands of token 5 (time 1, row 2, column 2), by pair"));
        const std::vector<Clock> dials = layersOf<Clock>(clocks.panels.front());
        QCOMPARE(dials.front().hands.back().label, std::string("time"));
        QCOMPARE(dials.back().hands.back().label, std::string("column"));
        QCOMPARE(columnOf(clocks, "place"), (std::vector<double>{1, 1, 2, 2, 2, 2, 2, 2}));
        for (const Figure* figure : {&phases, &clocks}) {
            for (const std::string& note : figure->notes) {
                QVERIFY2(note.find("one position for all pairs") == std::string::npos, note.c_str());
            }
        }
    }

    void cellsOfManyTokensHatchWhatTurnsTooFarOnItsOwnAxis() {
        // Columns 0 .. 3 only: three radians within a cell at most, while the fastest row pair turns on.
        Scene scene = imageScene(RopeAxes::vision_2d, 16, 1e4, 4096, 4);
        scene.view.positions = 16384;
        FigureRequest request;
        request.id = "phases";
        request.pixelColumns = 512;
        const Heatmap map = layersOf<Heatmap>(figureOf(scene, request).panels.front()).front();
        const auto stateOf = [&map](std::size_t pair) {
            return map.states.at(pair * static_cast<std::size_t>(map.columns));
        };
        QVERIFY(stateOf(0) == CellState::aliased);  // row: 8 rows a cell, 8 rad
        QVERIFY(stateOf(1) == CellState::shown);    // row: 0.8 rad
        QVERIFY(stateOf(4) == CellState::shown);    // column: 3 rad, below half a turn
    }
};

}  // namespace phaseladder::test

QTEST_GUILESS_MAIN(phaseladder::test::PairAxesTest)
#include "pair_axes_test.moc"
