#include "core/attention/tiled_map.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "core/attention/block_sums.h"
#include "core/attention/map_tasks.h"
#include "core/attention/pooled_map.h"
#include "core/attention/score_tiles.h"
#include "core/attention/tile_loops.h"
#include "core/attention/tile_tasks.h"
#include "core/index.h"

namespace phaseladder {
namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

/// What all threads share: the request, and a row of numbers for each strand of each row of pixels.
struct SharedMap {
    TileProblem& problem;
    const MapRequest& request;
    MapTasks tasks;
    std::vector<std::int64_t> columnEdges;
    std::int64_t pixelRows = 0;
    double* numbers = nullptr;  // strands × pixel rows × pixel columns: sums or largest values

    [[nodiscard]] bool isMean() const { return request.pooling == Pooling::mean; }
    [[nodiscard]] bool isWeights() const { return request.values == ViewValues::weights; }
    [[nodiscard]] double* numbersOf(std::int64_t strand, std::int64_t pixelRow) const {
        return numbers + (strand * pixelRows + pixelRow) * request.pixelColumns;
    }
};

/// Keys of one column of pixels in one tile.
struct Segment {
    std::int64_t column = 0, tile = 0, begin = 0;
};

/// Pools blocks of rows; one for each thread.
class BlockPooler {
public:
    explicit BlockPooler(const SharedMap& map) : m_map(map) {}

    [[nodiscard]] bool pool(const MapTask& task, const std::stop_token& stop) {
        for (std::int64_t pixel = task.pixelBegin; pixel < task.pixelEnd; ++pixel) {
            std::fill_n(m_map.numbersOf(task.strand, pixel), m_map.request.pixelColumns,
                        m_map.isMean() ? 0.0 : double(minusInfinity));
        }
        for (std::int64_t begin = task.begin; begin < task.end; begin += m_map.tasks.blockRows) {
            const std::int64_t end = std::min(begin + m_map.tasks.blockRows, task.end);
            if (!addBlock(begin, end, stop)) {
                return false;
            }
            addToPixels(task, begin, end);
        }
        return true;
    }

