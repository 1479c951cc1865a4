#include <QTest>

#include <cmath>

#include "core/encodings/encoding.h"
#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {
namespace {

Scene sceneOf(const std::string& encoding) {
    Scene scene;
    scene.encoding = encoding;
    scene.tokens = {"the", "dog", "bites", "the", "man"};
    scene.heads = 4;
    scene.head = 1;
    return scene;
}

double residualOf(const Scene& scene) {
    return readoutNumber(figureOf(scene, "translation"), "largest_residual");
}

double toleranceOf(const Scene& scene) {
    return findReadout(figureOf(scene, "translation"), "largest_residual")->tolerance.value();
}

}  // namespace

class TranslationFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatDependsOnTheOffsetAloneIsMovedWithoutAnyDifference() {
        for (const char* encoding : {"none", "relative_bias", "shaw", "t5", "alibi", "transformer_xl"}) {
            for (const std::int64_t shift : {1, 3, 1000, 1048576}) {
                Scene scene = sceneOf(encoding);
                scene.view.shift = shift;
                QVERIFY2(residualOf(scene) == 0.0, encoding);
            }
        }
    }

    void rotationsKeepTheirScoresToTwelveDigits() {
        for (const char* encoding : {"rope", "xpos"}) {
            for (const RopeLayout layout : {RopeLayout::half, RopeLayout::interleaved}) {
                for (const std::int64_t shift : {1, 3, 1000}) {
                    Scene scene = sceneOf(encoding);
                    scene.rope.layout = layout;
                    scene.view.shift = shift;
                    QVERIFY2(residualOf(scene) <= toleranceOf(scene), encoding);
                    QVERIFY2(residualOf(scene) > 0.0, encoding);
                }
            }
        }
    }

    void anImageMovesAlongAllOfItsAxes() {
        for (const RopeAxes axes : {RopeAxes::mrope, RopeAxes::mrope_interleaved, RopeAxes::vision_2d,
                                    RopeAxes::vision_2d_alternating}) {
            Scene scene = sceneOf("rope");
            scene.rope.axes = axes;
            scene.rope.gridStart = 1;
            scene.view.shift = 17;
            QVERIFY(residualOf(scene) <= toleranceOf(scene));
        }
    }

    void absoluteEncodingsChangeTheirScores() {
        for (const char* encoding : {"learned", "sinusoidal"}) {
            for (const AbsoluteJoin join : {AbsoluteJoin::add, AbsoluteJoin::concatenate}) {
                Scene scene = sceneOf(encoding);
                scene.join = join;
                const Figure figure = figureOf(scene, "translation");
                QVERIFY2(readoutNumber(figure, "largest_residual") > 1e-3, encoding);
                QCOMPARE(findReadout(figure, "verdict")->tone, Tone::warning);
            }
        }
    }

    void nothingMovesByAShiftOfZero() {
        for (const Encoding& encoding : encodings()) {
            Scene scene = sceneOf(encoding.id);
            scene.view.shift = 0;
            QCOMPARE(residualOf(scene), 0.0);
        }
    }

    void positionsPastALearnedTableAreUndefined() {
        Scene scene = sceneOf("learned");
        scene.tokens = {"dog", "bites", "man"};
        scene.learned.rows = 4;
        scene.view.shift = 3;
        const Figure figure = figureOf(scene, "translation");
        const Heatmap map = layersOf<Heatmap>(figure.panels.front()).front();
        QCOMPARE(std::ranges::count(map.states, CellState::undefined), 8);
        QCOMPARE(map.states.front(), CellState::shown);
        scene.view.shift = 4;
        QVERIFY(std::isnan(residualOf(scene)));
    }

    void theMapIsCentredAndHoldsTheDifferenceOfTheTwoLogits() {
        const Figure figure = figureOf(sceneOf("sinusoidal"), "translation");
        const Heatmap map = layersOf<Heatmap>(figure.panels.front()).front();
        QCOMPARE(map.map, ColorMapKind::diverging);
        QCOMPARE(map.low, -map.high);
        QCOMPARE(figure.matrix->rows, 5);
        const std::vector<double> values = columnOf(figure, "value");
        const std::vector<double> logits = columnOf(figure, "logit");
        const std::vector<double> moved = columnOf(figure, "moved_logit");
        QCOMPARE(values.size(), std::size_t{25});
        for (std::size_t cell = 0; cell < values.size(); ++cell) {
            QCOMPARE(values[cell], logits[cell] - moved[cell]);
            QCOMPARE(values[cell], figure.matrix->values[cell]);
        }
    }

    void aLongTextShowsItsBeginning() {
        Scene scene = sceneOf("rope");
        scene.textLength = 5000;
        QCOMPARE(figureOf(scene, "translation").matrix->rows, 256);
    }

    void aShiftWithTooManyRowsNamesTheLargest() {
        Scene scene = sceneOf("sinusoidal");
        scene.headDim = 1024;
        scene.view.shift = 1048576;
        const Figure figure = figureOf(scene, "translation");
        QVERIFY(figure.panels.empty());
        QVERIFY(figure.emptyState.find("Choose up to 16,379") != std::string::npos);
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::TranslationFigureTest)
#include "translation_figure_test.moc"
