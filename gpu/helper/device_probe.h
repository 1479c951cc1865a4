#pragma once

#include <functional>

#include "gpu/helper/device_session.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {

/// Opens the device and lets it compute phases with known cosines and sines. What came of it, as the helper
/// says hello; the session has failed where it is not ready.
[[nodiscard]] HelperHello probeDevice(DeviceSession& session, const std::function<void()>& meanwhile);

}  // namespace phaseladder::gpu