    [[nodiscard]] double largestError() const { return m_sums.largestError(); }

private:
    [[nodiscard]] bool addBlock(std::int64_t begin, std::int64_t end, const std::stop_token& stop) {
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

    void addTile(std::int64_t begin, std::int64_t end, bool needsSums) {
        const std::int64_t rows = m_tiles.paddedRows();
        const bool isSum = m_map.isMean() && !m_map.isWeights();
        float* scores = m_tiles.compute(begin, end, isSum ? 0.0f : minusInfinity);
        if (!m_map.isMean()) {
            addSegments(scores, begin, end);
        }
        if (m_map.isWeights() && (needsSums || m_map.isMean())) {
            float* largest = m_sums.largestOf(begin);
            raiseToLargest(scores, rows, end - begin, largest);
            toExp(scores, rows, end - begin, largest);
        }
        if (needsSums) {
            addKeys(scores, rows, end - begin, m_sums.sumOf(begin));
        }
        if (m_map.isMean()) {
            addSegments(scores, begin, end);
        }
    }

    /// Sums, or largest of, the keys of each column of pixels in a tile.
    void addSegments(const float* scores, std::int64_t begin, std::int64_t end) {
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
    void setCounted(std::size_t at) {
        const std::int64_t rows = m_tiles.paddedRows();
        const float* numbers = m_numbers.data() + at * index(rows);
        const Segment& segment = m_segments[at];
        m_counted.resize(index(rows));
        float* counted = m_counted.data();
        if (!m_map.isWeights()) {
            std::copy_n(numbers, rows, counted);
        } else if (m_map.isMean()) {
            const float* scale = m_sums.scaleOf(segment.tile);
#pragma omp simd
            for (std::int64_t row = 0; row < rows; ++row) {
                counted[row] = numbers[row] * scale[row];
            }
        } else {
            const float* largest = m_sums.rowLargest();
            const float* logSum = m_sums.rowLogSum();
#pragma omp simd
            for (std::int64_t row = 0; row < rows; ++row) {
                counted[row] = (numbers[row] - largest[row]) - logSum[row];
            }
        }
        if (segment.begin >= m_tiles.leastVisibleKeys()) {
            const float nothing = m_map.isMean() ? 0.0f : minusInfinity;
            for (std::int64_t row = 0; row < rows; ++row) {
                counted[row] = segment.begin < m_tiles.visibleKeys()[row] ? counted[row] : nothing;
            }
        }
    }

    void addToPixels(const MapTask& task, std::int64_t begin, std::int64_t end) {
        for (std::size_t at = 0; at < m_segments.size(); ++at) {
            setCounted(at);
            const std::int64_t column = m_segments[at].column;
            for (std::int64_t pixel = pixelOf(task, begin); pixel < task.pixelEnd; ++pixel) {
                const std::int64_t first = std::max(m_map.tasks.begins[index(pixel)], begin) - begin;
                const std::int64_t last = std::min(m_map.tasks.begins[index(pixel) + 1], end) - begin;
                if (first >= end - begin) {
                    break;
                }
                double& number = m_map.numbersOf(task.strand, pixel)[column];
                number = m_map.isMean() ? number + double(sum(first, last)) : largest(number, first, last);
            }
        }
    }

    /// The row of pixels that a needed row falls into.
    [[nodiscard]] std::int64_t pixelOf(const MapTask& task, std::int64_t row) const {
        std::int64_t pixel = task.pixelBegin;
        while (m_map.tasks.begins[index(pixel) + 1] <= row) {
            ++pixel;
        }
        return pixel;
    }

    [[nodiscard]] float sum(std::int64_t first, std::int64_t last) const {
        float total = 0.0f;
        for (std::int64_t row = first; row < last; ++row) {
            total += m_counted[index(row)];
        }
        return total;
    }

    [[nodiscard]] double largest(double before, std::int64_t first, std::int64_t last) const {
        auto most = static_cast<float>(before);
        raiseToLargest(m_counted.data() + first, 1, last - first, &most);
        return double(most);
    }

    const SharedMap& m_map;
    ScoreTiles m_tiles;
    BlockSums m_sums;
    std::vector<Segment> m_segments;
    std::vector<float> m_numbers;  // of the segments: segments × padded rows
    std::vector<float> m_counted;  // of one segment
    std::int64_t m_column = 0;     // of the segment added last
};

/// Makes rows of pixels of what the tasks left.
class PixelFinisher {
public:
    PixelFinisher(const SharedMap& map, AttentionResult& result) : m_map(map), m_result(result) {}

    void finish(std::int64_t pixel) {
        const std::vector<std::int64_t>& begins = m_map.tasks.begins;
        const std::int64_t begin = begins[index(pixel)], end = begins[index(pixel) + 1];
        if (begin == end) {
            return;
        }
        const std::int64_t columns = m_map.request.pixelColumns;
        const double* numbers = joinedStrands(pixel);
        std::vector<std::int64_t> visible;
        for (std::int64_t row = begin; row < end; ++row) {
            visible.push_back(m_map.problem.visibleKeys(m_map.tasks.rows[index(row)]));
        }
        const std::int64_t seen = std::ranges::max(visible);
        for (std::int64_t column = 0; column < columns; ++column) {
            const std::int64_t first = m_map.columnEdges[index(column)];
            const std::int64_t last = m_map.columnEdges[index(column + 1)];
            const std::size_t at = index(pixel * columns + column);
            m_result.masked[at] = first < seen ? 0 : 1;
            m_result.map[at] = first < seen ? value(numbers[column], visible, first, last) : 0.0;
        }
    }

private:
    /// The strands of a row of pixels, joined in the place of the first.
    [[nodiscard]] const double* joinedStrands(std::int64_t pixel) const {
        double* numbers = m_map.numbersOf(0, pixel);
        for (const MapTask& task : m_map.tasks.tasks) {
            if (m_map.tasks.strands == 1) {
                break;
            }
            if (task.pixelBegin != pixel || task.strand == 0) {
                continue;
            }
            const double* strand = m_map.numbersOf(task.strand, pixel);
            for (std::int64_t column = 0; column < m_map.request.pixelColumns; ++column) {
                double& number = numbers[column];
                const bool isMore = !(number > strand[column]) && number == number;
                number = m_map.isMean() ? number + strand[column] : isMore ? strand[column] : number;
            }
        }
        return numbers;
    }

    [[nodiscard]] double value(double number, const std::vector<std::int64_t>& visible, std::int64_t first,
                               std::int64_t last) const {
        if (!m_map.isMean()) {
            return m_map.isWeights() ? double(vectorExp(static_cast<float>(number))) : number;
        }
        auto cells = static_cast<std::int64_t>(visible.size()) * (last - first);
        if (!m_map.isWeights()) {
            cells = 0;  // a masked cell has the weight 0, but no logit
            for (const std::int64_t keys : visible) {
                cells += std::clamp<std::int64_t>(keys - first, 0, last - first);
            }
        }
        return number / static_cast<double>(cells);
    }

    const SharedMap& m_map;
    AttentionResult& m_result;
};

/// Rows of pixels that no needed row fell into show the nearest one's.
void showNearestInEmptyRows(const std::vector<std::int64_t>& begins, AttentionResult& result) {
    std::vector<std::int64_t> rowsIn(begins.size() - 1);
    std::transform(begins.begin() + 1, begins.end(), begins.begin(), rowsIn.begin(), std::minus<>());
    const std::int64_t columns = result.pixelColumns;
    for (std::int64_t row = 0; row < result.pixelRows; ++row) {
        const std::int64_t source = nearestFilledRow(rowsIn, row);
        if (source >= 0 && source != row) {
            std::copy_n(result.map.begin() + source * columns, columns, result.map.begin() + row * columns);
            std::copy_n(result.masked.begin() + source * columns, columns,
                        result.masked.begin() + row * columns);
        }
    }
}

}  // namespace

bool poolTiles(TileProblem& problem, const MapRequest& request, const std::stop_token& stop,
               AttentionResult& result) {
    SharedMap map{problem, request, makeMapTasks(request),
                  pixelEdges(request.window.columnBegin, request.window.columnEnd, request.pixelColumns)};
    const PixelRows wanted = wantedPixelRows(request);
    map.pixelRows = wanted.end - wanted.begin;
    result.pixelRows = map.pixelRows;
    result.pixelColumns = request.pixelColumns;
    result.computedRows = static_cast<std::int64_t>(map.tasks.rows.size());
    result.map.assign(index(map.pixelRows * request.pixelColumns), 0.0);
    result.masked.assign(result.map.size(), 1);
    std::vector<double> strands;
    map.numbers = result.map.data();
    if (map.tasks.strands > 1) {
        strands.resize(index(map.tasks.strands) * result.map.size());
        map.numbers = strands.data();
    }
    const bool isDone = forEachTask<BlockPooler>(
        map.tasks.tasks.size(), [&] { return BlockPooler(map); },
        [&](BlockPooler& pooler, std::size_t task) {
            // Under a causal mask the last rows see most: they go first, so that no thread ends late.
            return pooler.pool(map.tasks.tasks[map.tasks.tasks.size() - 1 - task], stop);
        },
        [&](const BlockPooler& pooler) {
            result.largestRowSumError = std::max(result.largestRowSumError, pooler.largestError());
        });
    if (!isDone) {
        return false;
    }
    PixelFinisher finisher(map, result);
    forEachInParallel(static_cast<int>(map.pixelRows), [&](int pixel) { finisher.finish(pixel); });
    showNearestInEmptyRows(map.tasks.begins, result);
    return true;
}

}  // namespace phaseladder
