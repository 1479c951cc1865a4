#include <cmath>

#include "core/encodings/encoding_list.h"
#include "core/phase/phase_turns.h"

// One more sample for each slot of a plan, so that its figures can be looked for.

namespace phaseladder {
namespace {

/// An encoding with nothing but a plan.
Encoding slotSample(std::string id, std::function<Result<EncodingPlan>(const Scene&, std::int64_t)> plan) {
    return {.id = std::move(id),
            .label = "Sample",
            .help = "A sample. It has one slot.",
            .formula = "x",
            .limits = "It is a sample.",
            .source = "tests/sample_encoding",
            .numbers = [](const Scene&) { return "1"; },
            .plan = std::move(plan)};
}

/// Two pairs: half a radian a token, and a quarter.
Ladder twoPairs() {
    return {.inverseFrequency = {0.5L, 0.25L}};
}

Result<EncodingPlan> turning(const Scene&, std::int64_t) {
    return EncodingPlan{.rotation = PairRotation{.turnsPerToken = phaseTurns(twoPairs()), .rotaryDim = 4}};
}

/// The second pair fades by half in ten tokens.
Result<EncodingPlan> fading(const Scene& scene, std::int64_t tokens) {
    Result<EncodingPlan> plan = turning(scene, tokens);
    plan->rotation->logGrowthPerToken = {0.0, std::log(0.5) / 10.0};
    return plan;
}

/// Row p holds p in its first channel and 1 in its second; 6 positions have one.
Result<EncodingPlan> table(const Scene& scene, std::int64_t tokens) {
    EncodingPlan plan;
    const auto width = static_cast<std::size_t>(scene.headDim);
    plan.additiveRows.assign(static_cast<std::size_t>(tokens) * width, 0.0);
    for (std::size_t row = 0; row < static_cast<std::size_t>(tokens); ++row) {
        plan.additiveRows[row * width] = static_cast<double>(row);
        plan.additiveRows[row * width + 1] = 1.0;
    }
    if (tokens > 6) {
        plan.definedTokens = 6;
    }
    return plan;
}

/// The key one token before the query gets a vector of ones, which meets the query; so does each value.
Result<EncodingPlan> vectors(const Scene& scene, std::int64_t) {
    const auto width = static_cast<std::size_t>(scene.headDim);
    RelativeVectors before{.reach = 1};
    before.rows.assign(3 * width, 0.0);
    std::fill_n(before.rows.begin(), width, 1.0);
    return EncodingPlan{.relativeKeys = before, .relativeValues = before};
}

}  // namespace

Encoding turningSample() {
    Encoding sample = slotSample("turning_sample", turning);
    sample.ladders = [](const Scene&) -> Result<SceneLadders> { return unscaledLadders(twoPairs()); };
    return sample;
}

Encoding fadingSample() {
    Encoding sample = slotSample("fading_sample", fading);
    sample.ladders = [](const Scene&) -> Result<SceneLadders> { return unscaledLadders(twoPairs()); };
    return sample;
}

Encoding tableSample() {
    return slotSample("table_sample", table);
}

Encoding vectorSample() {
    return slotSample("vector_sample", vectors);
}

}  // namespace phaseladder
