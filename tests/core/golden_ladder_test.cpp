#include <algorithm>

#include <QTest>

#include "core/ladder/scaling.h"
#include "tests/core/golden.h"

using nlohmann::json;
using phaseladder::Ladder;
using phaseladder::LongRopeList;
using phaseladder::plainLadder;
using phaseladder::Scene;
using phaseladder::SceneLadders;
using phaseladder::sceneLadders;
using phaseladder::wavelengthTokens;
using phaseladder::YarnRamp;
using phaseladder::tests::isRelativelyClose;
using phaseladder::tests::readGolden;

namespace {

constexpr double ladderTolerance = 1e-12;
constexpr double attentionFactorTolerance = 1e-9;

bool startsWith(const std::string& text, std::string_view beginning) {
    return text.starts_with(beginning);
}

/// Fields that several kinds of rows have.
Scene plainScene(const json& params) {
    Scene scene;
    scene.headDim = params.value("head_dim", params.value("dim", 0));
    scene.rope.dim = params.value("rotary_dim", 0);
    scene.rope.theta = params.value("base", 0.0);
    scene.scaling.factor = params.value("factor", 1.0);
    scene.scaling.originalLength = params.value("original", 0);
    return scene;
}

void setYarn(Scene& scene, const std::string& name, const json& params) {
    scene.scaling.method = "yarn";
    scene.scaling.betaFast = params.at("beta_fast");
    scene.scaling.betaSlow = params.at("beta_slow");
    scene.scaling.truncate = params.at("truncate");
    // What these models' files state beside the params (numerics.md, section 5.4).
    if (startsWith(name, "yarn_deepseek_v2")) {
        scene.scaling.mscale = scene.scaling.mscaleAllDim = 0.707;
    } else if (startsWith(name, "yarn_deepseek_v3") || startsWith(name, "yarn_kimi") ||
               startsWith(name, "yarn_ministral3")) {
        scene.scaling.mscale = scene.scaling.mscaleAllDim = 1.0;
    }
}

void setLongRope(Scene& scene, const std::string& name, const json& params) {
    scene.scaling.method = "longrope";
    scene.length.target = params.at("max");
    scene.scaling.factor =
        static_cast<double>(scene.length.target) / static_cast<double>(scene.scaling.originalLength);
    if (params.contains("long_factor")) {
        scene.scaling.longFactors = params.at("long_factor").get<std::vector<double>>();
        return;
    }
    const bool isPhi35 = startsWith(name, "longrope_phi-3.5-mini");
    const json lists = readGolden("longrope_factors.json").at(isPhi35 ? "phi-3.5-mini" : "phi-4-mini");
    scene.scaling.shortFactors = lists.at("short").get<std::vector<double>>();
    scene.scaling.longFactors = lists.at("long").get<std::vector<double>>();
    if (params.at("factors") == "short") {
        scene.scaling.longRopeList = LongRopeList::always_short;
    }
}

/// The scene that a row of golden.json's "rope" describes by its params or, without params, by its note.
Scene sceneOf(const std::string& name, const json& params) {
    Scene scene = plainScene(params);
    if (startsWith(name, "linear_")) {
        scene.scaling.method = "linear";
    } else if (startsWith(name, "ntk_")) {
        scene.scaling.method = "ntk";
    } else if (startsWith(name, "dynamic_")) {
        scene.scaling.method = "dynamic_ntk";
        scene.length = {.trained = params.at("L"), .target = params.at("seq")};
    } else if (name == "static_dynamic_vllm_before_41277") {  // InternLM 2.5 with a constant multiplier of 3
        scene.headDim = 128;
        scene.rope.theta = 1e6;
        scene.scaling.method = "ntk";
        scene.scaling.factor = 3.0;
    } else if (name == "yarn_llama2_64k_paper_ramp") {
        scene.headDim = 128;
        scene.rope.theta = 1e4;
        scene.scaling.method = "yarn";
        scene.scaling.factor = 16.0;
        scene.scaling.originalLength = 4096;
        scene.scaling.ramp = YarnRamp::paper;
    } else if (startsWith(name, "yarn_")) {
        setYarn(scene, name, params);
    } else if (startsWith(name, "longrope_")) {
        setLongRope(scene, name, params);
    } else if (startsWith(name, "llama3") || startsWith(name, "llama4")) {
        scene.scaling.method = "llama3";
        scene.scaling.lowFrequencyFactor = params.at("low_freq_factor");
        scene.scaling.highFrequencyFactor = params.at("high_freq_factor");
    } else if (startsWith(name, "proportional_") || startsWith(name, "p_rope_")) {
        scene.scaling.method = "proportional";
        scene.rope.partial = params.contains("p") ? params.at("p") : params.at("partial_rotary_factor");
    } else if (name == "ordinary_partial_same_fields_d128_of_512") {
        scene.headDim = 512;
        scene.rope.partial = 0.25;
        scene.rope.theta = 1e6;
    }
    return scene;
}

void compareFrequency(const Ladder& ladder, std::size_t pair, double expected) {
    const auto value = static_cast<double>(ladder.inverseFrequency.at(pair));
    QVERIFY2(isRelativelyClose(value, expected, ladderTolerance),
             qPrintable(QStringLiteral("pair %1: %2, expected %3")
                            .arg(pair)
                            .arg(value, 0, 'g', 17)
                            .arg(expected, 0, 'g', 17)));
}

void compareList(const Ladder& ladder, const json& expected) {
    QCOMPARE(ladder.inverseFrequency.size(), expected.size());
    for (std::size_t pair = 0; pair < expected.size(); ++pair) {
        compareFrequency(ladder, pair, expected.at(pair));
    }
}

Scene yarnScene(int headDim, double factor, int length) {
    Scene scene;
    scene.headDim = headDim;
    scene.scaling.method = "yarn";
    scene.scaling.factor = factor;
    scene.scaling.originalLength = length;
    return scene;
}

}  // namespace

class GoldenLadderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void publishedLadderIsMet_data() {
        QTest::addColumn<QByteArray>("name");
        const json rows = readGolden("golden.json").at("rope");
        QCOMPARE(rows.size(), std::size_t{43});
        for (const auto& [name, row] : rows.items()) {
            // A wrong ladder, kept there to show the difference: see exponentsRunOverTheRotaryWidth.
            if (name != "wrong_partial_exponent_over_head_dim") {
                QTest::newRow(name.c_str()) << QByteArray::fromStdString(name);
            }
        }
    }

    void publishedLadderIsMet() {
        QFETCH(QByteArray, name);
        const json row = readGolden("golden.json").at("rope").at(name.toStdString());
        const auto ladders = sceneLadders(sceneOf(name.toStdString(), row.at("params")));
        QVERIFY2(ladders.has_value(), ladders ? "" : ladders.error().message.c_str());
        const Ladder& ladder = ladders->scaled.ladder;

        const json& frequencies = row.at("inv_freq");
        QCOMPARE(ladder.inverseFrequency.size(), frequencies.at("n").get<std::size_t>());
        compareFrequency(ladder, 0, frequencies.at("first"));
        compareFrequency(ladder, frequencies.at("middle_index"), frequencies.at("middle"));
        compareFrequency(ladder, ladder.inverseFrequency.size() - 1, frequencies.at("last"));
        const double longest = wavelengthTokens(ladder.inverseFrequency.back());
        if (row.at("wavelength_last").is_null()) {
            QVERIFY(std::isinf(longest));
        } else {
            QVERIFY(isRelativelyClose(longest, row.at("wavelength_last"), ladderTolerance));
        }
        if (row.contains("all")) {
            compareList(ladder, row.at("all"));
        }
        const double factor = ladder.attentionFactor;
        if (row.contains("attention_factor")) {
            QVERIFY(std::abs(factor - row.at("attention_factor").get<double>()) <= attentionFactorTolerance);
        }
        if (row.contains("logit_scale_from_cos_sin")) {
            const double expected = row.at("logit_scale_from_cos_sin");
            QVERIFY(std::abs(factor * factor - expected) <= attentionFactorTolerance);
        }
        if (row.contains("new_base")) {
            QVERIFY(ladders->scaled.scaledBase.has_value());
            QVERIFY(isRelativelyClose(*ladders->scaled.scaledBase, row.at("new_base"), ladderTolerance));
        }
    }

    void yarnRangesAreMet() {
        const json rows = readGolden("golden.json").at("rope");
        for (const auto& [name, row] : rows.items()) {
            if (!row.contains("raw_low")) {
                continue;
            }
            const auto ladders = sceneLadders(sceneOf(name, row.at("params")));
            QVERIFY(ladders && ladders->scaled.range);
            QVERIFY(isRelativelyClose(ladders->scaled.range->rawLow, row.at("raw_low"), ladderTolerance));
            QVERIFY(isRelativelyClose(ladders->scaled.range->rawHigh, row.at("raw_high"), ladderTolerance));
            QVERIFY(isRelativelyClose(ladders->scaled.range->low, row.at("low"), ladderTolerance));
            QVERIFY(isRelativelyClose(ladders->scaled.range->high, row.at("high"), ladderTolerance));
        }
    }

    void llama3KeepsBlendsAndDividesTheListedPairs() {
        const json rows = readGolden("golden.json").at("rope");
        for (const auto& [name, row] : rows.items()) {
            if (!row.contains("kept")) {
                continue;
            }
            const auto ladders = sceneLadders(sceneOf(name, row.at("params")));
            QVERIFY(ladders.has_value());
            const std::vector<double>& shares = ladders->scaled.keptShare;
            const auto kept = std::ranges::count(shares, 1.0);
            const auto divided = std::ranges::count(shares, 0.0);
            QCOMPARE(kept, row.at("kept").get<std::ptrdiff_t>());
            QCOMPARE(divided, row.at("divided").get<std::ptrdiff_t>());
            QCOMPARE(std::ssize(shares) - kept - divided, row.at("blended").get<std::ptrdiff_t>());
            for (const auto& [pair, value] : row.at("blended_values").items()) {
                compareFrequency(ladders->scaled.ladder, std::stoul(pair), value);
            }
        }
    }

    void proportionalTurnsTheFastestQuarterOnly() {
        const json row = readGolden("golden.json").at("rope").at("proportional_gemma4_full_d512");
        const auto ladders = sceneLadders(sceneOf("proportional_gemma4_full_d512", row.at("params")));
        QVERIFY(ladders.has_value());
        const auto& frequencies = ladders->scaled.ladder.inverseFrequency;
        QCOMPARE(std::ranges::count(frequencies, 0.0L), 256 - row.at("rotating_pairs").get<std::ptrdiff_t>());
        compareFrequency(ladders->scaled.ladder, 63, row.at("slowest_rotating"));
    }

    void exponentsRunOverTheRotaryWidth() {
        // GPT-NeoX 20B: the wrong ladder is what exponents over head_dim 96 would give.
        const json rows = readGolden("golden.json").at("rope");
        const json& wrong = rows.at("wrong_partial_exponent_over_head_dim").at("inv_freq");
        const auto ladders =
            sceneLadders(sceneOf("partial", rows.at("partial_neox20b_rot24_of_96").at("params")));
        QVERIFY(ladders.has_value());
        QCOMPARE(ladders->base.inverseFrequency.size(), wrong.at("n").get<std::size_t>());
        const Ladder overHead = plainLadder(10000.0, 96);
        compareFrequency(overHead, 6, wrong.at("middle"));
        compareFrequency(overHead, 11, wrong.at("last"));
        QVERIFY(ladders->base.inverseFrequency.back() < 0.01L * overHead.inverseFrequency[11]);

        // Qwen3.5 (case D01): r 64 of d 256, theta 1e7.
        Scene qwen;
        qwen.headDim = 256;
        qwen.rope.partial = 0.25;
        qwen.rope.theta = 1e7;
        const auto right = sceneLadders(qwen);
        QVERIFY(right.has_value());
        QVERIFY(isRelativelyClose(static_cast<double>(right->base.inverseFrequency[1]), 0.6042963902, 1e-9));
        QVERIFY(isRelativelyClose(static_cast<double>(right->base.inverseFrequency.back()), 1.654817100e-07,
                                  1e-9));
    }

    void truncationMovesPair17OfGptOss() {
        const json golden = readGolden("golden.json");
        const json& effect = golden.at("yarn_gptoss_truncate_effect");
        Scene scene = sceneOf("yarn_", golden.at("rope").at("yarn_gptoss_truncate_false_d64").at("params"));
        const auto asIs = sceneLadders(scene);
        scene.scaling.truncate = true;
        const auto truncated = sceneLadders(scene);
        QVERIFY(asIs && truncated);
        compareList(asIs->scaled.ladder, effect.at("values_false"));
        compareList(truncated->scaled.ladder, effect.at("values_true"));
        const auto& loose = asIs->scaled.ladder.inverseFrequency;
        const auto& whole = truncated->scaled.ladder.inverseFrequency;
        std::size_t worst = 0;
        const auto change = [&](std::size_t pair) {
            return static_cast<double>(std::abs(whole[pair] - loose[pair]) / loose[pair]);
        };
        for (std::size_t pair = 0; pair < loose.size(); ++pair) {
            worst = change(pair) > change(worst) ? pair : worst;
        }
        QCOMPARE(worst, effect.at("at_pair").get<std::size_t>());
        QVERIFY(isRelativelyClose(change(worst), effect.at("max_rel_difference"), 1e-11));
    }

    void codeAndPaperRampDifferMostAtPair38OfLlama2() {
        const json difference = readGolden("golden.json").at("yarn_code_vs_paper");
        Scene scene = yarnScene(128, 16.0, 4096);
        const auto code = sceneLadders(scene);
        scene.scaling.ramp = YarnRamp::paper;
        const auto paper = sceneLadders(scene);
        QVERIFY(code && paper);
        const auto pair = difference.at("at_pair").get<std::size_t>();
        compareFrequency(code->scaled.ladder, pair, difference.at("code"));
        compareFrequency(paper->scaled.ladder, pair, difference.at("paper"));
        long double largest = 0.0L;
        for (std::size_t at = 0; at < 64; ++at) {
            largest = std::max(largest, code->scaled.ladder.inverseFrequency[at] /
                                            paper->scaled.ladder.inverseFrequency[at]);
        }
        QVERIFY(isRelativelyClose(static_cast<double>(largest), difference.at("max_ratio_code_over_paper"),
                                  1e-11));
        // figures.md, ramp: the share kept of pair 30.
        QVERIFY(std::abs(code->scaled.keptShare[30] - 0.615) < 5e-4);
        QVERIFY(std::abs(paper->scaled.keptShare[30] - 0.248) < 5e-4);
    }

    void degenerateYarnIsDrawnAsHuggingFaceDoes() {
        const json degenerate = readGolden("golden.json").at("yarn_degenerate");
        Scene scene = yarnScene(8, 4.0, 2048);
        scene.scaling.betaFast = scene.scaling.betaSlow = 16.0;
        compareList(sceneLadders(scene)->scaled.ladder, degenerate.at("beta_fast_equals_beta_slow_16"));

        scene.scaling.betaFast = 1.0;
        scene.scaling.betaSlow = 32.0;
        const auto swapped = sceneLadders(scene);
        compareList(swapped->scaled.ladder, degenerate.at("beta_swapped_hf"));
        QCOMPARE(swapped->scaled.range->low, degenerate.at("range_swapped").at(0).get<double>());
        QCOMPARE(swapped->scaled.range->high, degenerate.at("range_swapped").at(1).get<double>());

        Scene wide = yarnScene(128, 16.0, 4096);
        wide.scaling.betaFast = 1.0;
        wide.scaling.betaSlow = 32.0;
        const auto reversed = sceneLadders(wide);
        QCOMPARE(reversed->scaled.range->low, degenerate.at("swapped_d128_range").at(0).get<double>());
        QCOMPARE(reversed->scaled.range->high, degenerate.at("swapped_d128_range").at(1).get<double>());
        compareFrequency(reversed->scaled.ladder, 0, degenerate.at("swapped_d128_hf_first_last").at(0));
        compareFrequency(reversed->scaled.ladder, 63, degenerate.at("swapped_d128_hf_first_last").at(1));

        compareList(sceneLadders(yarnScene(8, 1.0, 2048))->scaled.ladder, degenerate.at("factor_1"));
    }

    void attentionFactorsAreMet() {
        const json factors = readGolden("golden.json").at("attention_factors");
        for (const auto& [factor, row] : factors.at("yarn").items()) {
            const auto ladders = sceneLadders(yarnScene(128, std::stod(factor), 4096));
            QVERIFY(ladders.has_value());
            const double a = ladders->scaled.ladder.attentionFactor;
            QVERIFY(std::abs(a - row.at("cos_sin").get<double>()) <= attentionFactorTolerance);
            QVERIFY(std::abs(a * a - row.at("logits").get<double>()) <= attentionFactorTolerance);
        }
        for (const auto& [name, value] : factors.at("longrope").items()) {  // "32_of_4096"
            Scene scene;
            scene.headDim = 8;
            scene.scaling.method = "longrope";
            scene.scaling.shortFactors = scene.scaling.longFactors = {1.0, 1.0, 1.0, 1.0};
            scene.scaling.factor = std::stod(name.substr(0, name.find('_')));
            scene.scaling.originalLength = std::stol(name.substr(name.rfind('_') + 1));
            const auto ladders = sceneLadders(scene);
            QVERIFY(ladders.has_value());
            QVERIFY(std::abs(ladders->scaled.ladder.attentionFactor - value.get<double>()) <=
                    attentionFactorTolerance);
        }
    }
};

QTEST_GUILESS_MAIN(GoldenLadderTest)
#include "golden_ladder_test.moc"
