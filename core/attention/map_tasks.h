#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/attention/backend.h"

namespace phaseladder {

/// The most rows that one thread takes together: whole blocks.
constexpr std::int64_t mostTaskRows = 384;

/// Rows of a map that one thread pools: some whole rows of pixels, or a strand of one that has many rows.
struct MapTask {
    std::int64_t pixelBegin = 0, pixelEnd = 0;  ///< rows of pixels, from the first wanted one
    std::int64_t begin = 0, end = 0;            ///< of the needed rows
    std::int64_t strand = 0;                    ///< which part of a row of pixels
};

/// The work of a map, cut in the same way whatever the number of threads.
struct MapTasks {
    std::vector<std::int64_t> rows;  ///< neededRows()
    /// Where those of each wanted row of pixels begin in rows, and the end.
    std::vector<std::int64_t> begins;
    std::int64_t strands = 1;    ///< parts of each row of pixels
    std::int64_t blockRows = 0;  ///< rows that meet a tile of keys at once
    std::vector<MapTask> tasks;
};

[[nodiscard]] MapTasks makeMapTasks(const MapRequest& request);

/// Rows that meet a tile of keys at once where there are `rows` in all: few give all threads something to do.
[[nodiscard]] std::int64_t rowsOfBlock(std::int64_t rows);

}  // namespace phaseladder
