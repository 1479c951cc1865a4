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
};

/// A map at the plan's size: masked weights are 0, masked logits −infinity; what is undefined is no number.
struct MapValues {
    std::vector<double> values;
    std::vector<CellState> states;  ///< empty: all are shown
};

/// The plan's cells of a result, by position or by token.
[[nodiscard]] MapValues arrangeCells(const Scene& scene, const AttentionResult& result, const MapPlan& plan);

}  // namespace phaseladder
