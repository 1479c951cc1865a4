#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "app/benchmark/parts.h"
#include "app/benchmark/words.h"
#include "core/attention/order_sweep.h"
#include "core/attention/permutations.h"
#include "core/phase/cos_sin_table.h"

namespace phaseladder::app {
namespace {

/// All orders of different words under RoPE, by a sweep made anew each time.
BenchmarkRow allOrders(const std::string& id, int words, bool counts, double longestMs) {
    Scene scene;
    scene.tokens = differentWords(words);
    BenchmarkRow row = measure(
        id, fmt::format("{} tokens, d={}, {}", words, scene.headDim, counts ? "with counts" : "verdict"), 15,
        [&](int) {
            Result<OrderSweep> sweep = OrderSweep::create(scene, {});
            if (!sweep || !sweep->differences(identityOrder(words), {}) ||
                (counts && !sweep->counts(identityOrder(words), nullptr, {}))) {
                throw std::runtime_error("The orders could not be swept.");
            }
        });
    row.amount = longestMs;
    return row;
}

/// The largest distance of a table from the exact cosines and sines, over rows spread through it.
double largestError(const Ladder& ladder, const std::vector<float>& cosine, const std::vector<float>& sine) {
    const std::vector<std::uint64_t> turns = phaseTurns(ladder);
    const std::size_t positions = cosine.size() / turns.size();
    double largest = 0.0;
    for (std::size_t position = 0; position < positions; position += 997) {
        for (std::size_t pair = 0; pair < turns.size(); ++pair) {
            const CosSin exact = cosSin(phaseOf(turns[pair], position));
            const std::size_t at = position * turns.size() + pair;
            largest = std::max({largest, std::abs(exact.cosine - static_cast<double>(cosine[at])),
                                std::abs(exact.sine - static_cast<double>(sine[at]))});
        }
    }
    return largest;
}

}  // namespace

std::vector<BenchmarkRow> phaseTableRows() {
    constexpr std::int64_t positions = 131072;
    constexpr std::size_t pairs = 64;
    std::vector<float> cosine(static_cast<std::size_t>(positions) * pairs);
    std::vector<float> sine(cosine.size());
    Ladder ladder;
    BenchmarkRow row = measure("B1_phase_tables", "131072 positions x 64 pairs", 15, [&](int run) {
        ladder = plainLadder(10000.0 + run, static_cast<int>(2 * pairs));
        CosSinTable(phaseTurns(ladder), positions).fill(cosine, sine);
    });
    row.limit = LimitKind::store;
    row.amount = 2.0 * static_cast<double>(cosine.size() * sizeof(float)) * 1e-9;
    row.facts.emplace_back("largest_error", largestError(ladder, cosine, sine));
    return {row};
}

std::vector<BenchmarkRow> orderRows() {
    return {allOrders("B9_orders_8", 8, false, 10.0), allOrders("B9_orders_8_counts", 8, true, 10.0),
            allOrders("B9_orders_9", 9, false, 100.0), allOrders("B9_orders_10", 10, false, 1000.0),
            allOrders("B9_orders_10_counts", 10, true, 10000.0)};
}

}  // namespace phaseladder::app
