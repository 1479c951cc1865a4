#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder {

// Where the maps of a stack (Heatmap::tiles) lie in their panel. Each is a square of side 1 below the room
// for its number; y grows downwards.

/// Maps of a stack; 1 for a map that is none.
[[nodiscard]] std::int64_t tileCount(const Heatmap& map);

/// The left top corner of a map.
struct TilePlace {
    double x = 0.0, y = 0.0;
};
[[nodiscard]] TilePlace tilePlace(const MapTiles& tiles, std::int64_t tile);

/// A map of a stack as a part of the stack's rows, and where it is drawn: cell (r, c) of it is cell
/// (firstRow + r, c) of the stack. Starts and steps as in Heatmap.
struct MapPart {
    std::int64_t firstRow = 0, rows = 0;
    double rowStart = 0.0, rowStep = 1.0;
    double columnStart = 0.0, columnStep = 1.0;
};
/// The maps of a stack; a map that is none is its own only part.
[[nodiscard]] std::vector<MapPart> mapParts(const Heatmap& map);

/// The maps of a stack, each with cells of its own, where it is drawn and with the stack's colours.
[[nodiscard]] std::vector<Heatmap> placedMaps(const Heatmap& stack);

/// A cell of one map of a stack.
struct TileCell {
    std::int64_t tile = 0, row = 0, column = 0;
};
/// The cell at a place in the panel. Beside a map, over its number: nothing.
[[nodiscard]] std::optional<TileCell> tileCellAt(const Heatmap& stack, double x, double y);

/// How many of `count` maps side by side make them largest in a plot of this shape; of those nearly as good,
/// the one that leaves no row half empty.
[[nodiscard]] std::int64_t bestAcross(std::int64_t count, double width, double height, double gap,
                                      double labelRoom);

/// Gives a panel axes that hold all maps with a gap around them.
void fitAxes(Panel& panel, const Heatmap& stack);

/// What Ctrl + click, and Shift + click, on a map make of the list: it taken in or out; all between the shown
/// one and it. A list of the shown map alone is the empty one.
[[nodiscard]] std::vector<double> toggledList(const MapTiles& tiles, int tile);
[[nodiscard]] std::vector<double> rangeList(const MapTiles& tiles, int tile);

}  // namespace phaseladder
