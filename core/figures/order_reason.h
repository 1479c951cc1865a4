#pragma once

#include <string>

#include "core/attention/order_sweep.h"
#include "core/encodings/encoding.h"
#include "core/scene.h"

namespace phaseladder {

/// Why other orders change hidden states or leave them as they are, in one sentence, from what the plan and
/// the mask depend on. isBlind: what the sweep found.
[[nodiscard]] std::string orderReason(const Scene& scene, const EncodingPlan& plan, const OrderSweep& sweep,
                                      bool isBlind);

}  // namespace phaseladder
