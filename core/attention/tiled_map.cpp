#include "core/attention/tiled_map.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/attention/block_pooler.h"
#include "core/attention/map_tasks.h"
#include "core/attention/pooled_map.h"
#include "core/attention/tile_tasks.h"
#include "core/attention/vector_exp.h"
#include "core/index.h"

namespace phaseladder {
namespace {

/// What the sum of a pixel is divided by: all cells of a mean of weights, since a masked one weighs 0; those
/// that are seen of a mean of logits, since a masked one has none.
std::vector<double> cellsOfPixels(const TiledRequest& map, const std::vector<std::int64_t>& visible,
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

/// Makes a row of pixels of its sums or largest values.
void finishPixelRow(const TiledRequest& map, std::int64_t pixel, const double* numbers,
                    AttentionResult& result) {
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
    std::fill_n(result.masked.begin() + pixel * map.request.pixelColumns, columns, std::uint8_t{0});
}

/// Rows of pixels that are pooled in several strands: strands × pixel rows × pixel columns.
class Strands {
public:
    Strands(const TiledRequest& map, std::int64_t pixelRows)
        : m_map(map),
          m_pixelRows(pixelRows),
          m_numbers(index(map.tasks.strands * pixelRows * map.request.pixelColumns), map.nothing()) {}

    [[nodiscard]] double* at(std::int64_t strand, std::int64_t pixelRow) {
        return m_numbers.data() + (strand * m_pixelRows + pixelRow) * m_map.request.pixelColumns;
    }

    /// All strands of a row of pixels, in their order, in the place of the first.
    [[nodiscard]] const double* joined(std::int64_t pixelRow) {
        double* numbers = at(0, pixelRow);
        for (std::int64_t strand = 1; strand < m_map.tasks.strands; ++strand) {
            const double* more = at(strand, pixelRow);
            for (std::int64_t column = 0; column < m_map.request.pixelColumns; ++column) {
                const double number = numbers[column];
                const bool isKept = number > more[column] || number != number;
                numbers[column] = m_map.isMean() ? number + more[column] : isKept ? number : more[column];
            }
        }
        return numbers;
    }

private:
    const TiledRequest& m_map;
    std::int64_t m_pixelRows;
    std::vector<double> m_numbers;
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
    const TiledRequest map{
        problem, request, makeMapTasks(request),
        pixelEdges(request.window.columnBegin, request.window.columnEnd, request.pixelColumns)};
    const PixelRows wanted = wantedPixelRows(request);
    result.pixelRows = wanted.end - wanted.begin;
    result.pixelColumns = request.pixelColumns;
    result.computedRows = static_cast<std::int64_t>(map.tasks.rows.size());
    result.map.assign(index(result.pixelRows * request.pixelColumns), 0.0);
    result.masked.assign(result.map.size(), 1);
    std::optional<Strands> strands;
    if (map.tasks.strands > 1) {
        strands.emplace(map, result.pixelRows);
    }
    const auto poolTask = [&](BlockPooler& pooler, const MapTask& task) {
        if (!pooler.pool(task, stop)) {
            return false;
        }
        if (strands) {
            std::ranges::copy(pooler.pixels(), strands->at(task.strand, task.pixelBegin));
            return true;
        }
        for (std::int64_t pixel = task.pixelBegin; pixel < task.pixelEnd; ++pixel) {
            const double* numbers = pooler.pixels().data() + (pixel - task.pixelBegin) * request.pixelColumns;
            finishPixelRow(map, pixel, numbers, result);
        }
        return true;
    };
    const bool isDone = forEachTask<BlockPooler>(
        map.tasks.tasks.size(), [&] { return BlockPooler(map); },
        [&](BlockPooler& pooler, std::size_t task) {
            // Under a causal mask the last rows see most: they go first, so that no thread ends late.
            return poolTask(pooler, map.tasks.tasks[map.tasks.tasks.size() - 1 - task]);
        },
        [&](const BlockPooler& pooler) {
            result.largestRowSumError = std::max(result.largestRowSumError, pooler.largestError());
        });
    if (!isDone) {
        return false;
    }
    if (strands) {
        forEachInParallel(static_cast<int>(result.pixelRows),
                          [&](int pixel) { finishPixelRow(map, pixel, strands->joined(pixel), result); });
    }
    showNearestInEmptyRows(map.tasks.begins, result);
    return true;
}

}  // namespace phaseladder
