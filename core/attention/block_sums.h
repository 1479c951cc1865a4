#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/attention/score_tiles.h"
#include "core/attention/tile_problem.h"

namespace phaseladder {

/// Softmax of a block of rows whose tiles come one after the other: each tile is summed relative to its own
/// largest score, and all are joined at the end. Nothing is summed in the order of the threads, and the sums
/// of a row are the same in whatever block it comes.
class BlockSums {
public:
    /// Tiles of keys firstKey .. endKey-1; both kinds of numbers are padded rows for each tile.
    void begin(const ScoreTiles& tiles, std::int64_t firstKey, std::int64_t endKey);

    /// Largest score of each row in the tile that begins with a key, and Σ exp(score - largest) there.
    [[nodiscard]] float* largestOf(std::int64_t firstKey) { return m_largest.data() + at(firstKey); }
    [[nodiscard]] float* sumOf(std::int64_t firstKey) { return m_sum.data() + at(firstKey); }

    /// Joins the tiles, which were all that the rows see; what comes out is what the problem keeps of them.
    void join(std::span<const std::int64_t> rows, RowSums& known, bool keep);
    /// Takes what is known of the rows instead.
    void take(std::span<const std::int64_t> rows, const RowSums& known);

    /// Largest score of each padded row and the logarithm of its Σ exp(score - largest).
    [[nodiscard]] const float* rowLargest() const { return m_rowLargest.data(); }
    [[nodiscard]] const float* rowLogSum() const { return m_rowLogSum.data(); }
    /// 1 / Σ exp(score - largest) of each padded row.
    [[nodiscard]] const float* rowInverse() const { return m_rowInverse.data(); }
    /// What turns exp(score - largest of the tile) into weights.
    [[nodiscard]] const float* scaleOf(std::int64_t firstKey) const { return m_scale.data() + at(firstKey); }
    void setScales();

    /// max over the rows so far of |Σ weights - 1|.
    [[nodiscard]] double largestError() const { return m_largestError; }

private:
    [[nodiscard]] std::int64_t at(std::int64_t firstKey) const {
        return (firstKey - m_firstKey) / tileKeys * m_rows;
    }

    std::int64_t m_rows = 0, m_tiles = 0, m_firstKey = 0;
    std::vector<std::int32_t> m_visible;
    std::vector<float> m_largest, m_sum, m_scale;                // tiles × padded rows
    std::vector<float> m_rowLargest, m_rowInverse, m_rowLogSum;  // padded rows
    double m_largestError = 0.0;
};

}  // namespace phaseladder
