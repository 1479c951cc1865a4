#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/backend.h"

namespace phaseladder {

/// Whether a request's window lies in a map of tokens × tokens and its pixels in the window.
[[nodiscard]] bool isWithin(const MapRequest& request, std::int64_t tokens);

/// Gathers rows of an attention map, from top to bottom, into the pixels of a request (isWithin).
class PooledMap {
public:
    explicit PooledMap(const MapRequest& request);

    [[nodiscard]] bool containsRow(std::int64_t row) const;

    /// Adds a row of the window; rows come in ascending order. values holds at least visibleKeys numbers:
    /// keys 0 .. visibleKeys-1 have values, the others are masked.
    void addRow(std::int64_t row, const double* values, std::int64_t visibleKeys);

    /// Moves the pixels into the result; call once, after the last row.
    void writeTo(AttentionResult& result);

private:
    MapRequest m_request;
    std::vector<std::int64_t> m_rowEdges, m_columnEdges;  // pixel i covers edges[i] .. edges[i+1]-1
    std::vector<double> m_values;                         // sum or maximum of the visible cells of each pixel
    std::vector<std::int64_t> m_visible;                  // how many they are
    std::size_t m_pixelRow = 0;                           // of the row added last
};

}  // namespace phaseladder
