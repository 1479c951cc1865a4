#include "core/attention/map_tasks.h"

#include <algorithm>

#include "core/attention/pooled_map.h"
#include "core/attention/tile_problem.h"
#include "core/index.h"

namespace phaseladder {
namespace {

std::int64_t inPackets(std::int64_t rows) {
    return (rows + packetRows - 1) / packetRows * packetRows;
}

/// How many rows of pixels of so many rows each fill the packets best; the fewest of equals that fill a
/// block.
std::int64_t pixelRowsTogether(std::int64_t rowsEach, std::int64_t blockRows) {
    std::int64_t best = 1;
    for (std::int64_t count = 2; count * rowsEach <= mostTaskRows; ++count) {
        const std::int64_t padded = inPackets(count * rowsEach) * best;
        const std::int64_t bestPadded = inPackets(best * rowsEach) * count;
        if (padded < bestPadded || (padded == bestPadded && best * rowsEach < blockRows)) {
            best = count;
        }
    }
    return best;
}

}  // namespace

std::int64_t rowsOfBlock(std::int64_t rows) {
    return rows < 8 * packetRows ? packetRows : 2 * packetRows;
}

MapTasks makeMapTasks(const MapRequest& request) {
    MapTasks made;
    made.rows = neededRows(request);
    const PixelRows wanted = wantedPixelRows(request);
    const std::int64_t pixelRows = wanted.end - wanted.begin;
    const std::vector<std::int64_t> edges =
        pixelEdges(request.window.rowBegin, request.window.rowEnd, request.pixelRows);
    for (std::int64_t pixel = wanted.begin; pixel <= wanted.end; ++pixel) {
        const auto first = std::ranges::lower_bound(made.rows, edges[index(pixel)]);
        made.begins.push_back(first - made.rows.begin());
    }
    std::int64_t rowsEach = 1;
    for (std::size_t pixel = 0; pixel + 1 < made.begins.size(); ++pixel) {
        rowsEach = std::max(rowsEach, made.begins[pixel + 1] - made.begins[pixel]);
    }
    made.blockRows = rowsOfBlock(static_cast<std::int64_t>(made.rows.size()));

    // Whether and where a row of pixels is cut depends on its own rows alone, and so do the bits of its sums.
    made.strands = (rowsEach + mostTaskRows - 1) / mostTaskRows;
    if (made.strands > 1) {
        for (std::int64_t pixel = 0; pixel < pixelRows; ++pixel) {
            const std::int64_t begin = made.begins[index(pixel)], end = made.begins[index(pixel) + 1];
            for (std::int64_t strand = 0; begin + strand * mostTaskRows < end; ++strand) {
                made.tasks.push_back({pixel, pixel + 1, begin + strand * mostTaskRows,
                                      std::min(begin + (strand + 1) * mostTaskRows, end), strand});
            }
        }
        return made;
    }
    // By the rows that they hold: of a preview most rows of pixels may hold none.
    const std::int64_t most = pixelRowsTogether(rowsEach, made.blockRows) * rowsEach;
    for (std::int64_t pixel = 0; pixel < pixelRows;) {
        const std::int64_t begin = made.begins[index(pixel)];
        std::int64_t end = pixel + 1;
        while (end < pixelRows && made.begins[index(end) + 1] - begin <= most) {
            ++end;
        }
        if (begin < made.begins[index(end)]) {
            made.tasks.push_back({pixel, end, begin, made.begins[index(end)]});
        }
        pixel = end;
    }
    return made;
}

}  // namespace phaseladder
