#pragma once

namespace phaseladder {

/// Bytes that programs can still take without swapping: MemAvailable of Linux; elsewhere half of the physical
/// memory. 0 when the system tells neither.
[[nodiscard]] double availableMemoryBytes();

}  // namespace phaseladder
