#include <QTest>

#include <cmath>
#include <numbers>

#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {
namespace {

constexpr double fullTurn = 2.0 * std::numbers::pi;

Scene shownFrom(Scene scene, std::int64_t start, std::int64_t positions) {
    scene.view.start = start;
    scene.view.positions = positions;
    return scene;
}

FigureRequest atPixels(int columns, int rows = 1024) {
    FigureRequest request;
    request.id = "phases";
    request.pixelColumns = columns;
    request.pixelRows = rows;
    return request;
}

/// Difference of two phases in (−π, π].
double phaseDifference(double left, double right) {
    return std::remainder(left - right, fullTurn);
}

}  // namespace

class PhasesFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linearFactorFourMakesPosition8192LookLike2048() {
        Scene scaled = ropeScene(1e4, 2048, 8192);
        scaled.scaling.method = "linear";
        scaled.scaling.factor = 4.0;
        const Matrix far = *figureOf(shownFrom(scaled, 8192, 1), "phases").matrix;
        const Matrix near = *figureOf(shownFrom(ropeScene(1e4, 2048, 8192), 2048, 1), "phases").matrix;
        QCOMPARE(far.rows, 64);
        for (std::size_t pair = 0; pair < 64; ++pair) {
            QVERIFY(std::abs(phaseDifference(far.values[pair], near.values[pair])) < 1e-9);
        }
    }

    void phasesAreExactFarAway() {
        for (const std::int64_t position :
             {std::int64_t{131071}, std::int64_t{1000000}, (std::int64_t{1} << 31) - 1}) {
            const Matrix phases =
                *figureOf(shownFrom(ropeScene(1e4, 2048, 8192), position, 1), "phases").matrix;
            for (std::size_t pair = 0; pair < 64; ++pair) {
                const long double frequency =
                    std::pow(10000.0L, -2.0L * static_cast<long double>(pair) / 128.0L);
                const long double angle = std::remainder(frequency * static_cast<long double>(position),
                                                         2.0L * std::numbers::pi_v<long double>);
                QVERIFY(std::abs(phaseDifference(phases.values[pair], static_cast<double>(angle))) < 1e-9);
            }
        }
    }

    void onePositionAColumnIsExact() {
        const Figure figure = figureOf(shownFrom(ropeScene(1e4, 2048, 8192), 0, 512), atPixels(1024));
        const Heatmap map = layersOf<Heatmap>(figure.panels.at(0)).at(0);
        QCOMPARE(map.columns, 512);
        QCOMPARE(map.columnStep, 1.0);
        QVERIFY(map.states.empty());
        QVERIFY(map.phaseTicks);
        QCOMPARE(map.map, ColorMapKind::cyclic);
        QCOMPARE(findReadout(figure, "resolution")->chip, std::string("exact"));
        QCOMPARE(findReadout(figure, "resolution")->tone, Tone::good);
        QVERIFY(figure.warnings.empty());
    }

    void pairsThatTurnMoreThanHalfATurnAColumnAreHatchedAndSaid() {
        const Figure figure = figureOf(shownFrom(ropeScene(1e4, 2048, 8192), 0, 8192), atPixels(1024));
        const Heatmap map = layersOf<Heatmap>(figure.panels.at(0)).at(0);
        QCOMPARE(map.columns, 1024);
        QCOMPARE(map.columnStep, 8.0);
        std::int64_t lastAliased = -1;
        for (std::int64_t pair = 0; pair < 64; ++pair) {
            const double turnsPerColumn =
                8.0 * std::pow(1e4, -2.0 * static_cast<double>(pair) / 128.0) / fullTurn;
            const CellState state = map.states[static_cast<std::size_t>(pair * map.columns)];
            QCOMPARE(state, turnsPerColumn > 0.5 ? CellState::aliased : CellState::shown);
            lastAliased = state == CellState::aliased ? pair : lastAliased;
        }
        const std::string which = "pairs 0–" + std::to_string(lastAliased);
        QCOMPARE(findReadout(figure, "resolution")->chip, which + " aliased");
        QCOMPARE(figure.warnings.size(), std::size_t{1});
        QVERIFY(figure.warnings.front().find(which) != std::string::npos);
    }

    void aColumnShowsItsFirstPosition() {
        const Scene scene = shownFrom(ropeScene(1e4, 2048, 8192), 100, 3000);
        const Figure pooled = figureOf(scene, atPixels(1000));
        const Figure full = figureOf(scene, atPixels(3000));
        const Matrix& few = *pooled.matrix;
        const Matrix& all = *full.matrix;
        QCOMPARE(few.columns, 1000);
        QCOMPARE(all.columns, 3000);
        for (std::int64_t pair = 0; pair < 64; ++pair) {
            for (std::int64_t column = 0; column < 1000; ++column) {
                QCOMPARE(few.values[static_cast<std::size_t>(pair * 1000 + column)],
                         all.values[static_cast<std::size_t>(pair * 3000 + 3 * column)]);
            }
        }
    }

    void wavesAreSinesOfThePhase() {
        const Figure figure = figureOf(shownFrom(ropeScene(1e4, 2048, 8192), 7, 256), atPixels(1024));
        const Panel& panel = figure.panels.at(1);
        const std::vector<Curve> curves = layersOf<Curve>(panel);
        QCOMPARE(curves.size(), std::size_t{8});
        QCOMPARE(panel.y.labels.size(), std::size_t{8});
        QCOMPARE(panel.y.labels.back(), std::string("pair 0"));
        QCOMPARE(panel.y.labels.front(), std::string("pair 63"));
        const Curve& fastest = curves.front();
        const double lane = 7.0;
        const double amplitude = 0.42;
        for (std::size_t point = 0; point < fastest.x.size(); ++point) {
            QVERIFY(std::abs(fastest.y[point] - lane - amplitude * std::sin(fastest.x[point])) < 1e-12);
        }
        QCOMPARE(fastest.x.front(), 7.0);
        QCOMPARE(fastest.x.back(), 262.0);
    }

    void aWaveTooDenseForALineIsAnEnvelopeAndSaid() {
        const Figure dense = figureOf(shownFrom(ropeScene(1e4, 2048, 8192), 0, 512), atPixels(1024));
        QCOMPARE(layersOf<Envelope>(dense.panels.at(1)).size(), std::size_t{1});
        QCOMPARE(dense.panels.at(1).title, std::string("sine of the phase (shaded: too dense)"));
        QCOMPARE(findReadout(dense, "resolution")->chip, std::string("exact"));
        const Figure aliased = figureOf(shownFrom(ropeScene(1e4, 2048, 8192), 0, 16384), atPixels(1024));
        QCOMPARE(aliased.panels.at(1).title, std::string("sine of the phase (shaded: too dense or aliased)"));
    }

    void aSmallPaneShowsFewerWaves() {
        const Figure figure = figureOf(shownFrom(ropeScene(1e4, 2048, 8192), 0, 512), atPixels(400, 200));
        QCOMPARE(figure.panels.at(1).y.labels.size(), std::size_t{4});
    }

    void noPositionsIsAnEmptyState() {
        Scene scene;
        scene.encoding = "none";
        QVERIFY(!figureOf(scene, "phases").emptyState.empty());
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::PhasesFigureTest)
#include "phases_figure_test.moc"
