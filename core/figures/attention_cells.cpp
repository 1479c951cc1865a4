#include "core/figures/attention_cells.h"

#include <algorithm>
#include <limits>

#include "core/figures/figure_parts.h"
#include "core/figures/order_comparison.h"

namespace phaseladder {
namespace {

/// Why a cell of the result that nothing fell into has no value: its query or its key has no code, or the
/// mask hides it.
CellState hiddenState(const AttentionResult& result, std::int64_t row, std::int64_t column) {
    const bool isDefined = row < result.definedTokens && column < result.definedTokens;
    return isDefined ? CellState::masked : CellState::undefined;
}

/// The whole map with rows and columns in token order (PᵀAP), cut to the plan's window.
AttentionResult inTokenOrder(const Scene& scene, const AttentionResult& result, const MapPlan& plan) {
    const std::vector<std::int64_t> positions = positionsByToken(scene);
    AttentionResult ordered;
    for (std::int64_t row = plan.window.rowBegin; row < plan.window.rowEnd; ++row) {
        for (std::int64_t column = plan.window.columnBegin; column < plan.window.columnEnd; ++column) {
            const auto source =
                static_cast<std::size_t>(positions[static_cast<std::size_t>(row)] * plan.tokens +
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
            states.push_back(masked[states.size()] == 0 ? CellState::shown : hiddenState(result, query, key));
        }
    }
    return states;
}

}  // namespace

MapValues arrangeCells(const Scene& scene, const AttentionResult& result, const MapPlan& plan) {
    MapValues cells;
    if (!plan.byToken) {
        cells = {result.map, cellStates(scene, result, plan, result.masked)};
    } else {
        AttentionResult ordered = inTokenOrder(scene, result, plan);
        cells.states = cellStates(scene, result, plan, ordered.masked);
        cells.values = std::move(ordered.map);
    }
    for (std::size_t cell = 0; cell < cells.states.size(); ++cell) {
        if (cells.states[cell] == CellState::undefined) {
            cells.values[cell] = noValue;
        } else if (cells.states[cell] == CellState::masked && scene.view.values == ViewValues::logits) {
            cells.values[cell] = -std::numeric_limits<double>::infinity();
        }
    }
    return cells;
}

}  // namespace phaseladder
