// Runs every kernel on the host, on small data, for ThreadSanitizer to look for races between its threads.
//   emulated_races                    with all barriers
//   emulated_races --list             the same, then a line for each barrier that it met: "scores.cuh:176"
//   emulated_races --omit FILE:LINE   without this barrier
//   emulated_races --exchange-only    a kernel with a race, which the barrier of an exchange must not hide

#include <cstdio>
#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "gpu/emulation/thread_blocks.h"
#include "gpu/kernels.cuh"

namespace phaseladder::gpu {
namespace {

constexpr int tokens = 200;             // two tiles of rows and of keys, the second ones partial
constexpr int width = 40, stride = 48;  // three chunks of channels
constexpr int columns = 6, pixelRows = 5;
constexpr std::int64_t reach = 9, offsets = 2 * reach + 1;
constexpr int orderedTokens = 6, someOrders = 200;  // two blocks
constexpr unsigned rowTiles = (tokens + tileRows - 1) / tileRows;

std::string omittedBarrier;
std::set<std::string> metBarriers;  // by thread 0 of the blocks, so that nothing orders the threads

bool waitsAt(const char* file, int line) {
    const char* name = std::strrchr(file, '/');
    const std::string place = (name == nullptr ? file : name + 1) + (':' + std::to_string(line));
    if (threadIdx.x == 0) {
        metBarriers.insert(place);
    }
    return place != omittedBarrier;
}

/// Seeded numbers between -1 and 1.
std::vector<float> someNumbers(std::size_t count) {
    static std::uint32_t state = 1;
    std::vector<float> numbers(count);
    for (float& number : numbers) {
        state = state * 1664525U + 1013904223U;
        number = static_cast<float>(state >> 8U) * 0x1p-23f - 1.0f;
    }
    return numbers;
}

/// A thread each, or `threadsEach` threads, of blocks of plainThreads.
Grid blocksFor(int things, int threadsEach = 1) {
    return {static_cast<unsigned>((things * threadsEach + plainThreads - 1) / plainThreads)};
}

void runTiles(Grid grid, const std::function<void()>& kernel) {
    runBlocks(grid, tileThreads, BlockOrder::forward, kernel);
}

void runPlain(Grid grid, const std::function<void()>& kernel) {
    runBlocks(grid, plainThreads, BlockOrder::forward, kernel);
}

/// A head under RoPE, a causal mask, a bias and relative vectors, and what its kernels leave for each other.
struct Head {
    std::vector<std::uint64_t> turns = std::vector<std::uint64_t>(width / 2, 1ULL << 60U);
    std::vector<float> distinct = someNumbers(tokens * width), values = someNumbers(tokens * stride);
    std::vector<float> bias = someNumbers(offsets), table = someNumbers(offsets * stride);
    std::vector<std::int32_t> rows = std::vector<std::int32_t>(tokens);
    std::vector<std::int32_t> edges{0, 3, 40, 90, 128, 150, tokens}, groups{0, 2, columns};
    std::vector<std::int32_t> pixelBegins{0, 1, 60, 128, 130, tokens};
    std::vector<float> turned = std::vector<float>(tokens * stride), products, errors, map, hidden;
    std::vector<std::uint16_t> inBf16 = std::vector<std::uint16_t>(tokens * stride);
    std::vector<float> cosine = std::vector<float>(tokens * width / 2), sine = cosine;
    std::vector<Part> parts = std::vector<Part>(tokens * columns), sums = std::vector<Part>(tokens);
    Rotation rotation{turns.data(), width / 2, false, 1.0f, 1, nullptr, nullptr};
    ScoreColumnsArguments scores{};

