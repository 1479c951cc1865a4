#pragma once

namespace phaseladder {

/// At most `count` threads for the loops of the core from now on; count ≥ 1. Does nothing in a build without
/// OpenMP.
void limitThreads(int count);

/// Threads that the loops of the core use.
[[nodiscard]] int threadCount();

}  // namespace phaseladder
