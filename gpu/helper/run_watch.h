#pragma once

#include <cstdint>
#include <functional>

namespace phaseladder::gpu {

/// What a run looks at while the device computes.
struct RunWatch {
    std::function<bool()> isCancelled;
    std::function<void(std::int64_t doneRows, std::int64_t rows)> tell;  ///< called again and again
};

}  // namespace phaseladder::gpu
