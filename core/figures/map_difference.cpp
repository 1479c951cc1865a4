#include "core/figures/map_difference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "core/figures/difference.h"
#include "core/figures/figure_parts.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

/// Grids are the same where cells miss each other by less than this share of a cell.
constexpr double gridTolerance = 1e-6;

CellState stricter(CellState left, CellState right) {
    for (const CellState state :
         {CellState::undefined, CellState::noKeys, CellState::aliased, CellState::masked}) {
        if (left == state || right == state) {
            return state;
        }
    }
    return CellState::shown;
}

/// A cell that the mask hides in one of them alone has a value there, where it is finite. Two values without
/// a ratio have none.
CellState comparedState(CellState pinned, CellState live, double value) {
    if (pinned == CellState::shown && live == CellState::shown && !std::isfinite(value)) {
        return CellState::undefined;
    }
    const bool isMaskedInOne = pinned != live && (pinned == CellState::masked || live == CellState::masked) &&
                               (pinned == CellState::shown || live == CellState::shown);
    return isMaskedInOne && std::isfinite(value) ? CellState::shown : stricter(pinned, live);
}

/// Whole cells from one start to another, or nothing where the grids miss each other.
std::optional<std::int64_t> cellsBetween(double from, double to, double step) {
    const double cells = (to - from) / step;
    return std::abs(cells - std::round(cells)) > gridTolerance ? std::nullopt
                                                               : std::optional(std::llround(cells));
}

/// Along one side: the cells of both together, where each of them begins, and how many both have.
struct SharedSide {
    std::int64_t cells = 0, pinned = 0, live = 0, shared = 0;
};

std::optional<SharedSide> sharedSide(double pinnedStart, std::int64_t pinnedCells, double liveStart,
                                     std::int64_t liveCells, double step) {
    const std::optional<std::int64_t> offset = cellsBetween(pinnedStart, liveStart, step);
    if (!offset) {
        return std::nullopt;
    }
    const std::int64_t first = std::min<std::int64_t>(*offset, 0);
    const std::int64_t end = std::max(pinnedCells, *offset + liveCells);
    const std::int64_t shared =
        std::min(pinnedCells, *offset + liveCells) - std::max<std::int64_t>(*offset, 0);
    return SharedSide{end - first, -first, *offset - first, shared};
}

std::optional<SharedSide> sharedRows(const Heatmap& pinned, const Heatmap& live) {
    return sharedSide(pinned.rowStart, pinned.rows, live.rowStart, live.rows, live.rowStep);
}

std::optional<SharedSide> sharedColumns(const Heatmap& pinned, const Heatmap& live) {
    return sharedSide(pinned.columnStart, pinned.columns, live.columnStart, live.columns, live.columnStep);
}

std::string cellSize(const Heatmap& map) {
    return fmt::format("{} × {}", formatForPeople(map.rowStep, 4), formatForPeople(map.columnStep, 4));
}

bool isSameStep(double pinned, double live, std::int64_t cells) {
    return std::abs(pinned - live) * static_cast<double>(cells) < gridTolerance * live;
}

/// Index of a cell of the grid in a map that begins there; nothing where the map does not reach.
std::optional<std::size_t> cellIn(std::int64_t row, std::int64_t column, std::int64_t rows,
                                  std::int64_t columns) {
    const bool isInside = row >= 0 && row < rows && column >= 0 && column < columns;
    return isInside ? std::optional(static_cast<std::size_t>(row * columns + column)) : std::nullopt;
}

}  // namespace

std::string whyNotSubtracted(const Heatmap& pinned, const Heatmap& live) {
    if (pinned.valueTitle != live.valueTitle ||
        (pinned.map == ColorMapKind::cyclic) != (live.map == ColorMapKind::cyclic)) {
        return fmt::format("A shows {}, B {}; show the same values in both", pinned.valueTitle,
                           live.valueTitle);
    }
    const bool isSameStack = pinned.tiles.has_value() == live.tiles.has_value() &&
                             (!live.tiles || (pinned.tiles->rows == live.tiles->rows &&
                                              pinned.rows == live.rows && pinned.columns == live.columns));
    if (!isSameStack) {
        return "A has another number of maps, or of cells in each; show equally many in both";
    }
    if (!isSameStep(pinned.rowStep, live.rowStep, live.rows) ||
        !isSameStep(pinned.columnStep, live.columnStep, live.columns)) {
        return fmt::format(
            "a cell spans {} places in A, {} in B; show equally many places in both, or zoom in",
            cellSize(pinned), cellSize(live));
    }
    const std::optional<SharedSide> rows = sharedRows(pinned, live);
    const std::optional<SharedSide> columns = sharedColumns(pinned, live);
    if (!rows || !columns) {
        return "the cells of A lie between those of B; let both begin at the same place";
    }
    return rows->shared > 0 && columns->shared > 0 ? ""
                                                   : "A and B show no place in common; let their ranges meet";
}

