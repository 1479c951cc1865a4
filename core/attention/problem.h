#pragma once

#include <cstdint>
#include <memory>

#include "core/attention/content.h"
#include "core/attention/head_rows.h"
#include "core/encodings/encoding.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// One head's attention, before rotation. Query i stands at position queryStart + i, key j at keyStart + j:
/// both from 0 and as many for a text, apart where a file holds the queries of a part of it.
struct AttentionProblem {
    HeadRows queries;   ///< queries × d
    HeadRows keys;      ///< keys × d
    HeadRows values;    ///< keys × d; without rows where nothing asks for hidden states
    EncodingPlan plan;  ///< its additive and concatenated rows are already inside queries, keys and values
    bool causal = false;
    std::int64_t queryStart = 0, keyStart = 0;
};

/// Positions that have a code: queries from here on see nothing, and keys from here on are not seen.
[[nodiscard]] std::int64_t definedTokens(const AttentionProblem& problem);

/// Factor between q·k of width d and the logit.
[[nodiscard]] double logitScale(const EncodingPlan& plan, std::int64_t width);

/// The plan's rows of positions 0 .. positions-1, added or concatenated, positions × width; without rows
/// where it has none.
[[nodiscard]] RowMatrix positionRows(const EncodingPlan& plan, std::int64_t positions, std::int64_t width);

/// Logit of a query and a key, d numbers each, that have their positions in them already; scale is
/// logitScale().
[[nodiscard]] double pairLogit(const EncodingPlan& plan, double scale,
                               const Eigen::Ref<const Eigen::RowVectorXd>& query, std::int64_t queryPosition,
                               const Eigen::Ref<const Eigen::RowVectorXd>& key, std::int64_t keyPosition);

/// The plan of the scene's encoding for its text, or a sentence why there is none.
[[nodiscard]] Result<EncodingPlan> makePlan(const Scene& scene, std::int64_t positions);

/// Attention of scene.head in the first layer: seeded token vectors (the same word gets the same vector), the
/// plan's rows, then the head's seeded W_q, W_k, W_v. No tokens give matrices without rows. The caller sees
/// to it that tokens × d fits the memory.
[[nodiscard]] std::shared_ptr<const AttentionProblem> makeProblem(const Scene& scene, EncodingPlan plan);

/// Attention of scene.head in a later layer (from 1), which reads the residual stream (tokens × width).
[[nodiscard]] std::shared_ptr<const AttentionProblem> makeLayerProblem(const Scene& scene, EncodingPlan plan,
                                                                       const RowMatrix& stream, int layer);

}  // namespace phaseladder
