#pragma once

#include <cstdint>

#include "core/attention/backend.h"
#include "core/attention/problem.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {

/// The keys under which a helper has a problem's matrices; values 0: without.
struct RowKeys {
    std::uint64_t queries = 0, keys = 0, values = 0;
};

/// A matrix as it is sent: the distinct rows once.
[[nodiscard]] RowsMessage rowsMessage(const HeadRows& rows, std::uint64_t key);

/// A problem over matrices that were sent. Additive and concatenated rows of the plan are inside of those.
[[nodiscard]] ProblemMessage problemMessage(const AttentionProblem& problem, std::uint64_t key,
                                            const RowKeys& rows);

[[nodiscard]] MapMessage mapMessage(const MapRequest& map);

/// Bytes of the message's payload, roughly and never too few.
[[nodiscard]] std::uint64_t rowsBytes(const HeadRows& rows);

}  // namespace phaseladder::gpu
