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
    void addToPixels(const MapTask& task, std::int64_t begin, std::int64_t end) {
        // Some segments at a time: what is read across the rows stays in the cache, what is written is near.
        constexpr std::size_t together = 16;
        const std::vector<std::int64_t>& begins = m_map.tasks.begins;
        for (std::size_t first = 0; first < m_segments.size(); first += together) {
            const std::size_t last = std::min(first + together, m_segments.size());
            for (std::size_t at = first; at < last; ++at) {
                setCounted(at);
            }
            for (std::int64_t pixel = task.pixelBegin; pixel < task.pixelEnd; ++pixel) {
                const std::int64_t firstRow = std::max(begins[index(pixel)], begin) - begin;
                const std::int64_t endRow = std::min(begins[index(pixel) + 1], end) - begin;
                if (firstRow < endRow) {
                    addToPixelRow(m_map.numbersOf(task.strand, pixel), first, last, firstRow, endRow);
                }
            }
        }
    }

    void addToPixelRow(double* pixels, std::size_t first, std::size_t last, std::int64_t firstRow,
                       std::int64_t endRow) const {
        const std::int64_t rows = m_tiles.paddedRows();
        for (std::size_t at = first; at < last; ++at) {
            const float* numbers = m_numbers.data() + static_cast<std::int64_t>(at) * rows;
            double& pixel = pixels[m_segments[at].column];
            if (m_map.isMean()) {
                float sum = 0.0f;
                for (std::int64_t row = firstRow; row < endRow; ++row) {
                    sum += numbers[row];
                }
                pixel += double(sum);
            } else {
                auto most = static_cast<float>(pixel);
                for (std::int64_t row = firstRow; row < endRow; ++row) {
                    most = most > numbers[row] || most != most ? most : numbers[row];
                }
                pixel = double(most);
            }
        }
    }

    const SharedMap& m_map;
    ScoreTiles m_tiles;
    BlockSums m_sums;
    std::vector<Segment> m_segments;
    std::vector<float> m_numbers;  // of the segments: segments × padded rows
    std::vector<float> m_base;     // of the tile's exponents
    std::int64_t m_column = 0;     // of the segment added last
};

/// The strands of a row of pixels, joined in the place of the first.
void joinStrands(const SharedMap& map, std::int64_t pixel) {
    double* numbers = map.numbersOf(0, pixel);
    for (std::int64_t strand = 1; strand < map.tasks.strands; ++strand) {
        const double* more = map.numbersOf(strand, pixel);
        for (std::int64_t column = 0; column < map.request.pixelColumns; ++column) {
            const double number = numbers[column];
            const bool isKept = number > more[column] || number != number;
            numbers[column] = map.isMean() ? number + more[column] : isKept ? number : more[column];
        }
    }
}

/// What the sum of a pixel is divided by: all cells of a mean of weights, since a masked one weighs 0; those
/// that are seen of a mean of logits, since a masked one has none.
std::vector<double> cellsOfPixels(const SharedMap& map, const std::vector<std::int64_t>& visible,
                                  std::int64_t columns) {
    std::vector<double> cells(index(columns));
    for (std::size_t column = 0; column < cells.size(); ++column) {
        const std::int64_t first = map.columnEdges[column];
        const std::int64_t width = map.columnEdges[column + 1] - first;
        std::int64_t count = static_cast<std::int64_t>(visible.size()) * width;
        if (!map.isWeights()) {
            count = 0;
            for (const std::int64_t keys : visible) {
                count += std::clamp<std::int64_t>(keys - first, 0, width);
            }
        }
        cells[column] = static_cast<double>(count);
    }
    return cells;
}

/// Makes a row of pixels of what the tasks left.
void finishPixelRow(const SharedMap& map, std::int64_t pixel, AttentionResult& result) {
    const std::vector<std::int64_t>& begins = map.tasks.begins;
    std::vector<std::int64_t> visible;
    for (std::int64_t row = begins[index(pixel)]; row < begins[index(pixel) + 1]; ++row) {
        visible.push_back(map.problem.visibleKeys(map.tasks.rows[index(row)]));
    }
    const std::int64_t seen = visible.empty() ? 0 : std::ranges::max(visible);
    // Columns of pixels that begin before the last key that is seen.
    const auto edgesEnd = map.columnEdges.end() - 1;
    const std::int64_t columns =
        std::lower_bound(map.columnEdges.begin(), edgesEnd, seen) - map.columnEdges.begin();
    joinStrands(map, pixel);
    const double* numbers = map.numbersOf(0, pixel);
    double* values = result.map.data() + pixel * map.request.pixelColumns;
    if (map.isMean()) {
        const std::vector<double> cells = cellsOfPixels(map, visible, columns);
        for (std::int64_t column = 0; column < columns; ++column) {
            values[column] = numbers[column] / cells[index(column)];
        }
    } else if (map.isWeights()) {
#pragma omp simd
        for (std::int64_t column = 0; column < columns; ++column) {
            values[column] = double(vectorExp(static_cast<float>(numbers[column])));
        }
    } else {
        std::copy_n(numbers, columns, values);
    }
    std::fill(values + columns, values + map.request.pixelColumns, 0.0);
    std::fill_n(result.masked.begin() + pixel * map.request.pixelColumns, columns, std::uint8_t{0});
}

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
    const double nothing = map.isMean() ? 0.0 : double(minusInfinity);
    result.map.assign(index(map.pixelRows * request.pixelColumns), nothing);
    result.masked.assign(result.map.size(), 1);
    std::vector<double> strands;
    map.numbers = result.map.data();
    if (map.tasks.strands > 1) {
        strands.assign(index(map.tasks.strands) * result.map.size(), nothing);
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
    forEachInParallel(static_cast<int>(map.pixelRows),
                      [&](int pixel) { finishPixelRow(map, pixel, result); });
    showNearestInEmptyRows(map.tasks.begins, result);
    return true;
}

}  // namespace phaseladder
