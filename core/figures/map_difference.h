#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder {

/// Where two maps of cells of one size lie in the grid that holds both: the cell of the first row and column
/// of each.
struct CommonGrid {
    std::int64_t rows = 0, columns = 0;
    std::int64_t pinnedRow = 0, pinnedColumn = 0, liveRow = 0, liveColumn = 0;
    std::int64_t sharedRows = 0, sharedColumns = 0;  ///< cells a side that both have
    double rowStart = 0.0, columnStart = 0.0;
};

/// Why two maps cannot be subtracted, as the end of "Not compared: ..." with what to do; empty when they can.
[[nodiscard]] std::string whyNotSubtracted(const Heatmap& pinned, const Heatmap& live);

/// Of maps that can be subtracted.
[[nodiscard]] CommonGrid commonGrid(const Heatmap& pinned, const Heatmap& live);

/// B - A of matrices that lie in a grid like this, on a log scale log2(B / A); NaN in the cells that only one
/// of them has, and without a ratio. Phases: a period.
[[nodiscard]] std::vector<double> cellDifferences(const CommonGrid& grid, const Matrix& pinned,
                                                  const Matrix& live, AxisScale scale,
                                                  std::optional<double> period);

/// B - A cell by cell on a diverging map, log2(B / A) where B is in log colours; phases the shorter way
/// around. It reaches as far as both together:
/// a cell that only one of them has is undefined. A cell that is hidden in one of them is hidden, undefined
/// before no keys before aliased before masked, but for one that is masked in one of them and has a finite
/// value: it counts as that value.
[[nodiscard]] Heatmap differenceMap(const Heatmap& pinned, const Heatmap& live);

}  // namespace phaseladder
