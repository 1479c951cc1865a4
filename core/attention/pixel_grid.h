#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/index.h"

namespace phaseladder {

// Which cells of a map each pixel covers: plain numbers, so that every backend counts alike.

/// Where pixels of a side begin: pixel i of `pixels` covers the cells from edges[i] to before edges[i + 1].
[[nodiscard]] inline std::vector<std::int64_t> pixelEdges(std::int64_t begin, std::int64_t end,
                                                          std::int64_t pixels) {
    std::vector<std::int64_t> edges;
    edges.reserve(index(pixels + 1));
    for (std::int64_t pixel = 0; pixel <= pixels; ++pixel) {
        edges.push_back(begin + pixel * (end - begin) / pixels);
    }
    return edges;
}

/// Rows of a map: those of rows of pixels firstPixel .. endPixel-1 of `pixels` that cover begin .. end-1.
struct PixelBand {
    std::int64_t begin = 0, end = 0, pixels = 0;
    std::int64_t firstPixel = 0, endPixel = 0;
    std::int64_t samples = 0;  ///< so many of begin .. end-1, spread evenly; 0: all
};

/// The rows that a band is made of, ascending: sample s of k is at the middle of its part, ⌊(2s + 1) N / 2k⌋.
[[nodiscard]] inline std::vector<std::int64_t> rowsOf(const PixelBand& band) {
    const std::int64_t count = band.end - band.begin;
    const std::int64_t first = band.begin + band.firstPixel * count / band.pixels;
    const std::int64_t end = band.begin + band.endPixel * count / band.pixels;
    std::vector<std::int64_t> rows;
    if (band.samples == 0 || band.samples >= count) {
        rows.resize(index(end - first));
        std::iota(rows.begin(), rows.end(), first);
        return rows;
    }
    for (std::int64_t sample = 0; sample < band.samples; ++sample) {
        const std::int64_t row = band.begin + (2 * sample + 1) * count / (2 * band.samples);
        if (row >= first && row < end) {
            rows.push_back(row);
        }
    }
    return rows;
}

/// The row of pixels itself, or the nearest one that rows of the map fell into (rowsIn counts them); below 0
/// where there is none.
[[nodiscard]] inline std::int64_t nearestFilledRow(std::span<const std::int64_t> rowsIn, std::int64_t row) {
    const auto rows = static_cast<std::int64_t>(rowsIn.size());
    for (std::int64_t distance = 0; distance < rows; ++distance) {
        for (const std::int64_t candidate : {row - distance, row + distance}) {
            if (candidate >= 0 && candidate < rows && rowsIn[index(candidate)] > 0) {
                return candidate;
            }
        }
    }
    return -1;
}

}  // namespace phaseladder
