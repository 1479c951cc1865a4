#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/encodings/encoding_list.h"
#include "core/ladder/ladder.h"
#include "core/number_text.h"
#include "core/phase/phase_turns.h"

namespace phaseladder {
namespace {

constexpr double largestLogGrowth = 700.0;  // e^700 is about 10^304

/// ζ of pair k: (2k + 0.4 r) / (1.4 r), below 1.
double growthOf(int pair, int rotaryWidth) {
    return (2.0 * pair + 0.4 * rotaryWidth) / (1.4 * rotaryWidth);
}

std::int64_t centreOf(XposCentre centre, std::int64_t tokens) {
    switch (centre) {
        case XposCentre::flash_attention:
            return tokens / 2;
        case XposCentre::torchscale:
            return (tokens + 1) / 2;  // min_pos = -(n) // 2 rounds down
        case XposCentre::none:
            break;
    }
    return 0;
}

Result<EncodingPlan> plan(const Scene& scene, std::int64_t tokens) {
    const int width = rotaryDim(scene);
    PairRotation rotation{.turnsPerToken = phaseTurns(plainLadder(scene.rope.theta, width)),
                          .layout = RopeLayout::interleaved,
                          .rotaryDim = width};
    for (int pair = 0; pair < width / 2; ++pair) {
        rotation.logGrowthPerToken.push_back(std::log(growthOf(pair, width)) / scene.xpos.scaleBase);
    }
    rotation.growthCentre = centreOf(scene.xpos.centre, tokens);
    const auto farthest =
        static_cast<double>(std::max(rotation.growthCentre, tokens - 1 - rotation.growthCentre));
    if (std::abs(rotation.logGrowthPerToken.front()) * farthest > largestLogGrowth) {
        return fail(ErrorKind::failed,
                    fmt::format("xPos overflows: keys {} tokens from the centre grow past 10^304. Raise "
                                "xpos.scale_base (now {}), centre the positions or shorten the text.",
                                formatGrouped(farthest), formatNumber(scene.xpos.scaleBase)));
    }
    return EncodingPlan{.rotation = std::move(rotation)};
}

std::string numbers(const Scene& scene) {
    const int width = rotaryDim(scene);
    const auto halfLife = [&](int pair) {
        return formatForPeople(scene.xpos.scaleBase * std::log(0.5) / std::log(growthOf(pair, width)), 4);
    };
    return fmt::format("b = {}, r = {}, B = {}: the fastest pair halves in {} tokens, the slowest in {}",
                       formatGrouped(scene.rope.theta), width, formatForPeople(scene.xpos.scaleBase, 6),
                       halfLife(0), halfLife(width / 2 - 1));
}

}  // namespace

Encoding xposEncoding() {
    return {.id = "xpos",
            .label = "xPos",
            .help =
                "Turns pairs as RoPE does, and makes fast pairs fade with distance. What oscillates without "
                "carrying far is damped, so the logit falls smoothly.",
            .formula = "RoPE with each pair's share times zeta_k^((i - j)/B),  zeta_k = (2k + 0.4 r)/(1.4 r)",
            .limits =
                "The growth of a single query or key overflows unless positions are centred, and a cache "
                "must keep "
                "one centre.",
            .source =
                "Sun et al. 2022, A Length-Extrapolatable Transformer; torchscale xpos_relative_position.py",
            .numbers = numbers,
            .plan = plan,
            .ladders = [](const Scene& scene) -> Result<SceneLadders> {
                return unscaledLadders(plainLadder(scene.rope.theta, rotaryDim(scene)));
            }};
}

}  // namespace phaseladder
