#include <QTest>

#include <cmath>

#include "tests/core/figure_test_parts.h"
#include "tests/core/golden.h"

namespace phaseladder::test {
namespace {

double at(const Figure& figure, const std::string& column, double offset) {
    const std::vector<double> offsets = columnOf(figure, "offset");
    const auto found = std::ranges::find(offsets, offset);
    return found == offsets.end()
               ? std::numeric_limits<double>::quiet_NaN()
               : columnOf(figure, column)[static_cast<std::size_t>(found - offsets.begin())];
}

}  // namespace

class SimilarityFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sinusoidalRowsGrowUnlikeAsComputedFromTheFormula() {
        Scene scene;
        scene.encoding = "sinusoidal";
        scene.headDim = 128;
        scene.length.target = 10000;
        const Figure figure = figureOf(scene, "similarity");
        const std::pair<double, double> expected[] = {{0, 1.0},     {1, 0.970},    {10, 0.669},
                                                      {100, 0.477}, {1000, 0.159}, {10000, -0.028}};
        for (const auto& [offset, similarity] : expected) {
            QVERIFY(std::abs(at(figure, "similarity", offset) - similarity) < 5e-4);
        }
        QCOMPARE(at(figure, "similarity", 0), 1.0);
    }

    void itIsTheProductOfThePublishedRows() {
        const nlohmann::json rows = tests::readGolden("golden.json")["sinusoidal"]["positions"];
        for (const auto& [name, spacing] :
             {std::pair("vaswani_interleaved", SinusoidalSpacing::paper),
              std::pair("tensor2tensor_fairseq", SinusoidalSpacing::tensor2tensor)}) {
            const std::vector<double> one = rows["1"][name];
            const std::vector<double> hundred = rows["100"][name];
            double product = 0.0;
            for (std::size_t column = 0; column < 8; ++column) {
                product += one[column] * hundred[column] / 4.0;
            }
            Scene scene;
            scene.encoding = "sinusoidal";
            scene.headDim = 8;
            scene.sinusoidal.spacing = spacing;
            QVERIFY(std::abs(at(figureOf(scene, "similarity"), "similarity", 99) - product) < 1e-12);
        }
    }

    void theMatrixHoldsTheCurve() {
        for (const char* encoding : {"sinusoidal", "rope", "xpos"}) {
            Scene scene;
            scene.encoding = encoding;
            scene.view.positions = 40;
            const Figure figure = figureOf(scene, "similarity");
            QCOMPARE(figure.matrix->rows, 40);
            QCOMPARE(figure.matrix->values[0], 1.0);
            QCOMPARE(figure.matrix->values[7], at(figure, "similarity", 7));
            QCOMPARE(figure.matrix->values[7 * 40], at(figure, "similarity", 7));
        }
    }

    void aSeededTableHasNoStructure() {
        Scene scene;
        scene.encoding = "learned";
        const Figure figure = figureOf(scene, "similarity");
        QVERIFY(std::abs(at(figure, "similarity", 0) - 1.0) < 1e-12);
        for (const double offset : {1.0, 2.0, 50.0, 300.0}) {
            QVERIFY(std::abs(at(figure, "similarity", offset)) < 0.05);
        }
    }

    void positionsPastATableAreUndefined() {
        Scene scene;
        scene.encoding = "learned";
        scene.learned.rows = 10;
        scene.view.positions = 12;
        const Figure figure = figureOf(scene, "similarity");
        const Heatmap map = layersOf<Heatmap>(figure.panels.back()).front();
        QCOMPARE(std::ranges::count(map.states, CellState::undefined), 144 - 100);
    }

    void scalingMovesTheCurveAlongTheOffsets() {
        Scene scene;
        scene.scaling.method = "linear";
        scene.scaling.factor = 4.0;
        const Figure figure = figureOf(scene, "similarity");
        QVERIFY(std::abs(at(figure, "similarity", 40) - at(figure, "base_similarity", 10)) < 1e-12);
    }

    void othersSayWhatToChoose() {
        for (const char* encoding : {"none", "relative_bias", "shaw", "t5", "alibi", "transformer_xl"}) {
            Scene scene;
            scene.encoding = encoding;
            QVERIFY(figureOf(scene, "similarity").emptyState.find("Choose") != std::string::npos);
        }
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::SimilarityFigureTest)
#include "similarity_figure_test.moc"
