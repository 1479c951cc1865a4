#include "core/figures/table_difference.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "core/figures/difference.h"
#include "core/figures/figure_parts.h"
#include "core/figures/map_difference.h"
#include "core/figures/panel_pairs.h"

namespace phaseladder {
namespace {

/// How many columns name the rows of a table: the first one, and the second where the first repeats itself.
std::size_t keyColumns(const std::vector<TableColumn>& table) {
    std::vector<double> first = table.front().values;
    std::ranges::sort(first);
    return table.size() > 2 && std::ranges::adjacent_find(first) != first.end() ? 2 : 1;
}

/// The map that a matrix holds the numbers of, if any.
const Heatmap* mapOfMatrix(const Figure& figure) {
    for (const Panel& panel : figure.panels) {
        for (const Heatmap* map : layersOfKind<Heatmap>(panel)) {
            if (map->rows == figure.matrix->rows && map->columns == figure.matrix->columns) {
                return map;
            }
        }
    }
    return nullptr;
}

}  // namespace

std::vector<TableColumn> tableDifference(const std::vector<TableColumn>& pinned,
                                         const std::vector<TableColumn>& live) {
    if (live.empty()) {
        return {};
    }
    const std::size_t keys = keyColumns(live);
    std::vector<TableColumn> table(live.begin(), live.begin() + static_cast<std::ptrdiff_t>(keys));
    bool isKeyed = pinned.size() >= keys;
    std::map<std::pair<double, double>, std::size_t> rows;
    const auto keyOf = [keys](const std::vector<TableColumn>& of, std::size_t row) {
        return std::pair(of[0].values[row], keys > 1 ? of[1].values[row] : 0.0);
    };
    for (std::size_t key = 0; isKeyed && key < keys; ++key) {
        isKeyed = pinned[key].name == live[key].name;
    }
    for (std::size_t row = 0; isKeyed && row < pinned.front().values.size(); ++row) {
        rows.emplace(keyOf(pinned, row), row);
    }
    for (std::size_t column = keys; column < live.size(); ++column) {
        const auto partner = std::ranges::find(pinned, live[column].name, &TableColumn::name);
        TableColumn delta{"delta_" + live[column].name, {}};
        for (std::size_t row = 0; row < live[column].values.size(); ++row) {
            const auto found = partner == pinned.end() ? rows.end() : rows.find(keyOf(live, row));
            delta.values.push_back(
                found == rows.end() ? noValue
                                    : difference(partner->values[found->second], live[column].values[row]));
        }
        table.push_back(std::move(delta));
    }
    return table;
}

std::optional<Matrix> matrixDifference(const Figure& pinned, const Figure& live) {
    if (!pinned.matrix || !live.matrix) {
        return std::nullopt;
    }
    const Heatmap* before = mapOfMatrix(pinned);
    const Heatmap* now = mapOfMatrix(live);
    if (before != nullptr && now != nullptr) {
        if (!whyNotSubtracted(*before, *now).empty()) {
            return std::nullopt;
        }
        const CommonGrid grid = commonGrid(*before, *now);
        const bool isCyclic = now->map == ColorMapKind::cyclic;
        return Matrix{grid.rows,
                      grid.columns,
                      cellDifferences(grid, *pinned.matrix, *live.matrix, AxisScale::linear,
                                      isCyclic ? std::optional(now->high - now->low) : std::nullopt),
                      false,
                      live.matrix->partName,
                      live.matrix->partRows};
    }
    if (before != now || pinned.matrix->rows != live.matrix->rows ||
        pinned.matrix->columns != live.matrix->columns) {
        return std::nullopt;
    }
    const CommonGrid same{live.matrix->rows, live.matrix->columns};
    return Matrix{same.rows, same.columns,
                  cellDifferences(same, *pinned.matrix, *live.matrix, AxisScale::linear, std::nullopt)};
}

}  // namespace phaseladder
