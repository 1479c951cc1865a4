#include <fmt/format.h>

#include "core/encodings/encoding_list.h"
#include "core/encodings/rope_axes.h"
#include "core/ladder/scaling.h"
#include "core/number_text.h"
#include "core/phase/phase_turns.h"

namespace phaseladder {
namespace {

Result<EncodingPlan> plan(const Scene& scene, std::int64_t tokens) {
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
    PairRotation& rotation = *result.rotation;
    rotation.axisNames = axisNames(scene.rope.axes);
    rotation.axisOfPair = axisOfPair(scene, rotation.rotaryDim / 2);
    rotation.axisPositions = axisPositions(scene, tokens);
    if (scene.scaling.method == "yarn") {
        result.softmaxMultiplier = scene.scaling.softmaxMultiplier;
    }
    return result;
}

std::string numbers(const Scene& scene) {
    const Result<SceneLadders> ladders = sceneLadders(scene);
    if (!ladders) {
        return ladders.error().message;
    }
    const Ladder& ladder = ladders->scaled.ladder;
    std::string text =
        fmt::format("b = {}, r = {}: {} pairs, wavelengths {} .. {} tokens", formatGrouped(scene.rope.theta),
                    2 * ladder.inverseFrequency.size(), ladder.inverseFrequency.size(),
                    formatForPeople(wavelengthTokens(ladder.inverseFrequency.front()), 4),
                    formatForPeople(longestWavelength(ladder), 6));
    if (scene.rope.axes == RopeAxes::mrope || scene.rope.axes == RopeAxes::mrope_interleaved) {
        const std::vector<int> sections =
            mropeSections(scene, static_cast<int>(ladder.inverseFrequency.size()));
        text += fmt::format("; {} pairs for time, {} for rows, {} for columns", sections[0], sections[1],
                            sections[2]);
    }
    return text;
}

}  // namespace

Encoding ropeEncoding() {
    return {
        .id = "rope",
        .label = "RoPE (rotary)",
        .help =
            "Turns each pair of channels of queries and keys by an angle that grows with the position. "
            "The logit "
            "of two tokens then depends on their content and their distance only.",
        .formula = "(x, y) -> (x cos t - y sin t, x sin t + y cos t),  t = p theta^(-2k/r)",
        .limits = "Past the trained length slow pairs reach angles never seen in training: scale the ladder.",
        .source = "Su et al. 2021, RoFormer, eq. 15 and 34",
        .numbers = numbers,
        .plan = plan,
        .ladders = sceneLadders};
}

}  // namespace phaseladder
