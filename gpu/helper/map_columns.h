#pragma once

#include <cstdint>
#include <vector>

#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {

// What a run is cut into, before a device is asked. Rows are queries, columns are ranges of keys.

/// Ranges of keys that follow each other.
struct MapColumns {
    std::vector<std::int32_t> edges;  ///< column c is keys edges[c] .. edges[c+1]-1
    int firstPixel = 0, pixels = 0;   ///< columns firstPixel .. are those of pixels

    [[nodiscard]] int count() const { return static_cast<int>(edges.size()) - 1; }
};

/// Columns for the sums of rows alone: all keys, in pieces.
[[nodiscard]] MapColumns columnsOfSums(std::int64_t keys);

/// The columns of a map's pixels, with those of the keys beside its window where sums of rows are wanted.
enum class BesideWindow { leftOut, counted };
[[nodiscard]] MapColumns columnsOfMap(const MapMessage& map, std::int64_t keys, BesideWindow beside);

/// Cuts columns into groups of about as many keys: group g is columns groups[g] .. groups[g+1]-1. At most
/// `most` groups, none of them empty.
[[nodiscard]] std::vector<std::int32_t> groupsOf(const MapColumns& columns, std::int64_t most);

/// The rows that a map is made of.
struct MapRows {
    std::vector<std::int32_t> rows;         ///< ascending
    std::vector<std::int32_t> pixelBegins;  ///< wanted row of pixels p is rows[pixelBegins[p]] ..; one more
};
[[nodiscard]] MapRows rowsOfMap(const MapMessage& map);

}  // namespace phaseladder::gpu
