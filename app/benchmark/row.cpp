#include "app/benchmark/row.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

namespace phaseladder::app {

double limitRatio(const BenchmarkRow& row, const Ceilings& ceilings) {
    const double rate = row.amount / (row.medianMs * 1e-3);
    switch (row.limit) {
        case LimitKind::gemm:
            return rate / ceilings.gemmGigaflops;
        case LimitKind::store:
            return rate / ceilings.storeGigabytesPerSecond;
        case LimitKind::delay:
            break;
    }
    return row.p95Ms / row.amount;
}

BenchmarkRow measure(const std::string& id, const std::string& size, int repeats,
                     const std::function<void(int run)>& work) {
    constexpr double slowMs = 1e3, verySlowMs = 1e4;
    constexpr int slowRepeats = 3;
    const auto timed = [&work](int run) {
        const auto begin = std::chrono::steady_clock::now();
        work(run);
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    };
    const double first = timed(0);
    std::vector<double> times;
    if (first > verySlowMs) {
        times.push_back(first);
    } else {
        const int wanted = first > slowMs ? std::min(repeats, slowRepeats) : repeats;
        for (int run = 1; run <= wanted; ++run) {
            times.push_back(timed(run));
        }
    }
    std::sort(times.begin(), times.end());
    const auto quantile = [&times](double share) {
        return times[static_cast<std::size_t>(std::ceil(share * static_cast<double>(times.size()))) - 1];
    };
    return {id, size, quantile(0.5), quantile(0.95), static_cast<int>(times.size())};
}

double peakMegabytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        if (word == "VmHWM:") {
            double kibibytes = 0.0;
            status >> kibibytes;
            return kibibytes * 1024.0 * 1e-6;
        }
    }
    return 0.0;
}

}  // namespace phaseladder::app
