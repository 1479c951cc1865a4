#include "core/figures/attention_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
