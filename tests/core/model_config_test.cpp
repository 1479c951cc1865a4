#include "core/import/model_config.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <QTest>

#include "core/ladder/scaling.h"
#include "tests/core/config_reading.h"
#include "tests/core/golden.h"

using phaseladder::ModelConfig;
using phaseladder::readModelConfig;
using phaseladder::Result;
using phaseladder::RopeLayout;
using phaseladder::rotaryDim;
using phaseladder::Scene;
using phaseladder::SceneLadders;
using phaseladder::sceneLadders;
using phaseladder::tests::config;
using phaseladder::tests::contains;
using phaseladder::tests::isRelativelyClose;
using phaseladder::tests::read;
using phaseladder::tests::refusal;

namespace {

// The rotary dictionaries of public files.
const std::string llama31 =
    R"({"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192, "rope_type": "llama3"})";
const std::string qwenYarn = R"({"factor": 4.0, "original_max_position_embeddings": 32768, "type": "yarn"})";
const std::string gptOssYarn =
    R"({"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": false,
        "original_max_position_embeddings": 4096})";
const std::string deepSeekYarn =
    R"({"beta_fast": 32, "beta_slow": 1, "factor": 40, "mscale": 0.707, "mscale_all_dim": 0.707,
        "original_max_position_embeddings": 4096, "type": "yarn"})";

SceneLadders ladders(const ModelConfig& model) {
    const Result<SceneLadders> result = sceneLadders(model.scene);
    if (!result) {
        QTest::qFail(result.error().message.c_str(), __FILE__, __LINE__);
        return {{{1.0L}, 1.0}, {.ladder = {{1.0L}, 1.0}}};
    }
    return *result;
}

double frequency(const SceneLadders& both, std::size_t pair) {
    return static_cast<double>(both.scaled.ladder.inverseFrequency.at(pair));
}

double lastFrequency(const ModelConfig& model) {
    return static_cast<double>(ladders(model).scaled.ladder.inverseFrequency.back());
}

double attentionFactor(const ModelConfig& model) {
    return ladders(model).scaled.ladder.attentionFactor;
}

/// cases.md gives ten significant digits.
bool agrees(double value, double published) {
    return isRelativelyClose(value, published, 5e-10);
}

}  // namespace

class ModelConfigTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A01: the five fields of Llama 3.1 are accepted.
    void llama31KeepsTwentyNinePairsAndBlendsSix() {
        const ModelConfig model = read(config(
            R"("model_type": "llama", "max_position_embeddings": 131072, "rope_theta": 500000.0, "rope_scaling": )" +
            llama31));
        const SceneLadders both = ladders(model);
        int kept = 0;
        int divided = 0;
        for (std::size_t pair = 0; pair < 64; ++pair) {
            const long double ratio =
                both.scaled.ladder.inverseFrequency[pair] / both.base.inverseFrequency[pair];
            kept += ratio == 1.0L ? 1 : 0;
            divided += ratio == 0.125L ? 1 : 0;
        }
        QCOMPARE(kept, 29);
        QCOMPARE(divided, 29);
        QVERIFY(agrees(lastFrequency(model), 3.068925989e-07));
        QCOMPARE(attentionFactor(model), 1.0);
        QCOMPARE(model.scene.length.trained, 8192);
        QCOMPARE(model.scene.length.target, 131072);
        QVERIFY(model.warnings.empty());  // 131072 / 8192 is 16: llama3 files state 8 on purpose
    }

    // A03 and K03: the stated factor is not replaced by the ratio of the lengths.
    void explicitFactorWinsOverTheRatioOfTheLengths() {
        const ModelConfig model = read(
            config(R"("max_position_embeddings": 40960, "rope_theta": 1e6, "rope_scaling": )" + qwenYarn));
        QCOMPARE(model.scene.scaling.factor, 4.0);
        QVERIFY(agrees(lastFrequency(model), 3.102344402e-07));
        QVERIFY(agrees(attentionFactor(model), 1.138629436));
        QVERIFY(contains(model.warnings, "rope_scaling.factor 4 is used"));
        QVERIFY(contains(model.warnings, "40960 / 32768 is 1.25"));
    }

    // A04: the ramp comes from the original length of the dictionary, wherever max_position_embeddings
    // stands.
    void originalLengthOfTheDictionaryDecidesTheRamp() {
        for (const char* maximum : {"32768", "131072"}) {
            const ModelConfig model =
                read(config(std::string(R"("max_position_embeddings": )") + maximum +
                            R"(, "rope_theta": 1000000.0, "rope_scaling": )" + qwenYarn));
            const SceneLadders both = ladders(model);
            QCOMPARE(both.scaled.range->low, 23.0);
            QCOMPARE(both.scaled.range->high, 40.0);
            QVERIFY(isRelativelyClose(frequency(both, 40), 4.4457e-05, 1e-4));
            QCOMPARE(model.scene.length.trained, 32768);
            QCOMPARE(model.scene.length.target, 131072);
            QCOMPARE(model.sources.at("original_length"), "rope_scaling.original_max_position_embeddings");
            QCOMPARE(model.defaulted, (std::vector<std::string>{"layout", "beta_fast", "beta_slow"}));
            QVERIFY(model.warnings.empty());
        }
    }

    // A05, A06: keys that Hugging Face once called unrecognized.
    void knownYarnKeysAreNeverWarnedAbout() {
        for (const std::string& dictionary : {qwenYarn, gptOssYarn, deepSeekYarn}) {
            const ModelConfig model = read(config(R"("rope_theta": 1e6, "rope_scaling": )" + dictionary));
            QVERIFY2(!contains(model.warnings, "Unknown"),
                     model.warnings.empty() ? "" : model.warnings[0].c_str());
        }
    }

    // A06, B08: gpt-oss says truncate false.
    void gptOssRampIsNotRounded() {
        const ModelConfig model = read(R"({"model_type": "gpt_oss", "head_dim": 64, "num_attention_heads": 64,
            "max_position_embeddings": 131072, "rope_theta": 150000.0, "rope_scaling": )" +
                                       gptOssYarn + "}");
        const SceneLadders both = ladders(model);
        QVERIFY(!model.scene.scaling.truncate);
        QVERIFY(isRelativelyClose(both.scaled.range->low, 8.092779115512402, 1e-12));
        QVERIFY(isRelativelyClose(both.scaled.range->high, 17.39802450158856, 1e-12));

        ModelConfig truncated = model;
        truncated.scene.scaling.truncate = true;
        const double share = frequency(ladders(truncated), 17) / frequency(both, 17);
        QVERIFY(std::abs(share - 1.76) < 0.01);
        QCOMPARE(model.scene.length.target, 131072);
        QVERIFY(model.warnings.empty());
    }

    // A07: `type` alone.
    void typeCountsWhereThereIsNoRopeType() {
        const ModelConfig model = read(
            config(R"("max_position_embeddings": 4096, "rope_scaling": {"factor": 8.0, "type": "linear"})"));
        QCOMPARE(frequency(ladders(model), 0), 0.125);
        QVERIFY(agrees(lastFrequency(model), 1.443477481e-05));
        QCOMPARE(model.scene.length.trained, 4096);
        QCOMPARE(model.scene.length.target, 32768);
        QCOMPARE(model.sources.at("scaling"), "rope_scaling.type");
    }

    // A08: version 5 keeps theta inside rope_parameters only.
    void version5ThetaIsReadFromTheDictionary() {
        const ModelConfig model =
            read(config(R"("rope_parameters": {"rope_theta": 1000000.0, "rope_type": "default"})"));
        QVERIFY(agrees(lastFrequency(model), 1.240937761e-06));
        QCOMPARE(model.sources.at("theta"), "rope_parameters.rope_theta");
    }

    // A10: a dictionary of type default is not a scaling.
    void typeDefaultIsNotScaled() {
        const ModelConfig model = read(config(
            R"("max_position_embeddings": 40960, "rope_parameters":
               {"rope_theta": 1000000.0, "partial_rotary_factor": 1.0, "rope_type": "default"})"));
        QCOMPARE(model.scene.scaling.method, "none");
        QCOMPARE(attentionFactor(model), 1.0);
        QVERIFY(!model.sources.contains("factor"));
        QCOMPARE(model.scene.length.trained, 40960);
        QCOMPARE(model.scene.length.target, 40960);
        QVERIFY(model.warnings.empty());
    }

    // A24: the file's theta drives.
    void codeLlamaTurnsWithItsOwnTheta() {
        const ModelConfig model = read(config(R"("rope_theta": 1000000, "rope_scaling": null)"));
        QVERIFY(agrees(lastFrequency(model), 1.240937761e-06));
    }

    // A27: several names for theta.
    void globalThetaIsPreferredAndAllNamesAreListed() {
        const std::string json = config(
            R"("model_type": "modernbert", "rope_theta": 20000.0, "global_rope_theta": 160000.0, "local_rope_theta": 10000.0)");
        const ModelConfig full = read(json);
        QCOMPARE(full.scene.rope.theta, 160000.0);
        QVERIFY(contains(full.notes, "global_rope_theta 160000, rope_theta 20000, local_rope_theta 10000"));
        QCOMPARE(read(json, "sliding_attention").scene.rope.theta, 10000.0);
    }

    // B01, B05, B06: the temperature of MLA models is on the softmax.
    void deepSeekScalesTheSoftmaxAndNotTheRotation() {
        const ModelConfig model = read(R"({"model_type": "deepseek_v2", "hidden_size": 2048,
            "num_attention_heads": 16, "max_position_embeddings": 163840, "rope_theta": 10000,
            "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "rope_scaling": )" +
                                       deepSeekYarn + "}");
        QVERIFY(std::abs(attentionFactor(model) - 1.0) < 1e-12);
        QVERIFY(agrees(model.scene.scaling.softmaxMultiplier, 1.589626165));
        QCOMPARE(model.scene.headDim, 64);
        QCOMPARE(model.sources.at("head_dim"), "qk_rope_head_dim");
        QVERIFY(contains(model.notes,
                         "Head dimension 64 is the rotary part (qk_rope_head_dim); 128 more channels"));
        QVERIFY(model.scene.rope.layout == RopeLayout::interleaved);
        QCOMPARE(ladders(model).scaled.range->low, 10.0);
        QCOMPARE(ladders(model).scaled.range->high, 23.0);
    }

    // B07: a stated attention factor wins over the formula.
    void statedAttentionFactorWins() {
        for (const auto& [text, factor] :
             {std::pair{"1.0", 1.0}, std::pair{"0.5", 0.5}, std::pair{"1", 1.0}}) {
            const ModelConfig model =
                read(config(R"("rope_scaling": {"rope_type": "yarn", "factor": 4, "attention_factor": )" +
                            std::string(text) + R"(, "original_max_position_embeddings": 4096})"));
            QCOMPARE(attentionFactor(model), factor);
        }
        QCOMPARE(refusal(config(R"("rope_scaling": {"rope_type": "yarn", "factor": 4, "attention_factor": 0,
                                   "original_max_position_embeddings": 4096})")),
                 "rope_scaling.attention_factor must be above 0 (got 0).");
    }

    // B10 and bad input 21: swapped betas are drawn as Hugging Face would, with a warning.
    void swappedBetasReverseTheRampWithAWarning() {
        const ModelConfig model = read(config(
            R"("max_position_embeddings": 65536, "rope_scaling": {"type": "yarn", "factor": 16.0, "beta_fast": 1,
               "beta_slow": 32, "original_max_position_embeddings": 4096})"));
        QVERIFY(contains(model.warnings, "beta_fast must be larger than beta_slow (1 < 32)."));
        QCOMPARE(frequency(ladders(model), 0), 0.0625);
        QVERIFY(isRelativelyClose(lastFrequency(model), 1.1548e-04, 1e-4));
    }

    // B12: theta moves the ramp.
    void yarnRampFollowsThetaAndOriginalLength() {
        const ModelConfig model = read(config(
            R"("rope_theta": 500000, "rope_scaling": {"type": "yarn", "factor": 16,
               "original_max_position_embeddings": 8192})"));
        const SceneLadders both = ladders(model);
        QVERIFY(std::abs(both.scaled.range->rawLow - 18.08) < 0.005);
        QVERIFY(std::abs(both.scaled.range->rawHigh - 34.98) < 0.005);
        QCOMPARE(both.scaled.range->low, 18.0);
        QCOMPARE(both.scaled.range->high, 35.0);
    }

    // D01: the exponents of a partial rotation run over the rotating channels.
    void partialRotationUsesItsOwnWidth() {
        const ModelConfig model = read(R"({"head_dim": 256, "rope_parameters":
            {"rope_type": "default", "rope_theta": 10000000, "partial_rotary_factor": 0.25}})");
        QCOMPARE(rotaryDim(model.scene), 64);
        QVERIFY(agrees(frequency(ladders(model), 1), 0.6042963902));
        QVERIFY(agrees(lastFrequency(model), 1.654817100e-07));
        QCOMPARE(model.sources.at("rotary_dim"), "rope_parameters.partial_rotary_factor");
    }

    void evenCutOfTheRotaryWidthIsAccepted() {
        QCOMPARE(rotaryDim(read(config(R"("partial_rotary_factor": 0.3)")).scene), 38);
    }

    // D05: Gemma 4 turns 64 pairs of a head that is 512 wide.
    void proportionalLadderKeepsItsSlowTailStill() {
        const std::string json =
            R"({"model_type": "gemma4_text", "hidden_size": 2304, "num_attention_heads": 8,
            "head_dim": 256, "global_head_dim": 512, "max_position_embeddings": 131072, "rope_parameters": {
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
            "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000000.0}}})";
        const ModelConfig full = read(json);
        const auto frequencies = ladders(full).scaled.ladder.inverseFrequency;
        QCOMPARE(full.scene.headDim, 512);
        QCOMPARE(std::ranges::count(frequencies, 0.0L), 192);
        QVERIFY(agrees(static_cast<double>(frequencies[63]), 0.03337624694));
        QCOMPARE(full.layerTypes, (std::vector<std::string>{"sliding_attention", "full_attention"}));

        const ModelConfig sliding = read(json, "sliding_attention");
        QCOMPARE(sliding.scene.headDim, 256);
        QCOMPARE(sliding.scene.rope.theta, 10000.0);
        QCOMPARE(sliding.scene.scaling.method, "none");
        QCOMPARE(sliding.scene.layerType, "sliding_attention");
    }

    // D07: head_dim is not always a quotient.
    void statedHeadDimWinsOverTheQuotient() {
        const ModelConfig nemo =
            read(R"({"model_type": "mistral", "hidden_size": 5120, "num_attention_heads": 32,
                                          "head_dim": 128, "rope_theta": 1000000.0})");
        QCOMPARE(nemo.scene.headDim, 128);
        QCOMPARE(nemo.sources.at("head_dim"), "head_dim");
        QVERIFY(agrees(lastFrequency(nemo), 1.240937761e-06));
        QVERIFY(contains(nemo.notes, "hidden_size / num_attention_heads = 5120 / 32 would give 160"));

        const ModelConfig divided =
            read(R"({"model_type": "mistral", "hidden_size": 5120, "num_attention_heads": 32,
                                             "head_dim": null, "rope_theta": 1000000.0})");
        QCOMPARE(divided.scene.headDim, 160);
        QCOMPARE(divided.sources.at("head_dim"), "hidden_size / num_attention_heads");
        QVERIFY(agrees(lastFrequency(divided), 1.188502227e-06));
    }

    // K01, K03: the sections of M-RoPE are read, and the scaling stays.
    void sectionsOfAnImageModelAreReadAndYarnStays() {
        const ModelConfig model =
            read(R"({"model_type": "qwen3_vl", "max_position_embeddings": 1000000, "rope_scaling":
            {"rope_type": "yarn", "mrope_section": [24, 20, 20], "mrope_interleaved": true, "factor": 3.0,
             "original_max_position_embeddings": 256000}})");
        QVERIFY(agrees(attentionFactor(model), 1.109861229));
        QVERIFY(contains(model.notes, "rope_scaling.mrope_section [24, 20, 20]"));
        QVERIFY(model.scene.rope.axes == phaseladder::RopeAxes::mrope_interleaved);
        QVERIFY((model.scene.rope.sections == std::vector<double>{24, 20, 20}));
        QCOMPARE(model.scene.scaling.method, "yarn");
        QVERIFY(contains(model.warnings, "1000000 / 256000 is 3.90625"));
        QCOMPARE(read(config(R"("rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]})"))
                     .scene.scaling.method,
                 "none");
        QVERIFY(refusal(config(R"("rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 25]})"))
                    .find("sum to 65; they must sum to the 64 pairs") != std::string::npos);
    }

    // L01: Gemma 3's old layout scales the full layers only.
    void gemma3FactorActsOnFullLayersOnly() {
        const std::string json = R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text",
            "hidden_size": 2560, "sliding_window": 1024, "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}})";
        const ModelConfig full = read(json);
        QVERIFY(agrees(lastFrequency(full), 1.392467325e-07));
        QCOMPARE(full.scene.headDim, 256);
        QCOMPARE(full.scene.length.target, 131072);
        QCOMPARE(full.sources.at("factor"), "text_config.rope_scaling.factor");
        const ModelConfig sliding = read(json, "sliding_attention");
        QVERIFY(agrees(lastFrequency(sliding), 1.074607828e-04));
        QCOMPARE(full.layerTypes, (std::vector<std::string>{"full_attention", "sliding_attention"}));
        QVERIFY(!contains(sliding.notes, "No RoPE settings"));
    }

    // Numbers of section 5.3: L is max_position_embeddings, the factor is no extension ratio.
    void dynamicNtkStartsFromTheTrainedLength() {
        ModelConfig model = read(config(R"("max_position_embeddings": 32768, "rope_theta": 1000000,
            "rope_scaling": {"type": "dynamic", "factor": 2.0, "original_max_position_embeddings": 4096})"));
        QCOMPARE(model.scene.length.trained, 32768);
        QCOMPARE(model.scene.length.target, 65536);
        QVERIFY(agrees(lastFrequency(model), 4.136459202505732e-07));
        QVERIFY(contains(model.notes,
                         "rope_scaling.original_max_position_embeddings is not read by rope type dynamic"));
    }

    void dynamicWithAnAlphaIsAFixedNtkBase() {
        const ModelConfig model =
            read(config(R"("rope_scaling": {"type": "dynamic", "alpha": 4.0, "factor": 1.0})"));
        QCOMPARE(model.scene.scaling.method, "ntk");
        QVERIFY(isRelativelyClose(lastFrequency(model), 2.8869549617236452e-05, 1e-12));
    }

    void suAndYarnWithListsAreLongRope() {
        for (const char* type : {"su", "yarn", "longrope"}) {
            const ModelConfig model = read(R"({"head_dim": 8, "max_position_embeddings": 32768,
                "original_max_position_embeddings": 4096, "rope_scaling": {"short_factor": [1, 1, 1, 1],
                "long_factor": [1, 2, 4, 8], "type": ")" +
                                           std::string(type) + R"("}})");
            QCOMPARE(model.scene.scaling.method, "longrope");
            QVERIFY(isRelativelyClose(lastFrequency(model), 0.000125, 1e-12));
            QVERIFY(isRelativelyClose(attentionFactor(model), 1.118033988749895, 1e-12));
            QCOMPARE(model.sources.at("factor"),
                     "max_position_embeddings / original_max_position_embeddings");
        }
        QVERIFY(
            refusal(
                R"({"head_dim": 8, "rope_scaling": {"type": "longrope", "factor": 4, "short_factor": [1, 1],
                            "long_factor": [1, 2, 4, 8]}})")
                .find(" 2 ") != std::string::npos);
    }

    void ropeTypeWinsOverADifferentType() {
        const ModelConfig model =
            read(config(R"("rope_scaling": {"rope_type": "linear", "type": "dynamic", "factor": 2})"));
        QCOMPARE(model.scene.scaling.method, "linear");
        QVERIFY(contains(model.warnings,
                         "rope_scaling has rope_type 'linear' and type 'dynamic'; rope_type wins."));
        const ModelConfig same =
            read(config(R"("n_ctx": 2048, "rope_scaling": {"rope_type": "default", "type": "mrope"})"));
        QVERIFY(same.warnings.empty());
    }

    void ropeScalingWinsOverRopeParameters() {
        const ModelConfig model = read(config(R"("rope_scaling": {"rope_type": "linear", "factor": 2},
                                                 "rope_parameters": {"rope_type": "default", "rope_theta": 5000000})"));
        QCOMPARE(model.scene.scaling.method, "linear");
        QCOMPARE(model.scene.rope.theta, 5e6);
        QVERIFY(contains(model.warnings, "both rope_scaling and rope_parameters"));
    }

    void yarnWithoutOriginalLengthStartsFromTheMaximum() {
        const ModelConfig model = read(config(R"("max_position_embeddings": 32768, "rope_theta": 1e6,
                                                 "rope_scaling": {"rope_type": "yarn", "factor": 4.0})"));
        QCOMPARE(ladders(model).scaled.range->low, 23.0);
        QCOMPARE(model.scene.length.target, 131072);
        QVERIFY(std::ranges::find(model.defaulted, "original_length") != model.defaulted.end());
        QVERIFY(contains(model.notes, "original_max_position_embeddings is not in this file"));
    }

    void missingFactorIsTheRatioOfTheLengths() {
        const ModelConfig model = read(config(R"("max_position_embeddings": 131072, "rope_scaling":
            {"rope_type": "yarn", "factor": null, "original_max_position_embeddings": 32768})"));
        QCOMPARE(model.scene.scaling.factor, 4.0);
        QCOMPARE(refusal(config(R"("rope_scaling": {"rope_type": "linear"})")),
                 "rope_scaling.factor is missing; rope type linear needs it (1 or more).");
    }

    void otherFamiliesNamesAreRead_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<int>("headDim");
        QTest::addColumn<int>("rotary");
        QTest::addColumn<double>("theta");
        QTest::addColumn<bool>("interleaved");
        QTest::newRow("GPT-NeoX")
            << R"({"model_type": "gpt_neox", "hidden_size": 6144, "num_attention_heads": 64,
                                        "rotary_pct": 0.25, "rotary_emb_base": 10000})"
            << 96 << 24 << 1e4 << false;
        QTest::newRow("Phi-2")
            << R"({"model_type": "phi-msft", "n_embd": 2560, "n_head": 32, "n_positions": 2048,
                                     "rotary_dim": 32})"
            << 80 << 32 << 1e4 << false;
        QTest::newRow("GPT-J") << R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64})"
                               << 256 << 64 << 1e4 << true;
        QTest::newRow("GLM-4") << R"({"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32,
                                     "kv_channels": 128, "rope_ratio": 500, "seq_length": 131072})"
                               << 128 << 64 << 5e6 << true;
        QTest::newRow("GPT-NeoX default share") << R"({"model_type": "gpt_neox", "hidden_size": 512,
                                     "num_attention_heads": 8})"
                                                << 64 << 16 << 1e4 << false;
        QTest::newRow("Cohere default theta")
            << R"({"model_type": "cohere", "head_dim": 128})" << 128 << 128 << 5e5 << true;
        QTest::newRow("DeepSeek half by its switch")
            << R"({"model_type": "deepseek_v3", "qk_rope_head_dim": 64,
                                     "rope_interleave": false})"
            << 64 << 64 << 1e4 << false;
    }

    void otherFamiliesNamesAreRead() {
        QFETCH(const QString, json);
        const ModelConfig model = read(json.toStdString());
        QTEST(model.scene.headDim, "headDim");
        QTEST(rotaryDim(model.scene), "rotary");
        QTEST(model.scene.rope.theta, "theta");
        QTEST(model.scene.rope.layout == RopeLayout::interleaved, "interleaved");
    }

    void qwen1SwitchesAreNoted() {
        const ModelConfig model = read(config(R"("model_type": "qwen", "max_position_embeddings": 32768,
            "seq_length": 8192, "use_dynamic_ntk": true, "use_logn_attn": true)"));
        QCOMPARE(model.scene.length.trained, 8192);
        QVERIFY(contains(model.notes, "use_dynamic_ntk"));
        QVERIFY(contains(model.notes, "use_logn_attn"));
    }

    void textSeedMaskAndViewOfTheSceneAreKept() {
        Scene scene;
        scene.tokens = {"a", "b"};
        scene.order = {1, 0};
        scene.seed = 9;
        scene.causal = true;
        scene.heads = 64;
        scene.head = 63;
        scene.view.positions = 99;
        scene.scaling.betaFast = 5.0;
        const Result<ModelConfig> model =
            readModelConfig(config(R"("_name_or_path": "meta-llama/Llama-3.1-8B")"), scene);
        QVERIFY(model.has_value());
        Scene expected = Scene{};
        expected.tokens = scene.tokens;
        expected.order = scene.order;
        expected.seed = 9;
        expected.causal = true;
        expected.view.positions = 99;
        expected.heads = 32;
        expected.headDim = 128;
        expected.model = "Llama-3.1-8B";
        expected.length.target = expected.length.trained;
        QVERIFY(model->scene == expected);
    }

    // Bad input 36.
    void fileWithoutRopeFieldsNamesTheDefaultsItUses() {
        const ModelConfig llama = read(config(R"("model_type": "llama")"));
        QVERIFY(contains(llama.notes, "No RoPE settings in this file; llama defaults used: theta 10000."));
        QVERIFY(std::ranges::find(llama.defaulted, "theta") != llama.defaulted.end());
        QVERIFY(contains(read(config(R"("model_type": "cohere")")).notes, "theta 500000."));
    }
};

QTEST_APPLESS_MAIN(ModelConfigTest)
#include "model_config_test.moc"
