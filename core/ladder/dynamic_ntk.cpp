#include <algorithm>

#include "core/ladder/scaling_list.h"

namespace phaseladder {
namespace {

/// L is the trained length (Hugging Face reads max_position_embeddings, never the original length); n is the
/// target length, at least L.
Result<ScaledLadder> apply(const Ladder& base, const Scene& scene) {
    const long double trained = static_cast<long double>(scene.length.trained);
    const long double current = static_cast<long double>(std::max(scene.length.target, scene.length.trained));
    const long double factor = scene.scaling.factor;
    const long double multiplier = factor * current / trained - (factor - 1.0L);
    return withMultipliedBase(base, scene.rope.theta, multiplier, "Dynamic NTK scaling");
}

}  // namespace

Scaling dynamicNtkScaling() {
    return {.id = "dynamic_ntk",
            .label = "Dynamic NTK",
            .help =
                "NTK-aware scaling that grows with the text: nothing changes up to the trained length. The "
                "factor "
                "is a multiplier, not the extension ratio.",
            .formula = "b' = b (s n/L - (s-1))^(r/(r-2)),  n = max(target, L)",
            .source = "emozilla 2023; Hugging Face transformers, modeling_rope_utils.py (dynamic)",
            .apply = apply};
}

}  // namespace phaseladder
