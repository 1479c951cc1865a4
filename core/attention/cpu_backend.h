#pragma once

#include <cstdint>

namespace phaseladder {

/// What the CPU backend takes, at most, for one request with its result, beside the problem's own queries,
/// keys and values: turned keys (also those that it keeps of earlier problems, which share the keys), sums of
/// rows, the buffers of all threads, and the map. Give pixels 0 where no map is asked for.
struct CpuBackendNeed {
    std::int64_t queries = 0, keys = 0;
    std::int64_t width = 0;  ///< channels of a head
    std::int64_t pixelRows = 0, pixelColumns = 0;
    bool hiddenStates = false;
};
[[nodiscard]] double cpuBackendBytes(const CpuBackendNeed& need);

}  // namespace phaseladder
