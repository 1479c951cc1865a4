#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// Rows of the learned table for positions 0 .. : what a text can use of it.
struct LearnedTable {
    std::int64_t tableRows = 0;  ///< of the whole table
    std::int64_t usable = 0;     ///< positions that have a row: tableRows - offset
    std::vector<double> rows{};  ///< min(usable, count) × head_dim, row-major
};

/// The scene's table, seeded (normal, standard deviation 1) or read from its file, for at most `count`
/// positions of a valid scene. Refused: a file that cannot be read or is no table (its kind of error), a
/// width other than head_dim, an offset that leaves no row.
[[nodiscard]] Result<LearnedTable> learnedTable(const Scene& scene, std::int64_t count,
                                                std::stop_token stop = {});

/// The same without rows, as its file was when it was last looked at.
[[nodiscard]] Result<LearnedTable> knownLearnedTable(const Scene& scene);

}  // namespace phaseladder
