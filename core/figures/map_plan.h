#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/attention/backend.h"
#include "core/attention/captured.h"
#include "core/figures/figure_list.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// Longest text whose two orders are compared, and whose map can be put in token order.
inline constexpr std::int64_t maximumOrderTokens = 1024;

/// How far the sum of a row of weights may be from 1.
inline constexpr double rowSumTolerance = 1e-5;

/// What is drawn of a map: a window of it at a number of cells.
struct MapPlan {
    MapShape shape;             ///< of the whole map
    UndefinedRows undefined{};  ///< rows and columns of the whole map without numbers
    CellWindow window;
    std::int64_t rows = 0, columns = 0;  ///< cells of the picture
    bool byToken = false;

    [[nodiscard]] std::int64_t windowRows() const { return window.rowEnd - window.rowBegin; }
    [[nodiscard]] std::int64_t windowColumns() const { return window.columnEnd - window.columnBegin; }
    [[nodiscard]] bool isPooled() const { return rows < windowRows() || columns < windowColumns(); }
    /// Whether there is room for words in it: numbers in the cells, why a row has none.
    [[nodiscard]] bool isWritten() const {
        constexpr std::int64_t mostCells = 16;  // a side
        return !isPooled() && rows <= mostCells && columns <= mostCells;
    }
    /// The first row of the map that a row of cells stands for.
    [[nodiscard]] std::int64_t firstRow(std::int64_t row) const {
        return window.rowBegin + row * windowRows() / rows;
    }
};

/// Refuses a text longer than the longest map, or whose queries, keys and values do not fit the memory beside
/// what the backend that runs first takes at once.
[[nodiscard]] Result<void> checkMapSize(const Scene& scene, const FigureRequest& request,
                                        const BackendInfo& backend, const MapShape& shape);

/// The window that was asked for, or all, at no more cells than it has. Refuses a window outside the map.
[[nodiscard]] Result<MapPlan> planMap(const Scene& scene, const FigureRequest& request,
                                      const MapShape& shape);

/// "weight, mean", or "weight, mean, mean of heads": what a cell of the plan is, for the colour bar.
[[nodiscard]] std::string mapValueTitle(const Scene& scene, const FigureRequest& request, const MapPlan& plan,
                                        bool isMeanOfHeads);

/// Behind the title of a map that is not made of all its rows.
inline constexpr std::string_view ofSampledRows = ", sampled rows";

/// "weight" of "weight, mean, mean of heads": what a map's values are, however they were put together.
[[nodiscard]] std::string quantityOf(std::string valueTitle);

/// What to ask a backend for: the plan's cells; the whole map where it is to be put in token order.
[[nodiscard]] MapRequest mapRequest(const Scene& scene, const FigureRequest& request, const MapPlan& plan);

}  // namespace phaseladder
