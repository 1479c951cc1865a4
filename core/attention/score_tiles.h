#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "core/attention/tile_problem.h"

namespace phaseladder {

/// Logits of a block of rows, a tile of keys at a time; buffers of one thread, used again for further blocks.
///
/// In memory the rows of the map run along a tile and its keys across: score(row, key) = at[key · rows +
/// row]. So whatever is summed over keys is a loop over neighbours in memory, without sums inside of vectors.
class ScoreTiles {
public:
    /// Turns the queries of rows of the map, ascending, at most a few hundred.
    void setRows(const TileProblem& problem, std::span<const std::int64_t> rows);

    /// Rows of a tile: those of setRows(), then copies of the last one (packetRows).
    [[nodiscard]] std::int64_t paddedRows() const { return m_paddedRows; }
    /// How many keys, 0 .. n-1, each of the padded rows sees, and the least and the most of them.
    [[nodiscard]] const std::int32_t* visibleKeys() const { return m_visible.data(); }
    [[nodiscard]] std::int64_t leastVisibleKeys() const { return m_leastVisible; }
    [[nodiscard]] std::int64_t mostVisibleKeys() const { return m_mostVisible; }

    /// Whether the bits of a row's logits are the same in whatever block it comes; else nothing is to be kept
    /// of them.
    [[nodiscard]] bool areOfAnyBlock() const {
        return m_areNeighbours || !m_problem->problem->plan.relativeKeys;
    }

    /// Logits of keys begin .. end-1; begin is that of a tile (tileKeys), end is in it. `masked` where a row
    /// does not see a key. The numbers may be written over; they stay until the next call.
    [[nodiscard]] float* compute(std::int64_t begin, std::int64_t end, float masked);

private:
    using Columns = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>;  // rows × channels or keys

    void growQueries(std::int64_t firstKey);
    void addScoreBias(std::int64_t begin, std::int64_t end);
    void addRelativeKeys(std::int64_t begin, std::int64_t end);
    void addRelativeKeys(std::int64_t begin, std::int64_t end, std::int64_t firstRow, std::int64_t endRow);
    void mask(std::int64_t tileBegin, std::int64_t end, float masked);

    const TileProblem* m_problem = nullptr;
    std::int64_t m_paddedRows = 0;
    std::vector<std::int64_t> m_positions;  // of the padded rows
    std::vector<std::int32_t> m_visible;
    std::int64_t m_leastVisible = 0, m_mostVisible = 0;
    bool m_areNeighbours = false;  // the rows follow each other without gaps
    FloatRows m_turned;            // rows × d, turned
    Columns m_queries;             // the same with u, or as they meet a tile's keys where they grow
    Columns m_packedQueries;       // those, as the product reads them
    Columns m_positionQueries;     // with v: what meets relative vectors
    Columns m_scores;              // rows × keys of the tile
    FloatRows m_relative;          // relative vectors that a tile meets
    Columns m_products;            // of them and the position queries
};

}  // namespace phaseladder
