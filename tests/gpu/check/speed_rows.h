#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace phaseladder::tests {

enum class Outcome { right, wrong };

/// Prints the rows G1, exact maps of texts of these lengths, cold, and G2, windows of the longest one, warm:
/// one causal head of 128 channels without positions, random and seeded. The device is in this process, and
/// for the last row at the other end of the helper's pipe. Each map is compared with double precision.
[[nodiscard]] Outcome printSpeedRows(const std::vector<std::int64_t>& lengths,
                                     const std::vector<std::string>& helper);

}  // namespace phaseladder::tests
