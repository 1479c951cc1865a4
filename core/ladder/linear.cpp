#include "core/ladder/scaling_list.h"

namespace phaseladder {
namespace {

Result<ScaledLadder> apply(const Ladder& base, const Scene& scene) {
    ScaledLadder scaled{.ladder = base};
    for (long double& frequency : scaled.ladder.inverseFrequency) {
        frequency /= scene.scaling.factor;
    }
    return scaled;
}

}  // namespace

Scaling linearScaling() {
    return {.id = "linear",
            .label = "Linear (position interpolation)",
            .help =
                "Divides every frequency by the factor, so that a longer text fits into the trained range of "
                "phases. Neighbouring tokens come closer by the same factor in every pair.",
            .formula = "w'_k = w_k / s",
            .source = "Chen et al. 2023, Extending Context Window via Position Interpolation, eq. 4",
            .apply = apply};
}

}  // namespace phaseladder
