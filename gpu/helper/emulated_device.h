#pragma once

#include "gpu/emulation/thread_blocks.h"
#include "gpu/helper/device_calls.h"

namespace phaseladder::gpu {

/// A device whose kernels run on the processor (gpu/emulation), its memory being the program's. Launches
/// queue up for a thread of its own, as on a real one.
[[nodiscard]] DeviceCalls makeEmulatedDevice(BlockOrder order);

}  // namespace phaseladder::gpu
