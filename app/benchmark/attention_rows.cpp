#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/benchmark/attention_data.h"
#include "app/benchmark/hot_cells.h"
#include "app/benchmark/painted_map.h"
#include "app/benchmark/parts.h"
#include "core/memory.h"
#include "core/random.h"

namespace phaseladder::app {
namespace {

constexpr int width = 128;
constexpr std::int64_t pixels = 1024;

/// Rows of a first preview: about as many as the window takes with two threads.
std::int64_t previewRows(std::int64_t tokens) {
    constexpr std::int64_t scores = std::int64_t{1} << 25;
    return std::max<std::int64_t>(scores / tokens, 16);
}

/// A row and the problem of its last run.
struct MeasuredMap {
    BenchmarkRow row;
    std::shared_ptr<const AttentionProblem> problem;
};

/// The map of all of a text, as after a tick of a slider: its frequencies, and with them all rotated keys and
/// sums, are new each time.
MeasuredMap measureMap(const std::string& id, Backend& backend, const AttentionData& data,
                       std::int64_t sampledRows, int repeats) {
    const double before = peakMegabytes();
    std::shared_ptr<const AttentionProblem> problem;
    BenchmarkRow row = measure(
        id,
        fmt::format("n={}, d={}, causal, max, {} px{}", data.tokens(), width, std::min(pixels, data.tokens()),
                    sampledRows == 0 ? "" : fmt::format(", {} rows", sampledRows)),
        repeats, [&](int run) {
            problem = ropeProblem(data, 10000.0 + run);
            static_cast<void>(runOrThrow(backend, wholeMap(problem, pixels, sampledRows)));
        });
    row.limit = LimitKind::gemm;
    row.amount = scoreGigaflop(wholeMap(problem, pixels, sampledRows));
    row.facts = {{"peak_megabytes", peakMegabytes()}, {"peak_megabytes_before", before}};
    return {std::move(row), std::move(problem)};
}

std::vector<BenchmarkRow> wholeMapPart(const std::string& id, std::int64_t tokens, int repeats) {
    const AttentionData data = normalData(tokens, width);
    return {measureMap(id, *makeCpuBackend(), data, 0, repeats).row};
}

std::vector<BenchmarkRow> previewPart(const std::string& id, std::int64_t tokens, double longestMs) {
    const AttentionData data = normalData(tokens, width);
    BenchmarkRow row = measureMap(id, *makeCpuBackend(), data, previewRows(tokens), 11).row;
    row.limit = LimitKind::delay;
    row.amount = longestMs;
    return {row};
}

/// 1:1 windows at random places of the lower triangle of a map whose row sums are known.
BenchmarkRow randomWindows(Backend& backend, const std::shared_ptr<const AttentionProblem>& problem) {
    constexpr double longestMs = 16.0;
    constexpr int windows = 200;
    Random random(1);
    const auto places = static_cast<std::uint64_t>(problem->queries.rows() - pixels + 1);
    BenchmarkRow row = measure(
        "B7_windows_131072",
        fmt::format("n={}, 1:1 windows of 1024 x 1024 cells at random places", problem->queries.rows()),
        windows, [&](int) {
            auto top = static_cast<std::int64_t>(random.below(places));
            auto left = static_cast<std::int64_t>(random.below(places));
            if (left > top) {
                std::swap(top, left);
            }
            AttentionRequest request = wholeMap(problem, pixels);
            request.map->window = {top, top + pixels, left, left + pixels};
            static_cast<void>(runOrThrow(backend, request));
        });
    row.amount = longestMs;
    row.facts.emplace_back("peak_megabytes", peakMegabytes());
    return row;
}

}  // namespace

std::vector<BenchmarkRow> map1024Rows() {
    return wholeMapPart("B3_map_1024", 1024, 31);
}

std::vector<BenchmarkRow> map4096Rows() {
    return wholeMapPart("B4_map_4096", 4096, 31);
}

std::vector<BenchmarkRow> map16384Rows() {
    return wholeMapPart("B5_map_16384", 16384, 11);
}

std::vector<BenchmarkRow> preview131072Rows() {
    return previewPart("B6_preview_131072", 131072, 100.0);
}

std::vector<BenchmarkRow> previewMillionRows() {
    constexpr double neededBytes = 4e9;
    if (availableMemoryBytes() < neededBytes) {
        return {};
    }
    return previewPart("B6_preview_1048576", std::int64_t{1} << 20, 1000.0);
}

std::vector<BenchmarkRow> map131072Rows() {
    const AttentionData data = normalData(131072, width);
    const std::unique_ptr<Backend> backend = makeCpuBackend();
    MeasuredMap exact = measureMap("B6_map_131072", *backend, data, 0, 3);
    return {std::move(exact.row), randomWindows(*backend, exact.problem)};
}

std::vector<BenchmarkRow> hotCellRows() {
    const HotCells cells = hotCells(16384, width, 100);
    const std::unique_ptr<Backend> backend = makeCpuBackend();
    AttentionResult result;
    BenchmarkRow row =
        measure("B10_hot_cells_16384",
                fmt::format("{} single hot cells in n=16384, max, {} px", cells.places.size(), pixels), 3,
                [&](int) { result = runOrThrow(*backend, wholeMap(cells.problem, pixels)); });
    row.amount = 1000.0;
    PaintedMap widget;
    widget.setValues(result.pixelRows, result.pixelColumns, std::move(result.map), result.masked, 1.0);
    row.facts.emplace_back("visible_percent", visiblePercent(cells, widget.grab().toImage()));
    return {row};
}

}  // namespace phaseladder::app
