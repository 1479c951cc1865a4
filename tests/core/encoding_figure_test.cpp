#include <QTest>

#include <cmath>

#include "core/encodings/encoding.h"
#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {
namespace {

Scene sinusoidalScene(SinusoidalLayout layout, SinusoidalSpacing spacing) {
    Scene scene;
    scene.encoding = "sinusoidal";
    scene.headDim = 8;
    scene.sinusoidal = {layout, spacing};
    scene.view.positions = 16;
    return scene;
}

}  // namespace

class EncodingFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sinusoidalRowsAreThePublishedOnes() {
        const Matrix rows =
            *figureOf(sinusoidalScene(SinusoidalLayout::interleaved, SinusoidalSpacing::paper), "encoding")
                 .matrix;
        QCOMPARE(rows.rows, 16);
        QCOMPARE(rows.columns, 8);
        // Position 1: sin and cos of a pair share one frequency; d = 8, dimension 2 is sin(0.1).
        const double expected[] = {0.8414709848078965,    0.5403023058681398,   0.09983341664682815,
                                   0.9950041652780258,    0.009999833334166664, 0.9999500004166653,
                                   0.0009999998333333417, 0.9999995000000417};
        for (std::size_t column = 0; column < 8; ++column) {
            QVERIFY(isClose(rows.values[8 + column], expected[column], 1e-12));
        }
    }

    void theSlowestSpacingDiffersBetweenTheTwoRules() {
        const Matrix rows =
            *figureOf(sinusoidalScene(SinusoidalLayout::halves, SinusoidalSpacing::tensor2tensor), "encoding")
                 .matrix;
        QVERIFY(isClose(rows.values[8 + 3], std::sin(1e-4), 1e-12));
    }

    void sinusoidalMatrixIsWhatIsAddedToTheTokens() {
        for (const SinusoidalLayout layout : {SinusoidalLayout::interleaved, SinusoidalLayout::halves}) {
            for (const SinusoidalSpacing spacing :
                 {SinusoidalSpacing::paper, SinusoidalSpacing::tensor2tensor}) {
                const Scene scene = sinusoidalScene(layout, spacing);
                const Result<EncodingPlan> plan = findEncoding("sinusoidal")->plan(scene, 16);
                QVERIFY(plan.has_value());
                QCOMPARE(figureOf(scene, "encoding").matrix->values, plan->additiveRows);
            }
        }
    }

    void ropeShowsTheCosTableThenTheSinTable() {
        Scene scene = ropeScene(1e4, 2048, 8192);
        scene.view.start = 1000;
        scene.view.positions = 32;
        const Figure figure = figureOf(scene, "encoding");
        const Matrix& table = *figure.matrix;
        QCOMPARE(table.columns, 128);
        for (std::int64_t row = 0; row < 32; ++row) {
            for (std::int64_t pair = 0; pair < 64; ++pair) {
                const double angle =
                    static_cast<double>(1000 + row) * std::pow(1e4, -2.0 * static_cast<double>(pair) / 128.0);
                const auto cell = static_cast<std::size_t>(row * 128 + pair);
                QVERIFY(std::abs(table.values[cell] - std::cos(angle)) < 1e-11);
                QVERIFY(std::abs(table.values[cell + 64] - std::sin(angle)) < 1e-11);
            }
        }
        QCOMPARE(layersOf<Heatmap>(figure.panels.at(0)).at(0).rowStart, 999.5);
    }

    void columnsOfFastPairsAreHatchedWhenRowsSpanManyPositions() {
        Scene scene = ropeScene(1e4, 2048, 8192);
        scene.view.positions = 4096;
        FigureRequest request;
        request.id = "encoding";
        request.pixelRows = 256;
        const Figure figure = figureOf(scene, request);
        const Heatmap map = layersOf<Heatmap>(figure.panels.at(0)).at(0);
        QCOMPARE(map.rows, 256);
        QCOMPARE(map.states[0], CellState::aliased);
        QCOMPARE(map.states[64], CellState::aliased);
        QCOMPARE(map.states[63], CellState::shown);
        QCOMPARE(figure.warnings.size(), std::size_t{1});
    }

    void noPositionsIsAnEmptyState() {
        Scene scene;
        scene.encoding = "none";
        QVERIFY(!figureOf(scene, "encoding").emptyState.empty());
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::EncodingFigureTest)
#include "encoding_figure_test.moc"
