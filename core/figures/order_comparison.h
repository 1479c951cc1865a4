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

/// The scene in the order to compare with: the original one, or the rotated one (every token a place on)
/// where the scene has the original.
[[nodiscard]] Scene comparedScene(const Scene& scene);

/// Whether two orders of a text hold each token equally often (a longer text repeats the list).
[[nodiscard]] bool holdSameTokens(const Scene& scene, const Scene& other);

/// Positions of the text sorted by the token that stands there (its place in scene.tokens); repeats keep
/// their order.
[[nodiscard]] std::vector<std::int64_t> positionsByToken(const Scene& scene);

/// Compares each token's hidden state (in `result`) with the one that it has under another order of the same
/// tokens: the original order, or the rotated one (every token a place on) where the scene has the original.
/// Adds readouts order_difference (largest |Δh|) and order_verdict (order-blind within
/// Engine::stateTolerance, else order-aware), or a note where the two texts hold different tokens.
[[nodiscard]] Result<void> addOrderComparison(Figure& figure, const Scene& scene,
                                              const AttentionResult& result, Engine& engine,
                                              std::stop_token stop);

}  // namespace phaseladder
