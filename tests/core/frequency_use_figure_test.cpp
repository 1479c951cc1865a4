#include <QTest>

#include <cmath>
#include <numbers>
#include <numeric>

#include "core/attention/rotate.h"
#include "tests/core/figure_test_parts.h"
#include "tests/core/word_scene.h"

namespace phaseladder::test {
namespace {

Scene manyWords(int count) {
    Scene scene;
    scene.tokens = numberedWords(count);
    return scene;
}

/// Entry by entry, of rows that are turned to their positions first.
std::vector<double> plainNorms(const HeadRows& rows, const PairRotation& rotation) {
    const RowMatrix numbers = rows.matrix();
    const std::size_t pairs = rotation.turnsPerToken.size();
    std::vector<double> means(pairs, 0.0);
    for (Eigen::Index row = 0; row < numbers.rows(); ++row) {
        std::vector<double> turned(numbers.row(row).begin(), numbers.row(row).end());
        rotatePairs(turned, rotation, row);
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const bool isHalf = rotation.layout == RopeLayout::half;
            const double x = turned[isHalf ? pair : 2 * pair];
            const double y = turned[isHalf ? pair + pairs : 2 * pair + 1];
            means[pair] += std::sqrt(x * x + y * y) / static_cast<double>(numbers.rows());
        }
    }
    return means;
}

}  // namespace

class FrequencyUseFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Channels of a seeded query are sums of d products of normal numbers, of variance 1: the length of a
    /// pair is Rayleigh distributed, with mean √(π/2).
    void seededPairsHaveTheLengthOfTwoNormalNumbers() {
        Scene scene = manyWords(200);
        scene.heads = 4;
        const Figure figure = figureOf(scene, "frequency-use");
        for (const char* column : {"q_norm", "k_norm"}) {
            const std::vector<double> norms = columnOf(figure, column);
            QCOMPARE(norms.size(), std::size_t(4 * 32));
            const double mean =
                std::accumulate(norms.begin(), norms.end(), 0.0) / static_cast<double>(norms.size());
            QVERIFY2(std::abs(mean - std::sqrt(std::numbers::pi / 2.0)) < 0.02,
                     qPrintable(QString::number(mean)));
        }
    }

    void rotationDoesNotChangeTheLengthOfAPair() {
        for (const RopeLayout layout : {RopeLayout::half, RopeLayout::interleaved}) {
            Scene scene = manyWords(7);
            scene.heads = 2;
            scene.rope.layout = layout;
            scene.rope.partial = 0.5;
            scene.textLength = 5000;  // more than a block of rows
            const Figure figure = figureOf(scene, "frequency-use");
            const std::vector<double> queries = columnOf(figure, "q_norm"), keys = columnOf(figure, "k_norm");
            for (int head = 0; head < 2; ++head) {
                scene.head = head;
                const auto problem = makeProblem(scene, makePlan(scene, 5000).value());
                const std::vector<double> q = plainNorms(problem->queries, *problem->plan.rotation);
                const std::vector<double> k = plainNorms(problem->keys, *problem->plan.rotation);
                QCOMPARE(q.size(), std::size_t(16));
                for (std::size_t pair = 0; pair < 16; ++pair) {
                    const std::size_t at = 16 * static_cast<std::size_t>(head) + pair;
                    QVERIFY(isClose(queries.at(at), q[pair], 1e-11));
                    QVERIFY(isClose(keys.at(at), k[pair], 1e-11));
                }
            }
        }
    }

    /// 18 of 64 pairs of Llama-2 have a wavelength above its 4,096 tokens: published in YaRN, section 3.1.
    void pairsThatNeverTurnInTrainingAreMarked() {
        const Figure figure = figureOf(llama2At64k(), "frequency-use");
        const std::vector<Band> bands = layersOf<Band>(figure.panels.at(0));
        QCOMPARE(bands.size(), std::size_t(1));
        QCOMPARE(bands[0].from, 45.5);
        QCOMPARE(bands[0].to, 63.5);
        QCOMPARE(bands[0].role, Role::beyond);
        const std::vector<double> wavelengths = columnOf(figure, "wavelength");
        QVERIFY(wavelengths.at(45) < 4096.0 && wavelengths.at(46) > 4096.0);
        QVERIFY(figure.panels.at(0).x.asides.at(0).starts_with("wavelength 6.283"));
    }

    void mapsHoldEveryHeadAndAClickShowsOne() {
        Scene scene;
        scene.heads = 5;
        scene.head = 3;
        const Figure figure = figureOf(scene, "frequency-use");
        QCOMPARE(figure.panels.size(), std::size_t(3));
        for (std::size_t side = 0; side < 2; ++side) {
            const Panel& panel = figure.panels.at(1 + side);
            const Heatmap map = layersOf<Heatmap>(panel).at(0);
            QCOMPARE(map.values, columnOf(figure, side == 0 ? "q_norm" : "k_norm"));
            QCOMPARE(panel.y.meaning, AxisMeaning::head);
            QCOMPARE(panel.y.choice.parameterId, std::string("head"));
            QCOMPARE(panel.y.choice.valueAt(4.0), 4);
            QCOMPARE(panel.y.choice.at, std::optional(3.0));
            const Curve curve = layersOf<Curve>(figure.panels.at(0)).at(side);
            QVERIFY(std::ranges::equal(curve.y, std::span(map.values).subspan(3 * 32, 32)));
        }
    }

    void withoutRotationChannelsArePairedAndItIsSaid() {
        Scene scene;
        scene.encoding = "alibi";
        const Figure figure = figureOf(scene, "frequency-use");
        QCOMPARE(columnOf(figure, "pair").size(), std::size_t(32));
        QVERIFY(std::isnan(columnOf(figure, "wavelength").at(0)));
        QVERIFY(figure.panels.at(0).x.asides.empty());
        QVERIFY(std::ranges::any_of(figure.notes, [](const std::string& note) {
            return note == "Nothing rotates here: channels k and k + 32 count as pair k.";
        }));
    }

    /// Past the end of a learned table there is nothing to measure.
    void tokensWithoutACodeAreLeftOut() {
        Scene scene = manyWords(6);
        scene.encoding = "learned";
        scene.learned.rows = 4;
        Scene four = manyWords(4);
        four.encoding = "learned";
        four.learned.rows = 4;
        QCOMPARE(columnOf(figureOf(scene, "frequency-use"), "q_norm"),
                 columnOf(figureOf(four, "frequency-use"), "q_norm"));
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::FrequencyUseFigureTest)
#include "frequency_use_figure_test.moc"
