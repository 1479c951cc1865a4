#pragma once

#include <vector>

#include "core/scene.h"

namespace phaseladder {

/// Whether the scene's encoding is the one of slopes.
[[nodiscard]] bool hasSlopes(const Scene& scene);

/// Slope m of each head, heads ≥ 1. Common rule (Press' code, BLOOM, MPT, ggml): for the largest power of two
/// c ≤ heads, 2^(-8(h+1)/c), then every second slope of 2c for the others. Paper's ratio: 2^(-8(h+1)/heads).
[[nodiscard]] std::vector<double> alibiSlopes(AlibiSlopes rule, int heads);

}  // namespace phaseladder
