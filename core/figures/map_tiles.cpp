#include "core/figures/map_tiles.h"

#include <algorithm>
#include <cmath>

namespace phaseladder {
namespace {

/// A row of maps and the one above it are this far apart.
double rowPitch(const MapTiles& tiles) {
    return 1.0 + tiles.gap + tiles.labelRoom;
}

double columnPitch(const MapTiles& tiles) {
    return 1.0 + tiles.gap;
}

std::int64_t rowsOfTiles(std::int64_t count, std::int64_t across) {
    return (count + across - 1) / across;
}

/// The shown map alone needs no list.
std::vector<double> asList(const std::vector<int>& maps, const MapTiles& tiles) {
    return maps == std::vector{tiles.shown} ? std::vector<double>()
                                            : std::vector<double>(maps.begin(), maps.end());
}

}  // namespace

std::int64_t tileCount(const Heatmap& map) {
    return map.tiles ? map.rows / map.tiles->rows : 1;
}

TilePlace tilePlace(const MapTiles& tiles, std::int64_t tile) {
    return {static_cast<double>(tile % tiles.across) * columnPitch(tiles),
            static_cast<double>(tile / tiles.across) * rowPitch(tiles)};
}

std::vector<MapPart> mapParts(const Heatmap& map) {
    if (!map.tiles) {
        return {{0, map.rows, map.rowStart, map.rowStep, map.columnStart, map.columnStep}};
    }
    const std::int64_t rows = map.tiles->rows;
    std::vector<MapPart> parts;
    for (std::int64_t tile = 0; tile < tileCount(map); ++tile) {
        const TilePlace place = tilePlace(*map.tiles, tile);
        parts.push_back({tile * rows, rows, place.y, 1.0 / static_cast<double>(rows), place.x,
                         1.0 / static_cast<double>(map.columns)});
    }
    return parts;
}

std::vector<Heatmap> placedMaps(const Heatmap& stack) {
    std::vector<Heatmap> maps;
    if (!stack.tiles) {
        return maps;
    }
    Heatmap empty = stack;  // all but the cells
    empty.tiles.reset();
    empty.values.clear();
    empty.states.clear();
    for (const MapPart& part : mapParts(stack)) {
        Heatmap& map = maps.emplace_back(empty);
        map.rows = part.rows;
        map.rowStart = part.rowStart;
        map.rowStep = part.rowStep;
        map.columnStart = part.columnStart;
        map.columnStep = part.columnStep;
        const std::int64_t first = part.firstRow * stack.columns, end = first + part.rows * stack.columns;
        map.values.assign(stack.values.begin() + first, stack.values.begin() + end);
        if (!stack.states.empty()) {
            map.states.assign(stack.states.begin() + first, stack.states.begin() + end);
        }
    }
    return maps;
}

std::optional<TileCell> tileCellAt(const Heatmap& stack, double x, double y) {
    const MapTiles& tiles = *stack.tiles;
    const auto column = static_cast<std::int64_t>(std::floor(x / columnPitch(tiles)));
    const auto row = static_cast<std::int64_t>(std::floor(y / rowPitch(tiles)));
    const std::int64_t tile = row * tiles.across + column;
    if (x < 0.0 || y < 0.0 || column >= tiles.across || tile >= tileCount(stack)) {
        return std::nullopt;
    }
    const TilePlace place = tilePlace(tiles, tile);
    const double across = x - place.x, down = y - place.y;
    if (across >= 1.0 || down >= 1.0) {
        return std::nullopt;
    }
    return TileCell{tile, static_cast<std::int64_t>(down * static_cast<double>(tiles.rows)),
                    static_cast<std::int64_t>(across * static_cast<double>(stack.columns))};
}

std::int64_t bestAcross(std::int64_t count, double width, double height, double gap, double labelRoom) {
    const auto sideOf = [&](std::int64_t across) {
        const auto down = static_cast<double>(rowsOfTiles(count, across));
        return std::min((width) / (static_cast<double>(across) * (1.0 + gap) + gap),
                        (height) / (down * (1.0 + gap + labelRoom) + gap));
    };
    double largest = 0.0;
    for (std::int64_t across = 1; across <= count; ++across) {
        largest = std::max(largest, sideOf(across));
    }
    constexpr double nearlyAsGood = 0.88;
    std::int64_t best = 1;
    double bestSide = 0.0;
    for (const bool mustFill : {true, false}) {
        for (std::int64_t across = 1; across <= count; ++across) {
            const double side = sideOf(across);
            if ((count % across == 0 || !mustFill) && side >= nearlyAsGood * largest && side > bestSide) {
                best = across;
                bestSide = side;
            }
        }
        if (bestSide > 0.0) {
            break;
        }
    }
    return best;
}

void fitAxes(Panel& panel, const Heatmap& stack) {
    const MapTiles& tiles = *stack.tiles;
    const std::int64_t count = tileCount(stack);
    const auto across = static_cast<double>(std::min(count, tiles.across));
    const auto down = static_cast<double>(rowsOfTiles(count, tiles.across));
    panel.x.minimum = -tiles.gap;
    panel.x.maximum = across * columnPitch(tiles);
    panel.y.minimum = -tiles.gap - tiles.labelRoom;
    panel.y.maximum = down * rowPitch(tiles) - tiles.labelRoom;
    panel.y.reversed = true;
    panel.axesShown = false;
    panel.squareCells = true;
}

std::vector<double> toggledList(const MapTiles& tiles, int tile) {
    std::vector<int> maps = tiles.chosen;
    if (std::erase(maps, tile) == 0) {
        maps.push_back(tile);
        std::ranges::sort(maps);
    }
    return asList(maps.empty() ? std::vector{tiles.shown} : maps, tiles);
}

std::vector<double> rangeList(const MapTiles& tiles, int tile) {
    std::vector<int> maps;
    for (int map = std::min(tiles.shown, tile); map <= std::max(tiles.shown, tile); ++map) {
        maps.push_back(map);
    }
    return asList(maps, tiles);
}

}  // namespace phaseladder
