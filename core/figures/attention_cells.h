#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/backend.h"
#include "core/figures/figure.h"
#include "core/scene.h"

namespace phaseladder {

/// What is drawn: a window of the map at a number of cells.
struct MapPlan {
    std::int64_t tokens = 0;
    CellWindow window;
    std::int64_t rows = 0, columns = 0;  ///< cells of the picture
    bool byToken = false;

    [[nodiscard]] std::int64_t windowRows() const { return window.rowEnd - window.rowBegin; }
    [[nodiscard]] std::int64_t windowColumns() const { return window.columnEnd - window.columnBegin; }
    [[nodiscard]] bool isPooled() const { return rows < windowRows() || columns < windowColumns(); }
    /// The first row of the map that a row of cells stands for.
    [[nodiscard]] std::int64_t firstRow(std::int64_t row) const {
        return window.rowBegin + row * windowRows() / rows;
    }
};

/// A map at the plan's size: masked weights are 0, masked logits −infinity; what is undefined is no number.
struct MapValues {
    std::vector<double> values;
    std::vector<CellState> states;                 ///< empty: all are shown
    std::vector<std::int64_t> rowsWithoutKeys;     ///< rows of cells in which no key is visible
    std::vector<std::int64_t> rowsWithoutNumbers;  ///< rows in which a visible key has no number
};

/// The plan's cells of a result, by position or by token. A row of which the whole is shown and all is masked
/// sees no key.
[[nodiscard]] MapValues arrangeCells(const Scene& scene, const AttentionResult& result, const MapPlan& plan);

}  // namespace phaseladder
