#include "core/encodings/encoding_list.h"
#include "core/ladder/scaling.h"
#include "core/phase/phase_turns.h"

namespace phaseladder {
namespace {

Result<EncodingPlan> plan(const Scene& scene, std::int64_t /*tokens*/) {
    const Result<SceneLadders> ladders = sceneLadders(scene);
    if (!ladders) {
        return tl::unexpected(ladders.error());
    }
    const Ladder& ladder = ladders->scaled.ladder;
    EncodingPlan result;
    result.rotation = PairRotation{.turnsPerToken = phaseTurns(ladder),
                                   .layout = scene.rope.layout,
                                   .rotaryDim = 2 * static_cast<int>(ladder.inverseFrequency.size()),
                                   .attentionFactor = ladder.attentionFactor};
    if (scene.scaling.method == "yarn") {
        result.softmaxMultiplier = scene.scaling.softmaxMultiplier;
    }
    return result;
}

}  // namespace

Encoding ropeEncoding() {
    return {.id = "rope",
            .label = "RoPE (rotary)",
            .help =
                "Turns each pair of channels of queries and keys by an angle that grows with the position. "
                "The logit "
                "of two tokens then depends on their content and their distance only.",
            .formula = "(x, y) -> (x cos t - y sin t, x sin t + y cos t),  t = p theta^(-2k/r)",
            .source = "Su et al. 2021, RoFormer, eq. 15 and 34",
            .plan = plan};
}

}  // namespace phaseladder
