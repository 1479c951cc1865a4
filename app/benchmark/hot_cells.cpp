#include "app/benchmark/hot_cells.h"

#include <algorithm>
#include <set>

#include "app/benchmark/attention_data.h"
#include "core/random.h"

namespace phaseladder::app {

HotCells hotCells(std::int64_t tokens, int width, int count) {
    const AttentionData data = normalData(tokens, width);
    FloatRows queries(tokens, width);
    data.queries.copyRows(0, tokens, queries.data());
    const std::int64_t firstRow = tokens / 16;
    Random random(2);
    HotCells cells;
    std::set<std::int64_t> rows, columns;
    while (static_cast<int>(cells.places.size()) < count) {
        const std::int64_t row =
            firstRow + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(tokens - firstRow)));
        const auto column = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(row)));
        if (rows.contains(row) || columns.contains(column)) {
            continue;
        }
        rows.insert(row);
        columns.insert(column);
        data.keys.copyRows(column, column + 1, queries.row(row).data());
        queries.row(row) *= 3.0f;
        cells.places.emplace_back(row, column);
    }
    AttentionProblem problem;
    problem.queries = HeadRows(std::move(queries));
    problem.keys = data.keys;
    problem.causal = true;
    cells.problem = std::make_shared<const AttentionProblem>(std::move(problem));
    return cells;
}

double visiblePercent(const HotCells& cells, const AttentionResult& map) {
    const std::int64_t tokens = cells.problem->queries.rows();
    const auto visible = std::count_if(cells.places.begin(), cells.places.end(), [&](const auto& place) {
        const std::int64_t row = place.first * map.pixelRows / tokens;
        const std::int64_t column = place.second * map.pixelColumns / tokens;
        return map.map[static_cast<std::size_t>(row * map.pixelColumns + column)] >= 0.5;
    });
    return 100.0 * static_cast<double>(visible) / static_cast<double>(cells.places.size());
}

}  // namespace phaseladder::app
