#include <QTest>

#include <cmath>

#include "core/figures/handle.h"
#include "tests/core/figure_test_parts.h"
#include "tests/core/golden.h"

namespace phaseladder::test {
namespace {

const nlohmann::json& golden() {
    static const nlohmann::json values = tests::readGolden("golden.json");
    return values;
}

Scene sceneOf(const std::string& encoding, int heads = 1) {
    Scene scene;
    scene.encoding = encoding;
    scene.heads = heads;
    return scene;
}

/// Value of a column at i - j.
double at(const Figure& figure, const std::string& column, double offset) {
    const std::vector<double> offsets = columnOf(figure, "offset");
    const auto found = std::ranges::find(offsets, offset);
    return found == offsets.end()
               ? std::numeric_limits<double>::quiet_NaN()
               : columnOf(figure, column)[static_cast<std::size_t>(found - offsets.begin())];
}

double cell(const Figure& figure, std::int64_t row, std::int64_t column) {
    return figure.matrix->values[static_cast<std::size_t>(row * figure.matrix->columns + column)];
}

double slopeOf(int heads, int head, AlibiSlopes rule = AlibiSlopes::common) {
    Scene scene = sceneOf("alibi", heads);
    scene.head = head;
    scene.alibiSlopes = rule;
    return readoutNumber(figureOf(scene, "relative-bias"), "slope");
}

bool hasNote(const Figure& figure, const std::string& part) {
    return std::ranges::any_of(figure.notes,
                               [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

class RelativeBiasFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void alibiSlopesAreThePublishedOnes() {
        for (const char* heads : {"6", "8", "12"}) {
            const std::vector<double> expected = golden()["alibi"][heads];
            for (int head = 0; head < std::stoi(heads); ++head) {
                QVERIFY(isClose(slopeOf(std::stoi(heads), head), expected[static_cast<std::size_t>(head)],
                                1e-14));
            }
        }
        QVERIFY(isClose(slopeOf(40, 32), 0.917004043, 1e-8));
        QVERIFY(isClose(slopeOf(40, 39), 0.272626933, 1e-8));
        QVERIFY(isClose(slopeOf(40, 0, AlibiSlopes::paper), 0.870550563, 1e-8));
        QVERIFY(isClose(slopeOf(40, 39, AlibiSlopes::paper), 0.00390625, 1e-14));
    }

    void theJumpOfTwelveHeadsIsDrawn() {
        const Figure figure = figureOf(sceneOf("alibi", 12), "relative-bias");
        const std::vector<Points> points = layersOf<Points>(figure.panels.back());
        QCOMPARE(points.size(), std::size_t{3});
        QCOMPARE(points[0].label, std::string("paper's ratio"));
        QVERIFY(isClose(points[0].y[8], 0.015625, 1e-14));
        QVERIFY(isClose(points[1].y[7], 1.0 / 256.0, 1e-14));
        QVERIFY(isClose(points[1].y[8], 0.7071067811865476, 1e-14));
    }

    void theRawMapShowsDistancesNotARow() {
        Scene scene = sceneOf("alibi", 8);
        scene.tokens = {"a", "b", "c", "d", "e"};
        const Figure figure = figureOf(scene, "relative-bias");
        for (std::int64_t row = 0; row < 5; ++row) {
            for (std::int64_t column = 0; column < 5; ++column) {
                QCOMPARE(cell(figure, row, column), -0.5 * std::abs(static_cast<double>(row - column)));
            }
        }
        QVERIFY(hasNote(figure, "m j"));
    }

    void t5BucketsAreThePublishedOnes() {
        Scene scene = sceneOf("t5");
        scene.textLength = 1001;
        const Figure both = figureOf(scene, "relative-bias");
        scene.causal = true;
        const Figure causal = figureOf(scene, "relative-bias");
        for (const auto& [distance, bucket] : golden()["t5"]["bidirectional_past"].items()) {
            QCOMPARE(at(both, "bucket", std::stod(distance)), bucket.get<double>());
        }
        for (const auto& [distance, bucket] : golden()["t5"]["bidirectional_future"].items()) {
            QCOMPARE(at(both, "bucket", -std::stod(distance)), bucket.get<double>());
        }
        for (const auto& [distance, bucket] : golden()["t5"]["causal_past"].items()) {
            QCOMPARE(at(causal, "bucket", std::stod(distance)), bucket.get<double>());
            QCOMPARE(at(causal, "bucket", -std::stod(distance)), 0.0);
        }
        QCOMPARE(readoutNumber(both, "first_saturated"), 91.0);
        QCOMPARE(readoutNumber(causal, "first_saturated"), 113.0);
    }

    void t5SaysThatCrossAttentionHasNoneAndWhereTheFutureGoes() {
        Scene scene = sceneOf("t5");
        QVERIFY(hasNote(figureOf(scene, "relative-bias"), "cross-attention has none"));
        QVERIFY(!hasNote(figureOf(scene, "relative-bias"), "bucket 0"));
        scene.causal = true;
        QVERIFY(hasNote(figureOf(scene, "relative-bias"), "every key after the query is in bucket 0"));
    }

    void distancesOfABucketShareTheirBias() {
        const Figure figure = figureOf(sceneOf("t5", 3), "relative-bias");
        for (const char* column : {"head_0", "head_1", "head_2"}) {
            QCOMPARE(at(figure, column, 91), at(figure, column, 150));
            QVERIFY(at(figure, column, 7) != at(figure, column, 8));
            QCOMPARE(at(figure, column, 8), at(figure, column, 11));
            QVERIFY(at(figure, column, 1) != at(figure, column, -1));
        }
    }

    void everyEntryOfTheShownTableIsAHandle() {
        Scene scene = sceneOf("relative_bias", 2);
        scene.relativeBias.clip = 1;
        scene.relativeBias.values = {1, 2, 3, 10, 20, 30};
        scene.head = 1;
        const Figure figure = figureOf(scene, "relative-bias");
        const std::vector<Handle> handles = layersOf<Handle>(figure.panels[1]);
        QCOMPARE(handles.size(), std::size_t{3});
        QCOMPARE(handles[0].x, -1.0);
        QCOMPARE(handles[0].y, 10.0);
        // i - j = 1: the query one place after the key.
        QCOMPARE(cell(figure, 1, 0), 30.0);
        QCOMPARE(cell(figure, 0, 1), 10.0);
        QCOMPARE(handleValue(scene, handles[2], 1.0, 7.0), (std::vector<double>{1, 2, 3, 10, 20, 7}));
        scene.relativeBias.values.clear();
        const Handle seeded = layersOf<Handle>(figureOf(scene, "relative-bias").panels[1])[1];
        const std::vector<double> drawn = handleValue(scene, seeded, 0.0, 5.0);
        QCOMPARE(drawn.size(), std::size_t{6});
        QCOMPARE(drawn[4], 5.0);
    }

    void aSharedTableIsOneCurve() {
        Scene scene = sceneOf("relative_bias", 4);
        scene.relativeBias.shared = true;
        scene.head = 3;
        const Figure figure = figureOf(scene, "relative-bias");
        QCOMPARE(layersOf<Curve>(figure.panels[1]).size(), std::size_t{1});
    }

    void atMostEightHeadsAreDrawnAndTheShownOneIsAmongThem() {
        Scene scene = sceneOf("alibi", 32);
        scene.head = 5;
        const Figure figure = figureOf(scene, "relative-bias");
        const std::vector<Curve> curves = layersOf<Curve>(figure.panels[1]);
        QCOMPARE(curves.size(), std::size_t{8});
        QCOMPARE(curves.back().label, std::string("head 5"));
        QCOMPARE(curves.back().role, Role::live);
        QCOMPARE(std::ranges::count(curves, Role::live, &Curve::role), 1);
    }

    void shawAndTransformerXlFollowTheQuery() {
        for (const char* encoding : {"shaw", "transformer_xl"}) {
            Scene scene = sceneOf(encoding);
            const Figure figure = figureOf(scene, "relative-bias");
            const char* column = scene.encoding == "shaw" ? "head_0" : "sum";
            // The chosen query is "man", the last of three tokens.
            QVERIFY(isClose(at(figure, column, 0), cell(figure, 2, 2), 1e-12));
            QVERIFY(isClose(at(figure, column, 2), cell(figure, 2, 0), 1e-12));
            scene.view.token = 0;
            QVERIFY(at(figureOf(scene, "relative-bias"), column, 1) != at(figure, column, 1));
        }
    }

    void theTermsOfTransformerXlSum() {
        const Figure figure = figureOf(sceneOf("transformer_xl"), "relative-bias");
        for (const double offset : {-5.0, 0.0, 12.0}) {
            QVERIFY(std::abs(at(figure, "query_term", offset) + at(figure, "position_term", offset) -
                             at(figure, "sum", offset)) < 1e-12);
        }
    }

    void gainsOfXposAreThePublishedOnes() {
        Scene scene = sceneOf("xpos");
        scene.headDim = 8;
        const Figure figure = figureOf(scene, "relative-bias");
        const std::vector<double> expected = golden()["xpos_d8"]["score_gain_per_pair_distance_2"];
        for (std::size_t pair = 0; pair < 4; ++pair) {
            QVERIFY(isClose(at(figure, "pair_" + std::to_string(pair), 2), expected[pair], 1e-12));
        }
    }

    void encodingsWithoutABiasSayWhatToChoose() {
        for (const char* encoding : {"none", "rope", "sinusoidal", "learned"}) {
            const Figure figure = figureOf(sceneOf(encoding), "relative-bias");
            QVERIFY(figure.panels.empty());
            QVERIFY(figure.emptyState.find("Choose") != std::string::npos);
        }
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::RelativeBiasFigureTest)
#include "relative_bias_figure_test.moc"
