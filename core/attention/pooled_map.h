#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/backend.h"
#include "core/attention/pixel_grid.h"

namespace phaseladder {

/// Whether a request's window lies in a map of queries × keys and its pixels in the window.
[[nodiscard]] bool isWithin(const MapRequest& request, std::int64_t queries, std::int64_t keys);

/// The rows of pixels that a request wants, half-open.
struct PixelRows {
    std::int64_t begin = 0, end = 0;
};
[[nodiscard]] PixelRows wantedPixelRows(const MapRequest& request);

/// The rows of the map that a request needs, ascending: all of the wanted pixels', or the sampled ones of
/// them, sample s of k at the middle of its part of the window, ⌊(2s + 1) N / 2k⌋.
[[nodiscard]] std::vector<std::int64_t> neededRows(const MapRequest& request);

/// Gathers rows of an attention map, from top to bottom, into the pixels of a request (isWithin).
class PooledMap {
public:
    explicit PooledMap(const MapRequest& request);

    /// Adds one of the neededRows(), in ascending order. values holds at least visibleKeys numbers: keys 0 ..
    /// visibleKeys-1 have values, the others are masked.
    void addRow(std::int64_t row, const double* values, std::int64_t visibleKeys);

    /// Moves the wanted rows of pixels into the result; call once, after the last row.
    void writeTo(AttentionResult& result);

private:
    [[nodiscard]] double pooledValue(std::size_t at) const;

    MapRequest m_request;
    std::vector<std::int64_t> m_rowEdges, m_columnEdges;  // pixel i covers edges[i] .. edges[i+1]-1
    std::vector<double> m_values;                         // sum or maximum of the visible cells of each pixel
    std::vector<std::int64_t> m_visible;                  // how many they are
    std::vector<std::int64_t> m_rowsIn;                   // rows added to each row of pixels
    std::size_t m_pixelRow = 0;                           // of the row added last
};

}  // namespace phaseladder
