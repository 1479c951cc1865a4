#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/attention/order_table.h"
#include "core/progress.h"
#include "core/result.h"

namespace phaseladder {

/// How many states of a token countStates() goes through: (n-1)! a position, or the ordered prefixes.
[[nodiscard]] std::int64_t statesOfToken(const OrderTable& table);

/// Distinct hidden states of a token over all orders in which it stands at one of the positions, by going
/// through every assignment of other tokens to the positions that it sees. Memory: 48 bytes a state. Adds one
/// step a state to the progress.
[[nodiscard]] Result<std::int64_t> countStates(const OrderTable& table, int token,
                                               std::span<const int> positions, double tolerance,
                                               Progress* progress, std::stop_token stop);

}  // namespace phaseladder
