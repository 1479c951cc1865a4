#pragma once

#include "core/attention/backend.h"

namespace phaseladder::gpu {

/// Attention on a GPU through the helper program `phaseladder-gpu`. There is no helper program yet: info()
/// says so, and run() refuses with ErrorKind::unavailable.
[[nodiscard]] std::unique_ptr<Backend> makeGpuBackend();

}  // namespace phaseladder::gpu
