#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/attention/backend.h"
#include "core/attention/problem.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// What each token brings into the first layer: tokens × width, its vector with the plan's rows added, or
/// with them beside it (width 2d).
[[nodiscard]] RowMatrix inputStream(const Scene& scene, const EncodingPlan& plan);

/// The residual stream before each layer and after the last of `layers`: x⁰ is inputStream, and
/// xˡ⁺¹ = xˡ + Σ over heads of A V W_o. layers + 1 matrices, tokens × width. Additive and concatenated rows
/// enter once; everything else of the plan acts in each layer. Rows of undefined tokens are NaN from x¹ on.
[[nodiscard]] Result<std::vector<RowMatrix>> residualStream(const Scene& scene, int layers, Backend& backend,
                                                            std::stop_token stop);

/// Attention of scene.head in the scene's last layer, on what the layers before it made of the text.
[[nodiscard]] Result<std::shared_ptr<const AttentionProblem>> makeLastProblem(const Scene& scene,
                                                                              Backend& backend,
                                                                              std::stop_token stop);

}  // namespace phaseladder
