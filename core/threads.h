#pragma once

#include <functional>

namespace phaseladder {

/// At most `count` threads for the loops of the core from now on; count ≥ 1. Does nothing in a build without
/// OpenMP.
void limitThreads(int count);

/// Threads that the loops of the core use.
[[nodiscard]] int threadCount();

/// work(0) .. work(count - 1), on at most `mostThreads` threads at a time; the first exception is thrown on
/// when all have ended.
void forEachInParallel(int count, int mostThreads, const std::function<void(int)>& work);

/// The same, on all threads of the core.
inline void forEachInParallel(int count, const std::function<void(int)>& work) {
    forEachInParallel(count, threadCount(), work);
}

}  // namespace phaseladder
