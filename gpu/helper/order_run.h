#pragma once

#include "gpu/helper/device_session.h"
#include "gpu/helper/run_watch.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {

/// How far the hidden states of orders of a few tokens are from the present ones. Where the session has
/// failed after it, the result means nothing.
[[nodiscard]] ResultMessage runOrders(DeviceSession& session, const OrdersMessage& orders,
                                      const RunWatch& watch);

}  // namespace phaseladder::gpu
