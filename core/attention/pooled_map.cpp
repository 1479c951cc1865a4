#include "core/attention/pooled_map.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace phaseladder {
namespace {

std::vector<std::int64_t> pixelEdges(std::int64_t begin, std::int64_t end, std::int64_t pixels) {
    std::vector<std::int64_t> edges;
    for (std::int64_t pixel = 0; pixel <= pixels; ++pixel) {
        edges.push_back(begin + pixel * (end - begin) / pixels);
    }
    return edges;
}

}  // namespace

bool isWithin(const MapRequest& request, std::int64_t tokens) {
    const CellWindow& window = request.window;
    return window.rowBegin >= 0 && window.rowEnd <= tokens && window.columnBegin >= 0 &&
           window.columnEnd <= tokens && request.pixelRows >= 1 && request.pixelColumns >= 1 &&
           request.pixelRows <= window.rowEnd - window.rowBegin &&
           request.pixelColumns <= window.columnEnd - window.columnBegin;
}

PooledMap::PooledMap(const MapRequest& request)
    : m_request(request),
      m_rowEdges(pixelEdges(request.window.rowBegin, request.window.rowEnd, request.pixelRows)),
      m_columnEdges(pixelEdges(request.window.columnBegin, request.window.columnEnd, request.pixelColumns)),
      m_values(static_cast<std::size_t>(request.pixelRows * request.pixelColumns),
               request.pooling == Pooling::mean ? 0.0 : -std::numeric_limits<double>::infinity()),
      m_visible(m_values.size(), 0) {}

bool PooledMap::containsRow(std::int64_t row) const {
    return row >= m_request.window.rowBegin && row < m_request.window.rowEnd;
}

void PooledMap::addRow(std::int64_t row, const double* values, std::int64_t visibleKeys) {
    assert(containsRow(row) && row >= m_rowEdges[m_pixelRow]);
    while (row >= m_rowEdges[m_pixelRow + 1]) {
        ++m_pixelRow;
    }
    const auto columns = static_cast<std::size_t>(m_request.pixelColumns);
    for (std::size_t column = 0; column < columns; ++column) {
        const std::int64_t begin = m_columnEdges[column];
        const std::int64_t end = std::min(m_columnEdges[column + 1], visibleKeys);
        if (begin >= end) {
            return;  // all further keys are masked
        }
        const std::size_t at = m_pixelRow * columns + column;
        for (std::int64_t key = begin; key < end; ++key) {
            m_values[at] = m_request.pooling == Pooling::mean ? m_values[at] + values[key]
                                                              : std::max(m_values[at], values[key]);
        }
        m_visible[at] += end - begin;
    }
}

void PooledMap::writeTo(AttentionResult& result) {
    const auto columns = static_cast<std::size_t>(m_request.pixelColumns);
    result.pixelRows = m_request.pixelRows;
    result.pixelColumns = m_request.pixelColumns;
    result.masked.assign(m_values.size(), 0);
    for (std::size_t at = 0; at < m_values.size(); ++at) {
        if (m_visible[at] == 0) {
            m_values[at] = 0.0;
            result.masked[at] = 1;
        } else if (m_request.pooling == Pooling::mean) {
            const std::size_t row = at / columns;
            const std::size_t column = at % columns;
            const std::int64_t cells =
                (m_rowEdges[row + 1] - m_rowEdges[row]) * (m_columnEdges[column + 1] - m_columnEdges[column]);
            // A masked cell has the weight 0, but no logit.
            const bool weights = m_request.values == ViewValues::weights;
            m_values[at] /= static_cast<double>(weights ? cells : m_visible[at]);
        }
    }
    result.map = std::move(m_values);
}

}  // namespace phaseladder