CommonGrid commonGrid(const Heatmap& pinned, const Heatmap& live) {
    const SharedSide rows = sharedRows(pinned, live).value_or(SharedSide());
    const SharedSide columns = sharedColumns(pinned, live).value_or(SharedSide());
    CommonGrid grid;
    grid.rows = rows.cells;
    grid.columns = columns.cells;
    grid.pinnedRow = rows.pinned;
    grid.pinnedColumn = columns.pinned;
    grid.liveRow = rows.live;
    grid.liveColumn = columns.live;
    grid.sharedRows = rows.shared;
    grid.sharedColumns = columns.shared;
    grid.rowStart = std::min(pinned.rowStart, live.rowStart);
    grid.columnStart = std::min(pinned.columnStart, live.columnStart);
    return grid;
}

std::vector<double> cellDifferences(const CommonGrid& grid, const Matrix& pinned, const Matrix& live,
                                    AxisScale scale, std::optional<double> period) {
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(grid.rows * grid.columns));
    for (std::int64_t row = 0; row < grid.rows; ++row) {
        for (std::int64_t column = 0; column < grid.columns; ++column) {
            const auto before =
                cellIn(row - grid.pinnedRow, column - grid.pinnedColumn, pinned.rows, pinned.columns);
            const auto now = cellIn(row - grid.liveRow, column - grid.liveColumn, live.rows, live.columns);
            if (!before || !now) {
                values.push_back(noValue);
                continue;
            }
            const double a = pinned.values[*before];
            const double b = live.values[*now];
            values.push_back(period ? circularDifference(a, b, *period) : differenceOn(scale, a, b));
        }
    }
    return values;
}

Heatmap differenceMap(const Heatmap& pinned, const Heatmap& live) {
    const CommonGrid grid = commonGrid(pinned, live);
    const bool isCyclic = live.map == ColorMapKind::cyclic;
    Heatmap map = live;
    map.rows = grid.rows;
    map.columns = grid.columns;
    map.rowStart = grid.rowStart;
    map.columnStart = grid.columnStart;
    map.map = ColorMapKind::diverging;
    map.phaseTicks = false;
    map.scale = AxisScale::linear;
    map.valueTitle = "Δ " + live.valueTitle + (live.scale == AxisScale::log10 ? ", log₂(B / A)" : "");
    map.values = cellDifferences(grid, {pinned.rows, pinned.columns, pinned.values},
                                 {live.rows, live.columns, live.values}, live.scale,
                                 isCyclic ? std::optional(live.high - live.low) : std::nullopt);
    const bool isWhole = grid.sharedRows == grid.rows && grid.sharedColumns == grid.columns;
    if (isWhole && pinned.states.empty() && live.states.empty() && live.scale == AxisScale::linear) {
        return map;
    }
    map.states.assign(map.values.size(), CellState::undefined);
    for (std::int64_t row = 0; row < grid.rows; ++row) {
        for (std::int64_t column = 0; column < grid.columns; ++column) {
            const auto cell = static_cast<std::size_t>(row * grid.columns + column);
            const auto before =
                cellIn(row - grid.pinnedRow, column - grid.pinnedColumn, pinned.rows, pinned.columns);
            const auto now = cellIn(row - grid.liveRow, column - grid.liveColumn, live.rows, live.columns);
            if (before && now) {
                map.states[cell] =
                    comparedState(pinned.stateAt(*before), live.stateAt(*now), map.values[cell]);
            }
        }
    }
    return map;
}

}  // namespace phaseladder
