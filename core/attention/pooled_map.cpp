#include "core/attention/pooled_map.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/index.h"

namespace phaseladder {
namespace {

/// A number that is none is not hidden by one that is.
double largerOrNan(double first, double second) {
    return first > second || std::isnan(first) ? first : second;
}

}  // namespace

PixelRows wantedPixelRows(const MapRequest& request) {
    return request.endPixelRow == 0 ? PixelRows{0, request.pixelRows}
                                    : PixelRows{request.firstPixelRow, request.endPixelRow};
}

std::vector<std::int64_t> neededRows(const MapRequest& request) {
    const PixelRows wanted = wantedPixelRows(request);
    return rowsOf({request.window.rowBegin, request.window.rowEnd, request.pixelRows, wanted.begin,
                   wanted.end, request.sampledRows});
}

bool isWithin(const MapRequest& request, std::int64_t queries, std::int64_t keys) {
    const CellWindow& window = request.window;
    const PixelRows wanted = wantedPixelRows(request);
    return window.rowBegin >= 0 && window.rowEnd <= queries && window.columnBegin >= 0 &&
           window.columnEnd <= keys && wanted.begin >= 0 && wanted.begin < wanted.end &&
           wanted.end <= request.pixelRows && request.sampledRows >= 0 && request.pixelRows >= 1 &&
           request.pixelColumns >= 1 && request.pixelRows <= window.rowEnd - window.rowBegin &&
           request.pixelColumns <= window.columnEnd - window.columnBegin;
}

PooledMap::PooledMap(const MapRequest& request)
    : m_request(request),
      m_rowEdges(pixelEdges(request.window.rowBegin, request.window.rowEnd, request.pixelRows)),
      m_columnEdges(pixelEdges(request.window.columnBegin, request.window.columnEnd, request.pixelColumns)),
      m_values(static_cast<std::size_t>(request.pixelRows * request.pixelColumns),
               request.pooling == Pooling::mean ? 0.0 : -std::numeric_limits<double>::infinity()),
      m_visible(m_values.size(), 0),
      m_rowsIn(index(request.pixelRows), 0) {}

void PooledMap::addRow(std::int64_t row, const double* values, std::int64_t visibleKeys) {
    assert(row >= m_rowEdges[m_pixelRow] && row < m_rowEdges.back());
    while (row >= m_rowEdges[m_pixelRow + 1]) {
        ++m_pixelRow;
    }
    ++m_rowsIn[m_pixelRow];
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
                                                              : largerOrNan(m_values[at], values[key]);
        }
        m_visible[at] += end - begin;
    }
}

void PooledMap::writeTo(AttentionResult& result) {
    const auto columns = static_cast<std::size_t>(m_request.pixelColumns);
    const PixelRows wanted = wantedPixelRows(m_request);
    result.pixelRows = wanted.end - wanted.begin;
    result.pixelColumns = m_request.pixelColumns;
    result.computedRows = std::accumulate(m_rowsIn.begin(), m_rowsIn.end(), std::int64_t{0});
    result.map.assign(index(result.pixelRows) * columns, 0.0);
    result.masked.assign(result.map.size(), 1);
    for (std::int64_t row = wanted.begin; row < wanted.end; ++row) {
        const std::int64_t source = nearestFilledRow(m_rowsIn, row);
        for (std::size_t column = 0; source >= 0 && column < columns; ++column) {
            const std::size_t from = index(source) * columns + column;
            const std::size_t to = index(row - wanted.begin) * columns + column;
            if (m_visible[from] > 0) {
                result.map[to] = pooledValue(from);
                result.masked[to] = 0;
            }
        }
    }
}

double PooledMap::pooledValue(std::size_t at) const {
    if (m_request.pooling == Pooling::max) {
        return m_values[at];
    }
    // A masked cell has the weight 0, but no logit.
    const auto columns = static_cast<std::size_t>(m_request.pixelColumns);
    const std::size_t column = at % columns;
    const std::int64_t cells = m_rowsIn[at / columns] * (m_columnEdges[column + 1] - m_columnEdges[column]);
    return m_values[at] /
           static_cast<double>(m_request.values == ViewValues::weights ? cells : m_visible[at]);
}

}  // namespace phaseladder
