#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>

#include "core/threads.h"

namespace phaseladder {

/// Runs work(worker, 0) .. work(worker, count - 1) on all threads of the core, each with a worker of its own
/// (make()) that keeps its buffers, and hands each one to collect() at the end. The order of the collected is
/// that of the threads: only what does not depend on it may be taken from them. False, with work left
/// undone, where work returned false.
template <class Worker, class Make, class Work, class Collect>
[[nodiscard]] bool forEachTask(std::size_t count, Make make, Work work, Collect collect) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> isStopped{false};
    std::mutex collecting;
    forEachInParallel(threadCount(), [&](int) {
        if (next >= count) {
            return;
        }
        Worker worker = make();
        for (std::size_t task = next++; task < count && !isStopped; task = next++) {
            if (!work(worker, task)) {
                isStopped = true;
            }
        }
        const std::lock_guard lock(collecting);
        collect(worker);
    });
    return !isStopped;
}

}  // namespace phaseladder
