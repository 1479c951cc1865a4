#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/ladder/scaling_list.h"

namespace phaseladder {
namespace {

/// The base ladder spans the whole head: exponents 2k/d.
Result<ScaledLadder> apply(const Ladder& base, const Scene& scene) {
    ScaledLadder scaled{.ladder = base};
    std::vector<long double>& frequencies = scaled.ladder.inverseFrequency;
    const double headDim = 2.0 * static_cast<double>(frequencies.size());
    const auto turning = static_cast<std::size_t>(std::floor(scene.rope.partial * headDim / 2.0));
    for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
        frequencies[pair] = pair < turning ? frequencies[pair] / scene.scaling.factor : 0.0L;
    }
    scaled.notes.push_back(fmt::format("{} of {} pairs turn; the slow tail does not.",
                                       std::min(turning, frequencies.size()), frequencies.size()));
    return scaled;
}

}  // namespace

Scaling proportionalScaling() {
    return {
        .id = "proportional",
        .label = "Proportional (p-RoPE)",
        .help =
            "Only the fastest share p of the pairs turns; the slow tail of the full-width ladder stands "
            "still. "
            "Unlike partial rotary, the exponents run over the whole head.",
        .formula = "w'_k = b^(-2k/d) / s for k < int(p d/2), else 0",
        .source =
            "Barbero et al. 2024, Round and Round We Go; Hugging Face transformers (proportional, Gemma 4)",
        .apply = apply};
}

}  // namespace phaseladder
