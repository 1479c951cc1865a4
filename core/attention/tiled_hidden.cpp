#include "core/attention/tiled_hidden.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "core/attention/block_sums.h"
#include "core/attention/map_tasks.h"
#include "core/attention/relative_rows.h"
#include "core/attention/score_tiles.h"
#include "core/attention/tile_loops.h"
#include "core/attention/tile_tasks.h"
#include "core/index.h"

namespace phaseladder {
namespace {

using Columns = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>;  // rows of a block × channels or keys

/// Sums the values of blocks of rows; one for each thread.
class BlockSummer {
public:
    BlockSummer(TileProblem& problem, const AttentionProblem& asked, RowMatrix& hidden)
        : m_problem(problem), m_asked(asked), m_hidden(hidden) {}

    [[nodiscard]] bool sum(std::int64_t begin, std::int64_t end, const std::stop_token& stop) {
        m_rows.resize(index(end - begin));
        std::iota(m_rows.begin(), m_rows.end(), begin);
        m_tiles.setRows(m_problem, m_rows);
        const std::int64_t seen = m_tiles.mostVisibleKeys();
        m_sums.begin(m_tiles, 0, seen);
        m_reached.assign(index(m_tiles.paddedRows()), -std::numeric_limits<float>::infinity());
        m_hiddenOfBlock.setZero(m_tiles.paddedRows(), m_asked.values.cols());
        for (std::int64_t key = 0; key < seen; key += tileKeys) {
            if (stop.stop_requested()) {
                return false;
            }
            addTile(key, std::min(key + tileKeys, seen));
        }
        m_sums.join(m_rows, m_problem.sums, true);
        writeHidden(begin, end);
        return true;
    }

    [[nodiscard]] double largestError() const { return m_sums.largestError(); }

private:
    void addTile(std::int64_t begin, std::int64_t end) {
        const std::int64_t rows = m_tiles.paddedRows(), keys = end - begin;
        float* scores = m_tiles.compute(begin, end, -std::numeric_limits<float>::infinity());
        float* largest = m_sums.largestOf(begin);
        raiseToLargest(scores, rows, keys, largest);
        m_base.resize(index(rows));
        setBase(largest, rows, m_base.data());
        toExp(scores, rows, keys, m_base.data());
        addKeys(scores, rows, keys, m_sums.sumOf(begin));

        m_values.resize(keys, m_asked.values.cols());
        m_asked.values.copyRows(begin, end, m_values.data());
        m_ofTile.noalias() = Eigen::Map<const Columns>(scores, rows, keys) * m_values;
        if (m_asked.plan.relativeValues) {
            addRelativeValues(*m_asked.plan.relativeValues, scores, begin, end);
        }
        addRelativeToLargest(largest);
    }

    /// Adds the relative value vectors, each with what the keys of its offset weigh in the tile.
    void addRelativeValues(const RelativeVectors& vectors, const float* scores, std::int64_t begin,
                           std::int64_t end) {
        const std::int64_t rows = m_tiles.paddedRows();
        const auto offset = [&](std::int64_t key, std::int64_t row) {
            const std::int64_t inBlock = m_rows[index(std::min<std::int64_t>(row, std::ssize(m_rows) - 1))];
            return m_problem.keyPosition(key) - m_problem.queryPosition(inBlock);
        };
        const Eigen::Index low = relativeRow(vectors, offset(begin, rows - 1));
        const Eigen::Index high = relativeRow(vectors, offset(end - 1, 0));
        m_offsetWeights.setZero(rows, high - low + 1);
        for (std::int64_t key = begin; key < end; ++key) {
            for (std::int64_t row = 0; row < rows; ++row) {
                m_offsetWeights(row, relativeRow(vectors, offset(key, row)) - low) +=
                    scores[(key - begin) * rows + row];
            }
        }
        m_vectors = relativeMatrix(vectors).middleRows(low, high - low + 1).cast<float>();
        m_ofTile.noalias() += m_offsetWeights * m_vectors;
    }

    /// Adds a tile, which counts from its own largest score, to what counts from the largest so far.
    void addRelativeToLargest(const float* largest) {
        const std::int64_t rows = m_tiles.paddedRows();
        m_keep.resize(rows);
        m_add.resize(rows);
        for (std::int64_t row = 0; row < rows; ++row) {
            const float before = m_reached[index(row)];
            raiseToLargest(largest + row, 1, 1, &m_reached[index(row)]);
            // Where nothing but -inf was seen so far there is nothing to scale.
            const float now = m_reached[index(row)];
            m_keep[row] = before == now ? 1.0f : vectorExp(before - now);
            m_add[row] = largest[row] == now ? 1.0f : vectorExp(largest[row] - now);
        }
        m_hiddenOfBlock.array().colwise() *= m_keep;
        m_hiddenOfBlock.array() += m_ofTile.array().colwise() * m_add;
    }

    void writeHidden(std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            if (m_problem.visibleKeys(row) == 0) {
                m_hidden.row(row).setConstant(std::numeric_limits<double>::quiet_NaN());
                continue;
            }
            const double inverseSum = double(m_sums.rowInverse()[row - begin]);
            m_hidden.row(row) = m_hiddenOfBlock.row(row - begin).cast<double>() * inverseSum;
        }
    }

    TileProblem& m_problem;
    const AttentionProblem& m_asked;
    RowMatrix& m_hidden;
    ScoreTiles m_tiles;
    BlockSums m_sums;
    std::vector<std::int64_t> m_rows;
    std::vector<float> m_base;
    std::vector<float> m_reached;       // the largest score of each row so far
    Eigen::ArrayXf m_keep, m_add;       // factors of what was summed and of the tile
    FloatRows m_values;                 // keys of a tile × d
    Columns m_ofTile, m_hiddenOfBlock;  // rows × d
    Columns m_offsetWeights;            // rows × offsets
    FloatRows m_vectors;                // offsets × d
};

}  // namespace

bool sumValues(TileProblem& problem, const AttentionProblem& asked, const std::stop_token& stop,
               AttentionResult& result) {
    const std::int64_t rows = problem.problem->queries.rows(), blockRows = rowsOfBlock(rows);
    result.hiddenStates.resize(rows, asked.values.cols());
    const auto blocks = static_cast<std::size_t>((rows + blockRows - 1) / blockRows);
    return forEachTask<BlockSummer>(
        blocks, [&] { return BlockSummer(problem, asked, result.hiddenStates); },
        [&](BlockSummer& summer, std::size_t task) {
            // Under a causal mask the last rows see most: they go first, so that no thread ends late.
            const std::int64_t begin = static_cast<std::int64_t>(blocks - 1 - task) * blockRows;
            return summer.sum(begin, std::min(begin + blockRows, rows), stop);
        },
        [&](const BlockSummer& summer) {
            result.largestRowSumError = std::max(result.largestRowSumError, summer.largestError());
        });
}

}  // namespace phaseladder
