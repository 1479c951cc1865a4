#pragma once

#include <stop_token>

#include "core/attention/order_table.h"

namespace phaseladder {

/// By how much some order changes a token against the present one.
struct LargestChange {
    double hidden = 0.0;  ///< |Δh|, any channel
    double weight = 0.0;  ///< |Δ| of the weight that it gives to any token
};

/// The largest change of a token over all n! orders, exact and without trying them. With the token at one
/// position, a channel of its hidden state is Σ E x / Σ E over the tokens given to the visible positions: a
/// linear-fractional assignment. It is above λ for some order just when the best assignment of the gains
/// E (x − λ) is above 0 (Dinkelbach, Management Science 13, 1967, 492–498), so λ climbs from assignment to
/// assignment; what cannot beat the best so far even if positions were shared is skipped.
/// `reached` is a change that some order is known to make; smaller ones are not looked for, nor any below
/// `negligible`. Stops early when asked.
[[nodiscard]] LargestChange largestChange(const OrderTable& table, int token,
                                          const OrderTable::States& present, LargestChange reached,
                                          double negligible, const std::stop_token& stop);

}  // namespace phaseladder
