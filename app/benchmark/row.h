#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/benchmark/ceilings.h"

namespace phaseladder::app {

/// What the time of a row is held against.
enum class LimitKind {
    gemm,   ///< amount: GFLOP of a repeat
    store,  ///< amount: gigabytes written in a repeat
    delay,  ///< amount: the longest wait, in milliseconds
};

/// One measured thing.
struct BenchmarkRow {
    std::string id;    ///< "B4_map_4096": rows of one item of work begin alike
    std::string size;  ///< what it was measured with
    double medianMs = 0.0, p95Ms = 0.0;
    int repeats = 0;
    LimitKind limit = LimitKind::delay;
    double amount = 0.0;
    /// Further measured numbers by name: "visible_percent", "largest_error", "peak_megabytes".
    std::vector<std::pair<std::string, double>> facts{};
};

/// For a rate, the share of the ceiling that the median reached; for a delay, p95 over the longest wait.
[[nodiscard]] double limitRatio(const BenchmarkRow& row, const Ceilings& ceilings);

/// Times `work` after one run to warm up. A run of more than 1 s is repeated 3 times at most; one of more
/// than 10 s not at all: its first run counts. `work` is told which run it is, from 0.
[[nodiscard]] BenchmarkRow measure(const std::string& id, const std::string& size, int repeats,
                                   const std::function<void(int run)>& work);

/// The most memory that this process has held so far, in units of 10^6 bytes; 0 where the system does not
/// say.
[[nodiscard]] double peakMegabytes();

}  // namespace phaseladder::app