    Head() {
        std::iota(rows.begin(), rows.end(), 0);
        products.resize(tokens * offsets);
        errors.resize(tokens);
        map.resize(pixelRows * columns);
        hidden.resize(tokens * stride);
        scores.queries = scores.keys = turned.data();
        scores.width = width;
        scores.stride = stride;
        scores.rows = rows.data();
        scores.rowCount = tokens;
        scores.edges = edges.data();
        scores.columns = columns;
        scores.groups = groups.data();
        scores.seen = {0, 0, tokens, tokens, true};
        scores.terms.scale = 0.2f;
        scores.terms.bias = bias.data();
        scores.terms.biasReach = reach;
        scores.terms.relative = products.data();
        scores.terms.relativeReach = reach;
        scores.terms.relativeLeast = -reach;
        scores.terms.relativeOffsets = offsets;
        scores.parts = parts.data();
    }
};

void runPhases(Head& head) {
    const PhaseTableArguments table{head.rotation, tokens, 0, 1, head.cosine.data(), head.sine.data()};
    runPlain(blocksFor(tokens * width / 2), [&] { fillPhaseTable(table); });
    const TurnRowsArguments turn{
        head.distinct.data(), nullptr,           tokens, width, stride, 0, head.rotation, {},
        head.turned.data(),   head.inBf16.data()};
    runPlain(blocksFor(tokens * stride / 2), [&] { turnRows(turn); });
}

void runRelative(Head& head) {
    const RelativeProductsArguments product{
        head.turned.data(), head.table.data(),   width, stride, head.rows.data(), tokens, 0,
        head.scores.terms,  head.products.data()};
    runTiles({rowTiles, 1}, [&] { relativeProducts(product); });
    RelativeTableArguments read{head.scores, head.table.data(), head.sums.data()};
    read.scores.rowCount = 7;  // each score costs ten meetings of a warp
    runPlain(blocksFor(read.scores.rowCount, warpThreads), [&] { relativeTable(read); });
}

void runScores(Head& head) {
    for (const Statistic statistic : {Statistic::sumOfLogits, Statistic::weights}) {
        head.scores.statistic = statistic;
        runTiles({rowTiles, 2}, [&] { scoreColumns(head.scores); });
    }
    TensorScoresArguments tensor{head.scores, head.inBf16.data(), head.inBf16.data()};
    tensor.scores.terms.relative = nullptr;
    runTiles({rowTiles, 2}, [&] { scoreColumnsTensor(tensor); });
    const SumRowsArguments sum{head.parts.data(), head.rows.data(), tokens,           head.edges.data(),
                               columns,           head.scores.seen, head.sums.data(), head.errors.data()};
    runPlain(blocksFor(tokens, warpThreads), [&] { sumRows(sum); });
    PoolColumnsArguments pool{};
    pool.parts = head.parts.data();
    pool.rows = head.rows.data();
    pool.edges = head.edges.data();
    pool.columns = pool.pixelColumns = columns;
    pool.pixelBegins = head.pixelBegins.data();
    pool.endPixel = pixelRows;
    pool.chunkEnd = tokens;
    pool.seen = head.scores.seen;
    pool.sums = head.sums.data();
    pool.map = head.map.data();
    runPlain({1, pixelRows}, [&] { poolColumns(pool); });
}

void runHidden(Head& head) {
    const HiddenStatesArguments hidden{head.scores, head.values.data(), head.table.data(),
                                       reach,       head.hidden.data(), head.sums.data()};
    runTiles({rowTiles, 1}, [&] { hiddenStates(hidden); });
}

void runOrders() {
    constexpr int n = orderedTokens;
    const std::vector<float> scores(n * n * n * n, 1.0f);
    const std::vector<float> values = someNumbers(n * n * width), present(n * width);
    std::vector<std::int32_t> largest(n);
    const OrdersArguments orders{n, width,      true,          scores.data(), values.data(), present.data(),
                                 0, someOrders, largest.data()};
    runPlain({2}, [&] { orderDifferences(orders); });
}

/// Reads what another thread of the warp wrote before an exchange. On a GPU that needs a barrier.
__global__ void readAfterExchange(float* to) {
    __shared__ float numbers[warpThreads];
    numbers[threadIdx.x] = 1.0f;
    const float before = exchange(2.0f, 1);
    to[threadIdx.x] = before + numbers[threadIdx.x ^ 1U];
}

void runExchange() {
    std::vector<float> to(warpThreads);
    runBlocks({1}, warpThreads, BlockOrder::forward, [&] { readAfterExchange(to.data()); });
}

void runKernels() {
    Head head;
    runOrders();
    runPhases(head);
    runRelative(head);
    runHidden(head);
    runScores(head);
}

int run(const std::vector<std::string>& arguments) {
    const std::string mode = arguments.empty() ? "" : arguments[0];
    if (mode == "--omit" && arguments.size() == 2) {
        omittedBarrier = arguments[1];
    } else if (arguments.size() > 1 || (mode != "" && mode != "--list" && mode != "--exchange-only")) {
        std::fputs("emulated_races [--list | --omit FILE:LINE | --exchange-only]\n", stderr);
        return 2;
    }
    filterBarriers(waitsAt);
    if (mode == "--exchange-only") {
        runExchange();
    } else {
        runKernels();
    }
    if (mode == "--omit" && !metBarriers.contains(omittedBarrier)) {
        std::fprintf(stderr, "no kernel came to a barrier at %s\n", omittedBarrier.c_str());
        return 2;
    }
    if (mode == "--list") {
        for (const std::string& place : metBarriers) {
            std::puts(place.c_str());
        }
    }
    return 0;
}

}  // namespace
}  // namespace phaseladder::gpu

int main(int count, char** words) {
    return phaseladder::gpu::run({words + 1, words + count});
}
