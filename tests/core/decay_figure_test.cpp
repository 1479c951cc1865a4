#include <QTest>

#include <cmath>

#include "core/figures/distance_curve.h"
#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {
namespace {

/// Value of a column in the row of a distance; NaN where the distance is not there.
double at(const Figure& figure, const std::string& column, double distance) {
    const std::vector<double> distances = columnOf(figure, "distance");
    const std::vector<double> values = columnOf(figure, column);
    const auto found = std::ranges::find(distances, distance);
    return found == distances.end() ? std::numeric_limits<double>::quiet_NaN()
                                    : values[static_cast<std::size_t>(found - distances.begin())];
}

Scene onesScene(double theta, std::int64_t target) {
    return ropeScene(theta, 2048, target);
}

bool isNear(double value, double expected, double tolerance) {
    return std::abs(value - expected) <= tolerance;
}

}  // namespace

class DecayFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allOnesDecayAsComputedFromTheFormula() {
        const Figure figure = figureOf(onesScene(1e4, 30000), "decay");
        QVERIFY(isNear(at(figure, "score", 0), 11.314, 1e-3));
        QVERIFY(isNear(at(figure, "score", 1000), 1.80, 0.005));
        QVERIFY(isNear(at(figure, "score", 5000), -0.08, 0.005));
        QVERIFY(isNear(at(figure, "score", 30000), -1.06, 0.005));
    }

    void scalingsDecayAsComputedFromTheFormula() {
        Scene linear = onesScene(1e4, 30000);
        linear.scaling.method = "linear";
        linear.scaling.factor = 8.0;
        const Figure scaled = figureOf(linear, "decay");
        QVERIFY(isNear(at(scaled, "score", 1000), 4.72, 0.005));
        QVERIFY(isNear(at(scaled, "score", 5000), 1.19, 0.005));
        QVERIFY(isNear(at(scaled, "score", 30000), 0.44, 0.005));
        QVERIFY(isNear(at(scaled, "base_score", 1000), 1.80, 0.005));
        const Figure base = figureOf(onesScene(5e5, 30000), "decay");
        QVERIFY(isNear(at(base, "score", 1000), 5.57, 0.005));
        QVERIFY(isNear(at(base, "score", 5000), 3.32, 0.005));
        QVERIFY(isNear(at(base, "score", 30000), 0.37, 0.005));
    }

    void theBoundIsThePublishedOne() {
        const Figure figure = figureOf(onesScene(1e4, 256), "decay");
        QVERIFY(isNear(at(figure, "bound", 0), 32.5, 1e-12));
        QVERIFY(isNear(at(figure, "bound", 50), 12.6, 0.05));
        QVERIFY(isNear(at(figure, "bound", 100), 10.2, 0.05));
        QVERIFY(isNear(at(figure, "bound", 250), 6.55, 0.005));
    }

    void alibiFallsByItsSlope() {
        Scene scene;
        scene.encoding = "alibi";
        scene.heads = 8;
        scene.length.target = 100;
        // 64 ones over √64, less half a token's distance.
        const Figure figure = figureOf(scene, "decay");
        QCOMPARE(at(figure, "score", 0), 8.0);
        QCOMPARE(at(figure, "score", 10), 3.0);
        QCOMPARE(at(figure, "score", 100), -42.0);
    }

    void aTableTellsNothingBeyondItsClip() {
        for (const char* encoding : {"relative_bias", "shaw"}) {
            Scene scene;
            scene.encoding = encoding;
            const Figure figure = figureOf(scene, "decay");
            for (const char* column : {"score", "future_score"}) {
                QVERIFY(at(figure, column, 3) != at(figure, column, 4));
                QCOMPARE(at(figure, column, 4), at(figure, column, 400));
            }
            QCOMPARE(at(figure, "score", 0), at(figure, "future_score", 0));
        }
    }

    void xposDampsWhatRopeLeaves() {
        Scene scene = onesScene(1e4, 4096);
        scene.encoding = "xpos";
        scene.headDim = 8;
        // Σ_k 2 ζ_k^(m/512) cos(m ω_k) / √8 with ζ of d = 8.
        const double zeta[] = {0.28571428571428575, 0.46428571428571436, 0.6428571428571429,
                               0.8214285714285714};
        double expected = 0.0;
        for (int pair = 0; pair < 4; ++pair) {
            expected += 2.0 * std::pow(zeta[pair], 100.0 / 512.0) * std::cos(100.0 * std::pow(10.0, -pair)) /
                        std::sqrt(8.0);
        }
        QVERIFY(isClose(at(figureOf(scene, "decay"), "score", 100), expected, 1e-12));
    }

    void absoluteScoresDependOnTheQuerysPlace() {
        for (const char* encoding : {"learned", "sinusoidal"}) {
            Scene scene;
            scene.encoding = encoding;
            scene.length.target = 300;
            const Figure figure = figureOf(scene, "decay");
            QVERIFY(std::abs(at(figure, "score", 5) - at(figure, "score_from_64", 5)) > 1e-3);
        }
        Scene scene;
        scene.encoding = "learned";
        scene.learned.rows = 100;
        scene.length.target = 200;
        const Figure figure = figureOf(scene, "decay");
        QVERIFY(std::isfinite(at(figure, "score", 99)));
        QVERIFY(std::isnan(at(figure, "score", 100)));
        QVERIFY(std::isnan(at(figure, "score_from_64", 36)));
    }

    void axesHaveACurveEach() {
        Scene scene;
        scene.rope.axes = RopeAxes::vision_2d;
        const Figure figure = figureOf(scene, "decay");
        // All ones: (Σ over the row's pairs + Σ over the column's) is what both together give, less the
        // pairs that do not turn.
        const double both = at(figure, "score", 7);
        const double row = at(figure, "row_score", 7);
        const double column = at(figure, "column_score", 7);
        QVERIFY(isClose(row + column - 8.0, both, 1e-12));
    }

    void aCurveDenserThanThePixelsIsARange() {
        FigureRequest request;
        request.id = "decay";
        request.pixelColumns = 600;
        const Figure figure = figureOf(onesScene(1e4, 131072), request);
        const Panel& panel = figure.panels.front();
        QCOMPARE(layersOf<Envelope>(panel).size(), std::size_t{1});
        QCOMPARE(layersOf<Curve>(panel).size(), std::size_t{1});
        QVERIFY(layersOf<Curve>(panel).front().x.size() < 300);
        QVERIFY(std::ranges::any_of(figure.notes, [](const std::string& note) {
            return note.find("denser than the pixels") != std::string::npos;
        }));
        QCOMPARE(panel.x.scale, AxisScale::log10);
    }

    void everyDistanceOfALineIsComputedAndBinsHoldTheirNeighbours() {
        FigureRequest request;
        for (const std::int64_t last : {1, 2, 63, 512, 513, 8192, 1048576}) {
            const DistanceSamples samples = distanceSamples(last, last, request);
            QCOMPARE(samples.distances.front(), 0);
            QCOMPARE(samples.distances.back(), last);
            QVERIFY(std::ranges::adjacent_find(samples.distances, std::greater_equal<>()) ==
                    samples.distances.end());
            for (std::int64_t distance = 0; distance <= std::min(samples.denseFrom, last); ++distance) {
                QCOMPARE(samples.distances[static_cast<std::size_t>(distance)], distance);
            }
            if (samples.isDense()) {
                QCOMPARE(samples.binEdges.front(), samples.denseFrom);
                QCOMPARE(samples.binEdges.back(), last + 1);
                QVERIFY(std::ranges::adjacent_find(samples.binEdges, std::greater_equal<>()) ==
                        samples.binEdges.end());
            }
        }
    }

    void contentOfTheSceneNeedsTokens() {
        Scene scene;
        scene.tokens.clear();
        QVERIFY(!figureOf(scene, "decay").panels.empty());
        scene.view.decayContent = DecayContent::scene;
        QVERIFY(!figureOf(scene, "decay").emptyState.empty());
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::DecayFigureTest)
#include "decay_figure_test.moc"
