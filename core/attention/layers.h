#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/attention/backend.h"
#include "core/attention/problem.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// Words at the positions of a text (tokens × d) with the rows of their positions: added (width d) or beside
/// them (width 2d); as they are where there are no rows.
[[nodiscard]] RowMatrix joinPositions(RowMatrix words, const RowMatrix& positions, bool isBeside);

/// What each token brings into the first layer: tokens × width.
[[nodiscard]] RowMatrix inputStream(const Scene& scene, const EncodingPlan& plan);

/// One head of a layer: what it attends to, and W_o (d × width), by which it adds to the stream.
struct HeadRun {
    std::shared_ptr<const AttentionProblem> problem;
    std::shared_ptr<const RowMatrix> output;
};

/// The residual stream before each layer and after the last of `layers`: xˡ⁺¹ = xˡ + Σ over heads of A V W_o,
/// from x⁰ = input. layers + 1 matrices, tokens × width. headOf(layer, head, xˡ) gives what a head runs.
[[nodiscard]] Result<std::vector<RowMatrix>> runLayers(
    RowMatrix input, int layers, int heads,
    const std::function<Result<HeadRun>(int layer, int head, const RowMatrix& stream)>& headOf,
    Backend& backend, std::stop_token stop);

/// The residual stream of a scene through `layers` layers. Additive and concatenated rows enter once;
/// everything else of the plan acts in each layer. Rows of undefined tokens are NaN from x¹ on.
[[nodiscard]] Result<std::vector<RowMatrix>> residualStream(const Scene& scene, int layers, Backend& backend,
                                                            std::stop_token stop);

}  // namespace phaseladder
