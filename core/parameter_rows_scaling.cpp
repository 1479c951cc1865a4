#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "core/ladder/scaling.h"
#include "core/parameter_rows.h"

namespace phaseladder {
namespace {

constexpr double longestContext = 2147483648.0;  // 2^31

/// Rows that only some scalings read.
auto usesOneOf(std::initializer_list<std::string_view> methods) {
    return [known = std::vector<std::string_view>(methods)](const Scene& scene) {
        return usesRope(scene) && std::find(known.begin(), known.end(), scene.scaling.method) != known.end();
    };
}

bool usesYarnMscale(const Scene& scene) {
    return usesOneOf({"yarn"})(scene) && scene.scaling.attentionFactor == 0.0;
}

/// Only both slopes together have an effect.
bool hasMscale(const Scene& scene) {
    return scene.scaling.mscale != 0.0 || scene.scaling.mscaleAllDim != 0.0;
}

Parameter yarnBeta(std::string id, std::string label, std::string help) {
    return {.id = std::move(id),
            .label = std::move(label),
            .unit = "turns",
            .group = "Scaling",
            .hardMaximum = 1e6,
            .minimumExcluded = true,
            .sliderMinimum = 0.25,
            .sliderMaximum = 128,
            .scale = SliderScale::log2,
            .ticks = {0.25, 1, 4, 16, 32, 128},
            .help = std::move(help),
            .source = "YaRN, eq. 18 and 23",
            .applies = usesOneOf({"yarn"})};
}

Parameter llamaFactor(std::string id, std::string label, std::string help) {
    return {.id = std::move(id),
            .label = std::move(label),
            .unit = "turns",
            .group = "Scaling",
            .hardMaximum = 1e6,
            .minimumExcluded = true,
            .sliderMinimum = 0.25,
            .sliderMaximum = 64,
            .scale = SliderScale::log2,
            .ticks = {0.25, 1, 4, 16, 64},
            .help = std::move(help),
            .source = "llama-models, models/llama3/model.py",
            .applies = usesOneOf({"llama3"})};
}

Parameter mscaleRow(std::string id, std::string label, std::string help) {
    return {.id = std::move(id),
            .label = std::move(label),
            .group = "Scaling",
            .hardMaximum = 10,
            .zeroText = "absent",
            .help = std::move(help),
            .source = "DeepSeek-V2 and V3, yarn_get_mscale",
            .applies = usesYarnMscale,
            .advanced = true,
            .needed = hasMscale};
}

Parameter divisors(std::string id, std::string label, std::string help) {
    return {.id = std::move(id),
            .label = std::move(label),
            .group = "Scaling",
            .kind = ParameterKind::numberList,
            .hardMaximum = 1e9,
            .minimumExcluded = true,
            .help = std::move(help),
            .source = "LongRoPE; short_factor and long_factor of Phi-3",
            .applies = usesOneOf({"longrope"})};
}

Parameter lengthRow(std::string id, std::string label, double sliderMaximum, std::vector<double> ticks,
                    std::string help, std::string source) {
    return {.id = std::move(id),
            .label = std::move(label),
            .unit = "tokens",
            .group = "Lengths",
            .kind = ParameterKind::integer,
            .hardMinimum = 1,
            .hardMaximum = longestContext,
            .sliderMinimum = 512,
            .sliderMaximum = sliderMaximum,
            .scale = SliderScale::log2,
            .ticks = std::move(ticks),
            .help = std::move(help),
            .source = std::move(source),
            .applies = always};  // figures of distance reach to the target and mark the trained length
}

}  // namespace

std::vector<Parameter> scalingRows() {
    return {
        bound(
            {.id = "scaling",
             .label = "Scaling",
             .group = "Scaling",
             .kind = ParameterKind::choice,
             .choices = choicesOf(scalings()),
             .help = "How the frequencies change so that the model runs beyond its trained length.",
             .source = "one file each in core/ladder",
             .applies = usesRope},
            [](auto& scene) -> auto& { return scene.scaling.method; }),
        bound(
            {.id = "scaling.factor",
             .label = "Factor",
             .unit = "×",
             .group = "Scaling",
             .hardMinimum = 1,
             .hardMaximum = 1e6,
             .sliderMinimum = 1,
             .sliderMaximum = 64,
             .scale = SliderScale::log2,
             .ticks = {1, 2, 4, 8, 16, 32, 64},
             .help = "How many times the context grows (s); positions shrink by alpha = 1/s.",
             .source = "Position Interpolation, eq. 4; factor of Hugging Face",
             .applies =
                 usesOneOf({"linear", "ntk", "dynamic_ntk", "yarn", "longrope", "llama3", "proportional"})},
            [](auto& scene) -> auto& { return scene.scaling.factor; }),
        bound(
            yarnBeta(
                "scaling.beta_slow", "Beta slow",
                "Pairs with fewer turns than this within the original length are divided by the factor."),
            [](auto& scene) -> auto& { return scene.scaling.betaSlow; }),
        bound(
            yarnBeta("scaling.beta_fast", "Beta fast",
                     "Pairs with more turns than this within the original length are kept."),
            [](auto& scene) -> auto& { return scene.scaling.betaFast; }),
        boundChoice<YarnRamp>(
            {.id = "scaling.ramp",
             .label = "Ramp along",
             .group = "Scaling",
             .help = "The ramp is linear in the pair index (all code) or in the turns (the paper's text).",
             .source = "yarn code, _yarn_linear_ramp_mask; YaRN, eq. 18",
             .applies = usesOneOf({"yarn"})},
            {{YarnRamp::code, "code", "Pair (code)"}, {YarnRamp::paper, "paper", "Turns (paper)"}},
            [](auto& scene) -> auto& { return scene.scaling.ramp; }),
        bound(
            {.id = "scaling.truncate",
             .label = "Whole pairs",
             .group = "Scaling",
             .kind = ParameterKind::toggle,
             .help = "The ramp begins and ends at whole pairs (floor, ceil); gpt-oss leaves its bounds as "
                     "they are.",
             .source = "truncate of Hugging Face",
             .applies =
                 [](const Scene& scene) {
                     return usesOneOf({"yarn"})(scene) && scene.scaling.ramp == YarnRamp::code;
                 },
             .advanced = true},
            [](auto& scene) -> auto& { return scene.scaling.truncate; }),
        bound(
            {.id = "scaling.attention_factor",
             .label = "Attention factor",
             .group = "Scaling",
             .hardMaximum = 10,
             .zeroText = "formula",
             .help = "Multiplies cos and sin, so the logits of rotated channels by its square.",
             .source = "YaRN, eq. 22; attention_factor of Hugging Face",
             .applies = usesOneOf({"yarn", "longrope"})},
            [](auto& scene) -> auto& { return scene.scaling.attentionFactor; }),
        bound(
            mscaleRow("scaling.mscale", "mscale",
                      "Slope m of the attention factor: (0.1 m ln s + 1) over the same with mscale_all_dim."),
            [](auto& scene) -> auto& { return scene.scaling.mscale; }),
        bound(
            mscaleRow("scaling.mscale_all_dim", "mscale_all_dim",
                      "Slope below the line; where either is absent, 0.1 ln s + 1 is used."),
            [](auto& scene) -> auto& { return scene.scaling.mscaleAllDim; }),
        bound(
            {.id = "scaling.softmax_multiplier",
             .label = "Softmax multiplier",
             .unit = "×",
             .group = "Scaling",
             .hardMaximum = 100,
             .minimumExcluded = true,
             .help = "Further factor on all logits before the softmax; DeepSeek puts its temperature here.",
             .source = "DeepSeek-V3, inference/model.py: mscale squared",
             .applies = usesOneOf({"yarn"}),
             .advanced = true},
            [](auto& scene) -> auto& { return scene.scaling.softmaxMultiplier; }),
        bound(
            llamaFactor(
                "scaling.low_freq_factor", "Low frequency factor",
                "Pairs with fewer turns than this within the original length are divided by the factor."),
            [](auto& scene) -> auto& { return scene.scaling.lowFrequencyFactor; }),
        bound(
            llamaFactor("scaling.high_freq_factor", "High frequency factor",
                        "Pairs with more turns than this within the original length are kept."),
            [](auto& scene) -> auto& { return scene.scaling.highFrequencyFactor; }),
        boundChoice<LongRopeList>(
            {.id = "scaling.longrope_list",
             .label = "Factor list",
             .group = "Scaling",
             .help = "The long list above the original length and the short one up to it, or always one.",
             .source = "Phi-3 in Hugging Face (by length), MLX (always long)",
             .applies = usesOneOf({"longrope"})},
            {{LongRopeList::by_length, "by_length", "By length"},
             {LongRopeList::always_short, "always_short", "Short"},
             {LongRopeList::always_long, "always_long", "Long"}},
            [](auto& scene) -> auto& { return scene.scaling.longRopeList; }),
        bound(
            divisors("scaling.short_factors", "Short factors",
                     "One divisor a pair, up to the original length."),
            [](auto& scene) -> auto& { return scene.scaling.shortFactors; }),
        bound(
            divisors("scaling.long_factors", "Long factors",
                     "One divisor a pair, above the original length."),
            [](auto& scene) -> auto& { return scene.scaling.longFactors; }),
        bound(
            {.id = "scaling.original_length",
             .label = "Original length",
             .unit = "tokens",
             .group = "Scaling",
             .kind = ParameterKind::integer,
             .hardMaximum = longestContext,
             .zeroText = "trained",
             .help = "L in the scaling's formula, where it is not the trained length.",
             .source = "original_max_position_embeddings of Hugging Face",
             .applies = usesOneOf({"yarn", "longrope", "llama3"})},
            [](auto& scene) -> auto& { return scene.scaling.originalLength; }),

        bound(
            lengthRow("length.trained", "Trained", 131072, {512, 2048, 8192, 32768, 131072},
                      "Tokens in a row that the model saw in pretraining.",
                      "max_position_embeddings of Hugging Face"),
            [](auto& scene) -> auto& { return scene.length.trained; }),
        bound(
            lengthRow("length.target", "Target", 1048576, {512, 4096, 16384, 131072, 1048576},
                      "Tokens in a row that the model shall run at; the current length of dynamic NTK and "
                      "LongRoPE.",
                      "Position Interpolation, section 2.3"),
            [](auto& scene) -> auto& { return scene.length.target; }),
    };
}

}  // namespace phaseladder
