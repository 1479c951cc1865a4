#include "tests/acceptance/machine_speed.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <numeric>
#include <thread>
#include <vector>

namespace phaseladder::tests {
namespace {

double threadSeconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Of one thread that works for a tenth of a second.
double ownShare() {
    const auto start = std::chrono::steady_clock::now();
    const double before = threadSeconds();
    std::chrono::duration<double> wall{0.0};
    while (wall.count() < 0.1) {
        wall = std::chrono::steady_clock::now() - start;
    }
    return (threadSeconds() - before) / wall.count();
}

}  // namespace

const char* slowBuildReason() {
#if defined(__SANITIZE_ADDRESS__)
    return "this build is instrumented (AddressSanitizer)";
#elif defined(__SANITIZE_THREAD__)
    return "this build is instrumented (ThreadSanitizer)";
#elif !defined(__OPTIMIZE__)
    return "this build is not optimized";
#else
    return nullptr;
#endif
}

double processorShare() {
    std::vector<double> shares(std::max(1U, std::thread::hardware_concurrency()));
    std::vector<std::thread> threads;
    for (double& share : shares) {
        threads.emplace_back([&share] { share = ownShare(); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    return std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size());
}

}  // namespace phaseladder::tests
