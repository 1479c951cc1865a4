#include "core/attention/block_pooler.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "core/attention/tile_loops.h"
#include "core/index.h"

namespace phaseladder {
namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

}  // namespace

double TiledRequest::nothing() const {
    return isMean() ? 0.0 : double(minusInfinity);
}

bool BlockPooler::pool(const MapTask& task, const std::stop_token& stop) {
    m_pixels.assign(index((task.pixelEnd - task.pixelBegin) * m_map.request.pixelColumns), m_map.nothing());
    for (std::int64_t begin = task.begin; begin < task.end; begin += m_map.tasks.blockRows) {
        const std::int64_t end = std::min(begin + m_map.tasks.blockRows, task.end);
        if (!addBlock(begin, end, stop)) {
            return false;
        }
        addToPixels(task, begin, end);
    }
    return true;
}

bool BlockPooler::addBlock(std::int64_t begin, std::int64_t end, const std::stop_token& stop) {
    const auto rows = std::span(m_map.tasks.rows).subspan(index(begin), index(end - begin));
    TileProblem& problem = m_map.problem;
    m_tiles.setRows(problem, rows);
    const bool isKnown = m_tiles.areOfAnyBlock() && std::ranges::all_of(rows, [&](std::int64_t row) {
                             return problem.sums.isKnown[index(row)] == 1;
                         });
    const bool needsSums = m_map.isWeights() && !isKnown;
    // Whole tiles, also at the sides of the window: the bits of a pixel do not depend on what is known.
    const CellWindow& window = m_map.request.window;
    const std::int64_t seen = m_tiles.mostVisibleKeys();
    const std::int64_t firstKey = needsSums ? 0 : window.columnBegin / tileKeys * tileKeys;
    const std::int64_t lastTile = (window.columnEnd - 1) / tileKeys * tileKeys;
    const std::int64_t endKey = needsSums ? seen : std::min(seen, lastTile + tileKeys);
    m_sums.begin(m_tiles, firstKey, endKey);
    m_segments.clear();
    m_column = 0;
    for (std::int64_t key = firstKey; key < endKey; key += tileKeys) {
        if (stop.stop_requested()) {
            return false;
        }
        addTile(key, std::min(key + tileKeys, endKey), needsSums);
    }
    if (needsSums) {
        m_sums.join(rows, problem.sums, m_tiles.areOfAnyBlock());
    } else if (m_map.isWeights()) {
        m_sums.take(rows, problem.sums);
    }
    return true;
}

void BlockPooler::addTile(std::int64_t begin, std::int64_t end, bool needsSums) {
    const std::int64_t rows = m_tiles.paddedRows();
    const bool isSum = m_map.isMean() && !m_map.isWeights();
    float* scores = m_tiles.compute(begin, end, isSum ? 0.0f : minusInfinity);
    const std::size_t segment = m_segments.size();
    if (!m_map.isMean()) {
        addSegments(scores, begin, end);
    }
    if (m_map.isWeights() && (needsSums || m_map.isMean())) {
        float* largest = m_sums.largestOf(begin);
        const CellWindow& window = m_map.request.window;
        if (!m_map.isMean() && window.columnBegin <= begin && end <= window.columnEnd) {
            // The segments hold the largest scores of their keys already.
            raiseToLargest(m_numbers.data() + segment * index(rows), rows,
                           std::ssize(m_segments) - static_cast<std::int64_t>(segment), largest);
        } else {
            raiseToLargest(scores, rows, end - begin, largest);
        }
        m_base.resize(index(rows));
        setBase(largest, rows, m_base.data());
    }
    if (m_map.isWeights() && m_map.isMean()) {
        toExp(scores, rows, end - begin, m_base.data());
        if (needsSums) {
            addKeys(scores, rows, end - begin, m_sums.sumOf(begin));
        }
    } else if (needsSums) {
        addExp(scores, rows, end - begin, m_base.data(), m_sums.sumOf(begin));
    }
    if (m_map.isMean()) {
        addSegments(scores, begin, end);
    }
}

/// Sums, or largest of, the keys of each column of pixels in a tile.
void BlockPooler::addSegments(const float* scores, std::int64_t begin, std::int64_t end) {
    const std::int64_t rows = m_tiles.paddedRows();
    const std::vector<std::int64_t>& edges = m_map.columnEdges;
    end = std::min(end, m_map.request.window.columnEnd);
    for (std::int64_t key = std::max(begin, m_map.request.window.columnBegin); key < end;) {
        while (edges[index(m_column + 1)] <= key) {
            ++m_column;
        }
        const std::int64_t segmentEnd = std::min(edges[index(m_column + 1)], end);
        const std::size_t at = m_segments.size() * index(rows);
        m_segments.push_back({m_column, begin, key});
        if (m_numbers.size() < at + index(rows)) {
            m_numbers.resize(std::max(2 * m_numbers.size(), at + index(rows)));
        }
        float* numbers = m_numbers.data() + at;
        const float* first = scores + (key - begin) * rows;
        std::copy_n(first, rows, numbers);
        if (m_map.isMean()) {
            addKeys(first + rows, rows, segmentEnd - key - 1, numbers);
        } else {
            raiseToLargest(first + rows, rows, segmentEnd - key - 1, numbers);
        }
        key = segmentEnd;
    }
}

