#include <algorithm>

#include <QTest>

#include "core/encodings/encoding.h"
#include "core/encodings/sinusoidal.h"
#include "core/ladder/scaling.h"
#include "core/phase/phase_turns.h"
#include "tests/core/golden.h"

using nlohmann::json;
using phaseladder::EncodingPlan;
using phaseladder::encodings;
using phaseladder::findEncoding;
using phaseladder::RopeLayout;
using phaseladder::Scene;
using phaseladder::sceneLadders;
using phaseladder::SinusoidalLayout;
using phaseladder::sinusoidalRows;
using phaseladder::SinusoidalSettings;
using phaseladder::SinusoidalSpacing;
using phaseladder::tests::readGolden;

namespace {

constexpr SinusoidalSettings vaswani{SinusoidalLayout::interleaved, SinusoidalSpacing::paper};
constexpr SinusoidalSettings marian{SinusoidalLayout::halves, SinusoidalSpacing::paper};
constexpr SinusoidalSettings tensor2tensor{SinusoidalLayout::halves, SinusoidalSpacing::tensor2tensor};

void compareRow(const std::vector<double>& row, const json& expected) {
    QCOMPARE(row.size(), expected.size());
    for (std::size_t column = 0; column < row.size(); ++column) {
        QVERIFY2(std::abs(row[column] - expected.at(column).get<double>()) <= 1e-14,
                 qPrintable(QStringLiteral("column %1: %2").arg(column).arg(row[column], 0, 'g', 17)));
    }
}

EncodingPlan planOf(const Scene& scene, std::int64_t tokens) {
    return findEncoding(scene.encoding)->plan(scene, tokens).value();
}

}  // namespace

class EncodingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void registryIsInOrderAndDescribed() {
        std::vector<std::string> ids;
        for (const auto& encoding : encodings()) {
            ids.push_back(encoding.id);
            QVERIFY(!encoding.label.empty() && !encoding.help.empty() && !encoding.formula.empty() &&
                    !encoding.limits.empty() && !encoding.source.empty() &&
                    !encoding.numbers(Scene{}).empty());
        }
        QVERIFY((ids == std::vector<std::string>{"none", "learned", "sinusoidal", "relative_bias", "shaw",
                                                 "t5", "alibi", "transformer_xl", "rope", "xpos"}));
        QVERIFY(findEncoding("spiral") == nullptr);
    }

    void noneSaysNothing() {
        Scene scene;
        scene.encoding = "none";
        scene.scaling.method = "yarn";
        scene.scaling.softmaxMultiplier = 2.0;
        const EncodingPlan plan = planOf(scene, 5);
        QVERIFY(plan.additiveRows.empty() && !plan.rotation);
        QVERIFY(plan.scaleByRootWidth);
        QCOMPARE(plan.softmaxMultiplier, 1.0);
    }

    void sinusoidalRowsAreThePublishedOnes() {
        const json golden = readGolden("golden.json").at("sinusoidal");
        for (const auto& [position, rows] : golden.at("positions").items()) {
            const std::int64_t first = std::stol(position);
            compareRow(sinusoidalRows(vaswani, 8, first, 1), rows.at("vaswani_interleaved"));
            compareRow(sinusoidalRows(marian, 8, first, 1), rows.at("marian_concatenated"));
            compareRow(sinusoidalRows(tensor2tensor, 8, first, 1), rows.at("tensor2tensor_fairseq"));
        }
        const json& odd = golden.at("odd_d7_pos1");
        compareRow(sinusoidalRows(vaswani, 7, 1, 1), odd.at("xlm_style_sin_ceil_cos_floor"));
        compareRow(sinusoidalRows(tensor2tensor, 7, 1, 1), odd.at("fairseq_zero_tail"));
    }

    void sineAndCosineOfAPairShareOneFrequency() {
        // Cases I02 and I03: column j uses 2 floor(j/2)/d, so dimension 2 of position 1 is sin(0.1).
        const std::vector<double> row = sinusoidalRows(vaswani, 8, 1, 1);
        QVERIFY(std::abs(row[2] - 0.099833417) < 5e-10);
        for (std::size_t pair = 0; pair < 4; ++pair) {
            QVERIFY(std::abs(std::hypot(row[2 * pair], row[2 * pair + 1]) - 1.0) < 1e-15);
        }
    }

    void spacingsEndAtDifferentTimescales() {
        // Case I01, d = 8, pair 3: 1e-3 with 2k/d, 1e-4 with k/(d/2 - 1).
        QVERIFY(std::abs(std::asin(sinusoidalRows(marian, 8, 1, 1)[3]) - 1e-3) < 1e-15);
        QVERIFY(std::abs(std::asin(sinusoidalRows(tensor2tensor, 8, 1, 1)[3]) - 1e-4) < 1e-15);
    }

    void layoutsHoldTheSameNumbers() {
        for (const auto spacing : {SinusoidalSpacing::paper, SinusoidalSpacing::tensor2tensor}) {
            const auto mixed = sinusoidalRows({SinusoidalLayout::interleaved, spacing}, 10, 77, 1);
            const auto halves = sinusoidalRows({SinusoidalLayout::halves, spacing}, 10, 77, 1);
            for (std::size_t pair = 0; pair < 5; ++pair) {
                QVERIFY(mixed[2 * pair] == halves[pair] && mixed[2 * pair + 1] == halves[5 + pair]);
            }
        }
    }

    void everyWidthIsFinite() {
        for (const auto layout : {SinusoidalLayout::interleaved, SinusoidalLayout::halves}) {
            for (const auto spacing : {SinusoidalSpacing::paper, SinusoidalSpacing::tensor2tensor}) {
                for (int width = 1; width <= 9; ++width) {
                    const auto rows = sinusoidalRows({layout, spacing}, width, 1, 3);
                    QCOMPARE(rows.size(), static_cast<std::size_t>(3 * width));
                    QVERIFY(std::ranges::all_of(rows, [](double value) { return std::abs(value) <= 1.0; }));
                }
            }
        }
        // tensor2tensor's own guard at width 2: one pair with frequency 1.
        QVERIFY(std::abs(sinusoidalRows(tensor2tensor, 2, 1, 1)[0] - std::sin(1.0)) < 1e-15);
    }

    void similarityDependsOnTheOffsetOnly() {
        // figures.md, similarity: d = 128, PE(i)·PE(j) over d/2.
        const auto rows = [](std::int64_t position) { return sinusoidalRows(vaswani, 128, position, 1); };
        const auto similarity = [&](std::int64_t i, std::int64_t j) {
            const auto first = rows(i), second = rows(j);
            double sum = 0.0;
            for (std::size_t column = 0; column < first.size(); ++column) {
                sum += first[column] * second[column];
            }
            return sum / 64.0;
        };
        for (const auto& [offset, expected] :
             {std::pair{0, 1.0}, {1, 0.970}, {10, 0.669}, {100, 0.477}, {1000, 0.159}, {10000, -0.028}}) {
            QVERIFY(std::abs(similarity(0, offset) - expected) < 5e-4);
            QVERIFY(std::abs(similarity(123456, 123456 + offset) - similarity(0, offset)) < 1e-11);
        }
    }

    void ropePlanIsTheScaledLadder() {
        Scene scene;
        scene.headDim = 128;
        scene.rope.partial = 0.5;
        scene.rope.layout = RopeLayout::interleaved;
        scene.scaling.method = "yarn";
        const EncodingPlan plan = planOf(scene, 9);
        const auto ladders = sceneLadders(scene);
        QVERIFY(plan.rotation.has_value() && plan.additiveRows.empty());
        QVERIFY(plan.rotation->turnsPerToken == phaseTurns(ladders->scaled.ladder));
        QCOMPARE(plan.rotation->rotaryDim, 64);
        QVERIFY(plan.rotation->layout == RopeLayout::interleaved);
        QCOMPARE(plan.rotation->attentionFactor, 0.1 * std::log(4.0) + 1.0);
    }

    void deepSeekPutsItsTemperatureOnTheSoftmax() {
        const json row = readGolden("golden.json").at("rope").at("yarn_deepseek_v3_d64");
        Scene scene;
        scene.scaling.method = "yarn";
        scene.scaling.factor = 40.0;
        scene.scaling.mscale = scene.scaling.mscaleAllDim = 1.0;
        scene.scaling.softmaxMultiplier = row.at("softmax_multiplier");
        const EncodingPlan plan = planOf(scene, 3);
        QCOMPARE(plan.rotation->attentionFactor, 1.0);
        QVERIFY(plan.softmaxMultiplier == row.at("softmax_multiplier").get<double>());
        scene.scaling.method = "none";
        QCOMPARE(planOf(scene, 3).softmaxMultiplier, 1.0);
    }

    void planOfAnImpossibleLadderIsRefused() {
        Scene scene;
        scene.rope.theta = 0.0;
        QVERIFY(!findEncoding("rope")->plan(scene, 3).has_value());
    }
};

QTEST_GUILESS_MAIN(EncodingsTest)
#include "encodings_test.moc"
