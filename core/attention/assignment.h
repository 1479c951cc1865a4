#pragma once

#include <span>
#include <vector>

namespace phaseladder {

/// Gives each of `rows` places one of `columns` (at least as many) things, none twice, so that the sum of the
/// gains (rows × columns, row-major) is largest; the column of each row. Hungarian method with potentials,
/// O(rows² · columns).
[[nodiscard]] std::vector<int> bestAssignment(std::span<const double> gains, int rows, int columns);

}  // namespace phaseladder
