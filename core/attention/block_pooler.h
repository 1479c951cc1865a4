#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/attention/block_sums.h"
#include "core/attention/map_tasks.h"
#include "core/attention/score_tiles.h"
#include "core/attention/tile_problem.h"

namespace phaseladder {

/// A request for a map, cut into tasks.
struct TiledRequest {
    TileProblem& problem;
    const MapRequest& request;
    MapTasks tasks;
    std::vector<std::int64_t> columnEdges;  ///< of the columns of pixels, keys

    [[nodiscard]] bool isMean() const { return request.pooling == Pooling::mean; }
    [[nodiscard]] bool isWeights() const { return request.values == ViewValues::weights; }
    /// What a pixel holds that no cell was added to.
    [[nodiscard]] double nothing() const;
};

/// Pools blocks of rows; one for each thread, which keeps its buffers.
class BlockPooler {
public:
    explicit BlockPooler(const TiledRequest& map) : m_map(map) {}

    /// Pools the rows of a task; false where it was stopped. The sums of rows that were unknown are kept.
    [[nodiscard]] bool pool(const MapTask& task, const std::stop_token& stop);

    /// Of the task pooled last, its rows of pixels × columns of pixels: of a mean sums of weights or logits,
    /// else the largest logit or logarithm of a weight.
    [[nodiscard]] const std::vector<double>& pixels() const { return m_pixels; }

    /// max over all pooled rows of |Σ weights - 1|.
    [[nodiscard]] double largestError() const { return m_sums.largestError(); }

private:
    /// Keys of one column of pixels in one tile.
    struct Segment {
        std::int64_t column = 0, tile = 0, begin = 0;
    };

    [[nodiscard]] bool addBlock(std::int64_t begin, std::int64_t end, const std::stop_token& stop);
    void addTile(std::int64_t begin, std::int64_t end, bool needsSums);
    void addSegments(const float* scores, std::int64_t begin, std::int64_t end);
    void setCounted(std::size_t at);
    void addToPixels(const MapTask& task, std::int64_t begin, std::int64_t end);
    void addAcross(std::int64_t firstRow, std::int64_t endRow, double* pixels) const;

    /// Columns of pixels whose rows are added together, as the numbers of a vector.
    static constexpr std::int64_t columnsTogether = 16;

    const TiledRequest& m_map;
    ScoreTiles m_tiles;
    BlockSums m_sums;
    std::vector<Segment> m_segments;
    std::vector<float> m_numbers;         // of the segments: segments × padded rows
    std::vector<float> m_base;            // of the tile's exponents
    std::vector<double> m_pixels;         // of the task: sums or largest values
    std::vector<std::int64_t> m_columns;  // some columns of pixels
    std::vector<float> m_across;          // their numbers: padded rows × columnsTogether
    std::int64_t m_column = 0;            // of the segment added last
};

}  // namespace phaseladder
