#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/attention/backend.h"
#include "core/engine.h"
#include "core/figures/figure.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// Positions of the text sorted by the token that stands there (its place in scene.tokens); repeats keep
/// their order.
[[nodiscard]] std::vector<std::int64_t> positionsByToken(const Scene& scene);

/// Compares each token's hidden state (in `result`) with the one that it has under another order of the same
/// tokens: the original order, or the reversed one where the scene has the original. Adds readouts
/// order_difference (largest |Δh|) and order_verdict (order-blind within 1e-9 of the largest component, else
/// order-aware), or a note where the two texts hold different tokens.
[[nodiscard]] Result<void> addOrderComparison(Figure& figure, const Scene& scene,
                                              const AttentionResult& result, Engine& engine,
                                              std::stop_token stop);

}  // namespace phaseladder
