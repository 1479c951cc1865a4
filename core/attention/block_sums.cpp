#include "core/attention/block_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/tile_loops.h"
#include "core/index.h"

namespace phaseladder {

void BlockSums::begin(const ScoreTiles& tiles, std::int64_t firstKey, std::int64_t endKey) {
    m_rows = tiles.paddedRows();
    m_firstKey = firstKey;
    m_tiles = std::max<std::int64_t>((endKey - firstKey + tileKeys - 1) / tileKeys, 0);
    m_visible.assign(tiles.visibleKeys(), tiles.visibleKeys() + m_rows);
    m_largest.assign(index(m_tiles * m_rows), -std::numeric_limits<float>::infinity());
    m_sum.assign(m_largest.size(), 0.0f);
    m_scale.resize(m_largest.size());
    m_rowLargest.resize(index(m_rows));
    m_rowInverse.resize(index(m_rows));
    m_rowLogSum.resize(index(m_rows));
}

void BlockSums::join(std::span<const std::int64_t> rows, RowSums& known, bool keep) {
    std::ranges::fill(m_rowLargest, -std::numeric_limits<float>::infinity());
    raiseToLargest(m_largest.data(), m_rows, m_tiles, m_rowLargest.data());
    std::vector<double> sums(index(m_rows), 0.0);
    for (std::int64_t tile = 0; tile < m_tiles; ++tile) {
        const float* largest = m_largest.data() + tile * m_rows;
        const float* sum = m_sum.data() + tile * m_rows;
        for (std::int64_t row = 0; row < m_rows; ++row) {
            sums[index(row)] +=
                static_cast<double>(sum[row] * vectorExp(largest[row] - m_rowLargest[index(row)]));
        }
    }
    for (std::size_t row = 0; row < sums.size(); ++row) {
        m_rowInverse[row] = static_cast<float>(1.0 / sums[row]);
        m_rowLogSum[row] = static_cast<float>(std::log(sums[row]));
    }
    setScales();
    // Rows that see nothing have no weights whose sum could be wrong.
    std::vector<double> weights(index(m_rows), 0.0);
    for (std::int64_t at = 0; at < m_tiles * m_rows; ++at) {
        weights[index(at % m_rows)] += static_cast<double>(m_sum[index(at)] * m_scale[index(at)]);
    }
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const double error = m_visible[at] > 0 ? std::abs(weights[at] - 1.0) : 0.0;
        m_largestError = std::max(m_largestError, error);
        if (keep) {
            const std::size_t row = index(rows[at]);
            known.largest[row] = m_rowLargest[at];
            known.inverseSum[row] = m_rowInverse[at];
            known.logSum[row] = m_rowLogSum[at];
            known.sumError[row] = static_cast<float>(error);
            known.isKnown[row] = 1;
        }
    }
}

void BlockSums::take(std::span<const std::int64_t> rows, const RowSums& known) {
    for (std::size_t at = 0; at < index(m_rows); ++at) {
        const std::size_t row = index(rows[std::min(at, rows.size() - 1)]);
        m_rowLargest[at] = known.largest[row];
        m_rowInverse[at] = known.inverseSum[row];
        m_rowLogSum[at] = known.logSum[row];
        m_largestError = std::max(m_largestError, static_cast<double>(known.sumError[row]));
    }
    setScales();
}

void BlockSums::setScales() {
    for (std::int64_t tile = 0; tile < m_tiles; ++tile) {
        const float* largest = m_largest.data() + tile * m_rows;
        float* scale = m_scale.data() + tile * m_rows;
#pragma omp simd
        for (std::int64_t row = 0; row < m_rows; ++row) {
            scale[row] = vectorExp(largest[row] - m_rowLargest[index(row)]) * m_rowInverse[index(row)];
        }
    }
}

}  // namespace phaseladder
