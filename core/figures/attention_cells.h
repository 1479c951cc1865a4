#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/backend.h"
#include "core/figures/figure.h"
#include "core/figures/map_plan.h"
#include "core/scene.h"

namespace phaseladder {

/// A map at the plan's size: masked weights are 0, masked logits −infinity; what is undefined is no number.
struct MapValues {
    std::vector<double> values;
    std::vector<CellState> states;                 ///< empty: all are shown
    std::vector<std::int64_t> rowsWithoutKeys;     ///< rows of cells in which no key is visible
    std::vector<std::int64_t> rowsWithoutNumbers;  ///< rows in which a visible key has no number
};

/// Keys 0 .. n-1 of the map that its row sees.
[[nodiscard]] std::int64_t visibleKeys(const Scene& scene, const MapShape& shape, std::int64_t definedTokens,
                                       std::int64_t row);

/// The plan's cells of a result, by position or by token.
[[nodiscard]] MapValues arrangeCells(const Scene& scene, const AttentionResult& result, const MapPlan& plan);

}  // namespace phaseladder
