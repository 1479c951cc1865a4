#pragma once

#include <string>
#include <vector>

#include "core/encodings/encoding.h"

namespace phaseladder {

// What the absolute encodings (learned, sinusoidal) share.

/// Whether the scene's encoding has rows of positions; false where it cannot be planned.
[[nodiscard]] bool isAbsolute(const Scene& scene);

/// The plan that adds rows (tokens × head_dim) to the token vectors, or sets them beside them, as the scene
/// asks.
[[nodiscard]] EncodingPlan absolutePlan(const Scene& scene, std::vector<double> rows);

/// "added: W_q, W_k, W_v hold 3 · 64 · 64 = 12,288 numbers", or twice as many where the rows are
/// concatenated.
[[nodiscard]] std::string joinText(const Scene& scene);

}  // namespace phaseladder
