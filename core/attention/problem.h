#pragma once

#include <cstdint>
#include <memory>

#include <Eigen/Core>

#include "core/encodings/encoding.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// One head's attention, before rotation. Positions in text order.
struct AttentionProblem {
    RowMatrix queries;  ///< tokens × d
    RowMatrix keys;     ///< tokens × d
    RowMatrix values;   ///< tokens × d
    EncodingPlan plan;  ///< its additive rows are already inside queries, keys and values
    bool causal = false;
};

/// The scene's problem: seeded token vectors (the same word gets the same vector), additive rows of the
/// encoding, then the shown head's seeded W_q, W_k, W_v (d × d, entries normal / √d; q = x W_q).
/// No tokens give matrices without rows. The caller sees to it that tokens × d fits the memory.
[[nodiscard]] Result<std::shared_ptr<const AttentionProblem>> makeProblem(const Scene& scene);

}  // namespace phaseladder
