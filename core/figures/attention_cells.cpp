#include "core/figures/attention_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/pooled_map.h"
#include "core/figures/figure_parts.h"
#include "core/figures/order_comparison.h"
#include "core/index.h"

namespace phaseladder {
namespace {

/// Why a cell of the result that nothing fell into has no value: its query sees no key at all, its key has no
/// code, or the mask hides it.
CellState hiddenState(const Scene& scene, const AttentionResult& result, const MapShape& shape,
                      std::int64_t row, std::int64_t column) {
    return visibleKeys(scene, shape, result.definedTokens, row) == 0 ? CellState::noKeys
           : shape.keyStart + column >= result.definedTokens         ? CellState::undefined
                                                                     : CellState::masked;
}

/// The rows of pixels, or the columns, in which ascending rows of a window fall.
std::vector<std::uint8_t> pixelsOf(const std::vector<std::int64_t>& rows, std::int64_t begin,
                                   std::int64_t end, std::int64_t pixels) {
    std::vector<std::uint8_t> hit(static_cast<std::size_t>(pixels), 0);
    const std::vector<std::int64_t> edges = pixelEdges(begin, end, pixels);
    for (const std::int64_t row : rows) {
        if (row >= begin && row < end) {
            const auto after = std::ranges::upper_bound(edges, row);
            hit[static_cast<std::size_t>(after - edges.begin() - 1)] = 1;
        }
    }
    return hit;
}

/// Marks the cells that a row without numbers reaches: all of a query, and of a key its column of logits, or
/// the weights of each query that sees it.
void markUndefined(const Scene& scene, const AttentionResult& result, const MapPlan& plan, MapValues& cells) {
    UndefinedRows bad = plan.undefined;
    if (bad.isEmpty()) {
        return;
    }
    const bool isWeight = scene.view.values == ViewValues::weights;
    if (isWeight && !bad.keys.empty()) {
        const std::int64_t begin = plan.byToken ? 0 : plan.window.rowBegin;
        const std::int64_t end = plan.byToken ? plan.shape.queries : plan.window.rowEnd;
        for (std::int64_t row = begin; row < end; ++row) {
            if (visibleKeys(scene, plan.shape, result.definedTokens, row) > bad.keys.front()) {
                bad.queries.push_back(row);
            }
        }
    }
    if (plan.byToken) {  // what stands at a position has its own row and column
        const std::vector<std::int64_t> positions = positionsByToken(scene);
        for (std::vector<std::int64_t>* side : {&bad.queries, &bad.keys}) {
            std::ranges::transform(*side, side->begin(), [&](std::int64_t position) {
                return std::ranges::find(positions, position) - positions.begin();
            });
        }
    }
    std::ranges::sort(bad.queries);
    std::ranges::sort(bad.keys);
    const auto rows = pixelsOf(bad.queries, plan.window.rowBegin, plan.window.rowEnd, plan.rows);
    const auto columns =
        isWeight ? std::vector<std::uint8_t>(static_cast<std::size_t>(plan.columns), 0)
                 : pixelsOf(bad.keys, plan.window.columnBegin, plan.window.columnEnd, plan.columns);
    cells.states.resize(cells.values.size(), CellState::shown);
    for (std::size_t cell = 0; cell < cells.values.size(); ++cell) {
        const std::size_t row = cell / columns.size(), column = cell % columns.size();
        if ((rows[row] != 0 || columns[column] != 0) && cells.states[cell] != CellState::masked) {
            cells.states[cell] = CellState::undefined;
        }
    }
}

/// The whole map with rows and columns in token order (PᵀAP), cut to the plan's window.
AttentionResult inTokenOrder(const Scene& scene, const AttentionResult& result, const MapPlan& plan) {
    const std::vector<std::int64_t> positions = positionsByToken(scene);
    AttentionResult ordered;
    for (std::int64_t row = plan.window.rowBegin; row < plan.window.rowEnd; ++row) {
        for (std::int64_t column = plan.window.columnBegin; column < plan.window.columnEnd; ++column) {
            const auto source =
                static_cast<std::size_t>(positions[static_cast<std::size_t>(row)] * plan.shape.keys +
                                         positions[static_cast<std::size_t>(column)]);
            ordered.map.push_back(result.map[source]);
            ordered.masked.push_back(result.masked[source]);
        }
    }
    return ordered;
}

/// Why the masked cells have no value; empty where none is masked.
std::vector<CellState> cellStates(const Scene& scene, const AttentionResult& result, const MapPlan& plan,
                                  const std::vector<std::uint8_t>& masked) {
    if (std::ranges::find(masked, 1) == masked.end()) {
        return {};
    }
    const std::vector<std::int64_t> positions =
        plan.byToken ? positionsByToken(scene) : std::vector<std::int64_t>();
    const auto positionOf = [&](std::int64_t index) {
        return plan.byToken ? positions[static_cast<std::size_t>(index)] : index;
    };
    std::vector<CellState> states;
    states.reserve(masked.size());
    for (std::int64_t row = 0; row < plan.rows; ++row) {
        const std::int64_t query = positionOf(plan.window.rowBegin + row * plan.windowRows() / plan.rows);
        for (std::int64_t column = 0; column < plan.columns; ++column) {
            const std::int64_t key =
                positionOf(plan.window.columnBegin + column * plan.windowColumns() / plan.columns);
            states.push_back(masked[states.size()] == 0 ? CellState::shown
                                                        : hiddenState(scene, result, plan.shape, query, key));
        }
    }
    return states;
}

/// What should have a value and is no number is undefined: of a NaN, or an overflow, in queries or keys.
void markNoNumbers(MapValues& cells, const MapPlan& plan) {
    for (std::size_t cell = 0; cell < cells.values.size(); ++cell) {
        if (std::isfinite(cells.values[cell]) ||
            (!cells.states.empty() && cells.states[cell] != CellState::shown)) {
            continue;
        }
        if (cells.states.empty()) {
            cells.states.assign(cells.values.size(), CellState::shown);
        }
        cells.states[cell] = CellState::undefined;
        const std::int64_t row = static_cast<std::int64_t>(cell) / plan.columns;
        if (cells.rowsWithoutNumbers.empty() || cells.rowsWithoutNumbers.back() != row) {
            cells.rowsWithoutNumbers.push_back(row);
        }
    }
}

}  // namespace

std::int64_t visibleKeys(const Scene& scene, const MapShape& shape, std::int64_t definedTokens,
                         std::int64_t row) {
    const std::int64_t position = shape.queryStart + row;
    const std::int64_t end = position >= definedTokens ? 0
                             : scene.causal            ? std::min(position + 1, definedTokens)
                                                       : definedTokens;
    return std::clamp<std::int64_t>(end - shape.keyStart, 0, shape.keys);
}

MapValues arrangeCells(const Scene& scene, const AttentionResult& result, const MapPlan& plan) {
    MapValues cells;
    if (!plan.byToken) {
        cells.values = result.map;
        cells.states = cellStates(scene, result, plan, result.masked);
    } else {
        AttentionResult ordered = inTokenOrder(scene, result, plan);
        cells.states = cellStates(scene, result, plan, ordered.masked);
        cells.values = std::move(ordered.map);
    }
    markUndefined(scene, result, plan, cells);
    markNoNumbers(cells, plan);
    for (std::int64_t row = 0; row < plan.rows && !cells.states.empty(); ++row) {
        if (cells.states[index(row * plan.columns)] == CellState::noKeys) {
            cells.rowsWithoutKeys.push_back(row);
        }
    }
    for (std::size_t cell = 0; cell < cells.states.size(); ++cell) {
        if (cells.states[cell] == CellState::undefined || cells.states[cell] == CellState::noKeys) {
            cells.values[cell] = noValue;
        } else if (cells.states[cell] == CellState::masked && scene.view.values == ViewValues::logits) {
            cells.values[cell] = -std::numeric_limits<double>::infinity();
        }
    }
    return cells;
}

}  // namespace phaseladder
