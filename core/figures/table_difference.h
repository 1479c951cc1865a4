#pragma once

#include <optional>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder {

/// Columns of A and B by name, as columns "delta_NAME". Rows are those of B, found in A by their names: the
/// first column, with the second where the first repeats itself. What A does not have is an empty cell.
[[nodiscard]] std::vector<TableColumn> tableDifference(const std::vector<TableColumn>& pinned,
                                                       const std::vector<TableColumn>& live);

/// B - A of the matrices of two figures, in the grid that holds both; no matrix where the numbers of A are
/// others, or at other places.
[[nodiscard]] std::optional<Matrix> matrixDifference(const Figure& pinned, const Figure& live);

}  // namespace phaseladder
