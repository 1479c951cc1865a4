#pragma once

#include "gpu/helper/device_calls.h"

namespace phaseladder::gpu {

/// The device 0 of CUDA, with everything in its default stream. On a machine without a driver, or in a build
/// without CUDA, the calls say so.
[[nodiscard]] DeviceCalls makeCudaDevice();

}  // namespace phaseladder::gpu
