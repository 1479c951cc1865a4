#pragma once

#include <cstdint>
#include <memory>

#include "core/attention/backend.h"

namespace phaseladder::app {

/// Queries and keys of one head as they come from a file: float, before rotation.
struct AttentionData {
    HeadRows queries, keys;

    [[nodiscard]] std::int64_t tokens() const { return queries.rows(); }
    [[nodiscard]] int width() const { return static_cast<int>(queries.cols()); }
};

/// Seeded and standard normal, all rows distinct: no text that repeats its words makes them.
[[nodiscard]] AttentionData normalData(std::int64_t tokens, int width);

/// Causal attention of them under RoPE. Another theta is another problem: nothing that a backend keeps of
/// one serves the other.
[[nodiscard]] std::shared_ptr<const AttentionProblem> ropeProblem(const AttentionData& data, double theta);

/// All of a problem's map, pooled by the maximum to at most `pixels` a side; made of `sampledRows` of its
/// rows, or of all (0).
[[nodiscard]] AttentionRequest wholeMap(const std::shared_ptr<const AttentionProblem>& problem,
                                        std::int64_t pixels, std::int64_t sampledRows = 0);

/// Multiplications and additions of the scores that a request needs of a causal map, in 10^9.
[[nodiscard]] double scoreGigaflop(const AttentionRequest& request);

/// The result of a request that has to succeed: the program ends with its sentence where it does not.
[[nodiscard]] AttentionResult runOrThrow(Backend& backend, const AttentionRequest& request);

}  // namespace phaseladder::app
