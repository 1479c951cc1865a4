#include "gpu/helper/map_columns.h"

#include <algorithm>

#include "core/attention/pixel_grid.h"

namespace phaseladder::gpu {
namespace {

/// A column's sum of exponentials has so many terms at most, which keeps its error that of few additions.
constexpr std::int64_t longestPiece = 4096;

/// Adds the edges of begin .. end-1 without the first one.
void addEdges(std::vector<std::int32_t>& edges, std::int64_t begin, std::int64_t end, std::int64_t parts) {
    for (const std::int64_t edge : pixelEdges(begin, end, parts)) {
        if (edge != begin) {
            edges.push_back(static_cast<std::int32_t>(edge));
        }
    }
}

void addPieces(std::vector<std::int32_t>& edges, std::int64_t begin, std::int64_t end) {
    if (end > begin) {
        addEdges(edges, begin, end, (end - begin + longestPiece - 1) / longestPiece);
    }
}

}  // namespace

MapColumns columnsOfSums(std::int64_t keys) {
    MapColumns columns{{0}, 0, 0};
    addPieces(columns.edges, 0, keys);
    return columns;
}

MapColumns columnsOfMap(const MapMessage& map, std::int64_t keys, BesideWindow beside) {
    const bool isCounted = beside == BesideWindow::counted;
    MapColumns columns{{isCounted ? 0 : static_cast<std::int32_t>(map.columnBegin)}, 0, 0};
    if (isCounted) {
        addPieces(columns.edges, 0, map.columnBegin);
    }
    columns.firstPixel = columns.count();
    columns.pixels = static_cast<int>(map.pixelColumns);
    addEdges(columns.edges, map.columnBegin, map.columnEnd, map.pixelColumns);
    if (isCounted) {
        addPieces(columns.edges, map.columnEnd, keys);
    }
    return columns;
}

std::vector<std::int32_t> groupsOf(const MapColumns& columns, std::int64_t most) {
    const std::int64_t begin = columns.edges.front(), keys = columns.edges.back() - begin;
    std::vector<std::int32_t> groups{0};
    for (std::int64_t group = 1; group < most; ++group) {
        const auto edge = static_cast<std::int32_t>(begin + group * keys / most);
        const auto found = std::ranges::lower_bound(columns.edges, edge);
        const auto column = static_cast<std::int32_t>(found - columns.edges.begin());
        if (column > groups.back() && column < columns.count()) {
            groups.push_back(column);
        }
    }
    groups.push_back(columns.count());
    return groups;
}

MapRows rowsOfMap(const MapMessage& map) {
    const std::int64_t firstPixel = map.firstPixelRow;
    const std::int64_t endPixel = map.endPixelRow == 0 ? map.pixelRows : map.endPixelRow;
    const std::vector<std::int64_t> rows =
        rowsOf({map.rowBegin, map.rowEnd, map.pixelRows, firstPixel, endPixel, map.sampledRows});
    MapRows needed{{rows.begin(), rows.end()}, {}};
    const std::int64_t count = map.rowEnd - map.rowBegin;
    for (std::int64_t pixel = firstPixel; pixel <= endPixel; ++pixel) {
        const std::int64_t edge = map.rowBegin + pixel * count / map.pixelRows;
        const auto found = std::ranges::lower_bound(rows, edge);
        needed.pixelBegins.push_back(static_cast<std::int32_t>(found - rows.begin()));
    }
    return needed;
}

}  // namespace phaseladder::gpu