/// Numbers of a segment's rows as they count in a pixel: weights or logits, or the logarithms of weights
/// of which the largest is sought; without effect where a row does not see the segment.
void BlockPooler::setCounted(std::size_t at) {
    const std::int64_t rows = m_tiles.paddedRows();
    float* numbers = m_numbers.data() + at * index(rows);
    const Segment& segment = m_segments[at];
    if (m_map.isWeights() && m_map.isMean()) {
        const float* scale = m_sums.scaleOf(segment.tile);
#pragma omp simd
        for (std::int64_t row = 0; row < rows; ++row) {
            numbers[row] *= scale[row];
        }
    } else if (m_map.isWeights()) {
        const float* largest = m_sums.rowLargest();
        const float* logSum = m_sums.rowLogSum();
#pragma omp simd
        for (std::int64_t row = 0; row < rows; ++row) {
            numbers[row] = (numbers[row] - largest[row]) - logSum[row];
        }
    }
    if (segment.begin >= m_tiles.leastVisibleKeys()) {
        const float nothing = m_map.isMean() ? 0.0f : minusInfinity;
        const std::int32_t* visible = m_tiles.visibleKeys();
        for (std::int64_t row = 0; row < rows; ++row) {
            numbers[row] = segment.begin < visible[row] ? numbers[row] : nothing;
        }
    }
}

/// Adds the needed rows begin .. end-1 to their rows of pixels.
void BlockPooler::addToPixels(const MapTask& task, std::int64_t begin, std::int64_t end) {
    const std::int64_t rows = m_tiles.paddedRows();
    m_across.resize(index(rows * columnsTogether));
    for (std::size_t at = 0; at < m_segments.size();) {
        m_columns.clear();
        for (; m_columns.size() < columnsTogether && at < m_segments.size(); ++at) {
            // Tiles may cut a column of pixels: its numbers are joined row by row first, and then its rows
            // one after the other, so that the bits do not depend on where blocks cut the rows of a pixel.
            const std::size_t first = at;
            float* numbers = m_numbers.data() + first * index(rows);
            setCounted(first);
            while (at + 1 < m_segments.size() && m_segments[at + 1].column == m_segments[first].column) {
                setCounted(++at);
                const float* more = m_numbers.data() + at * index(rows);
                if (m_map.isMean()) {
                    addKeys(more, rows, 1, numbers);
                } else {
                    raiseToLargest(more, rows, 1, numbers);
                }
            }
            for (std::int64_t row = 0; row < rows; ++row) {
                m_across[index(row * columnsTogether) + m_columns.size()] = numbers[row];
            }
            m_columns.push_back(m_segments[first].column);
        }
        const std::vector<std::int64_t>& begins = m_map.tasks.begins;
        for (std::int64_t pixel = task.pixelBegin; pixel < task.pixelEnd; ++pixel) {
            const std::int64_t firstRow = std::max(begins[index(pixel)], begin) - begin;
            const std::int64_t endRow = std::min(begins[index(pixel) + 1], end) - begin;
            if (firstRow < endRow) {
                addAcross(firstRow, endRow,
                          m_pixels.data() + (pixel - task.pixelBegin) * m_map.request.pixelColumns);
            }
        }
    }
}

/// Adds rows of some columns of pixels to a row of pixels.
void BlockPooler::addAcross(std::int64_t firstRow, std::int64_t endRow, double* pixels) const {
    const float* across = m_across.data() + firstRow * columnsTogether;
    if (m_map.isMean()) {
        std::array<double, columnsTogether> sums{};
        for (std::size_t at = 0; at < m_columns.size(); ++at) {
            sums[at] = pixels[m_columns[at]];
        }
        for (std::int64_t row = firstRow; row < endRow; ++row, across += columnsTogether) {
#pragma omp simd
            for (std::int64_t at = 0; at < columnsTogether; ++at) {
                sums[index(at)] += double(across[at]);
            }
        }
        for (std::size_t at = 0; at < m_columns.size(); ++at) {
            pixels[m_columns[at]] = sums[at];
        }
        return;
    }
    std::array<float, columnsTogether> most{};
    std::copy_n(across, columnsTogether, most.data());
    raiseToLargest(across, columnsTogether, endRow - firstRow, most.data());
    for (std::size_t at = 0; at < m_columns.size(); ++at) {
        double& pixel = pixels[m_columns[at]];
        pixel = pixel > double(most[at]) || pixel != pixel ? pixel : double(most[at]);
    }
}

}  // namespace phaseladder
