#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/attention/head_rows.h"
#include "core/attention/problem.h"
#include "core/attention/turned_rows.h"

namespace phaseladder {

/// Keys of a tile of scores: a tile begins at a multiple of it.
constexpr std::int64_t tileKeys = 128;

/// Rows of a tile are a multiple of this, with copies of the last one where there are fewer: three packets of
/// a processor's vectors for all widths up to 16 numbers. Every score then takes the same way through the
/// product, so its bits depend neither on the tile nor on the request.
constexpr std::int64_t packetRows = 48;

/// What is known of rows of the map: Σ_j exp(s_ij) = exp(largest) · sum, in parts that lose nothing.
struct RowSums {
    std::vector<float> largest;     ///< the largest logit of a row
    std::vector<float> inverseSum;  ///< 1 / Σ exp(logit - largest)
    std::vector<float> logSum;      ///< log Σ exp(logit - largest)
    std::vector<float> sumError;    ///< |Σ weights - 1|, measured
    std::vector<std::uint8_t> isKnown;

    void resize(std::int64_t rows);
};

/// A problem in the form that tiles are computed from, and what has been learned of its rows. It keeps the
/// problem, whose queries are turned a block at a time.
struct TileProblem {
    std::shared_ptr<const AttentionProblem> problem;
    RowTurner turner;
    /// Keys turned as at their positions, padded with zeros to whole groups and packed (PackedProduct); with
    /// growth, each one divided by what it has grown since the middle of its tile.
    Eigen::VectorXf keys;
    std::vector<double> growth;    ///< g per channel; empty without
    std::vector<float> scoreBias;  ///< of offsets largest .. least, query - key ascending; empty without
    float scale = 1.0f;
    std::int64_t defined = 0;  ///< positions that have a code
    RowSums sums;

    /// None where it was stopped.
    [[nodiscard]] static std::unique_ptr<TileProblem> create(std::shared_ptr<const AttentionProblem> problem,
                                                             const std::stop_token& stop);

    [[nodiscard]] std::int64_t queryPosition(std::int64_t row) const { return problem->queryStart + row; }
    [[nodiscard]] std::int64_t keyPosition(std::int64_t key) const { return problem->keyStart + key; }
    /// Keys 0 .. n-1 that a query sees.
    [[nodiscard]] std::int64_t visibleKeys(std::int64_t row) const;
    /// Where the growth of a tile's keys is 1.
    [[nodiscard]] std::int64_t tileCentre(std::int64_t firstKey) const {
        return keyPosition(firstKey / tileKeys * tileKeys + tileKeys / 2);
    }
    /// The packed keys from the first of a tile on.
    [[nodiscard]] const float* packedKeys(std::int64_t firstKey) const {
        return keys.data() + firstKey * problem->keys.cols();
    }
    [[nodiscard]] double bytes() const;

private:
    explicit TileProblem(std::shared_ptr<const AttentionProblem> source);
    void setScoreBias();
    [[nodiscard]] bool turnKeys(const std::stop_token& stop);
};

/// Whether two problems have the same scores: they share queries and keys, and their plans do the same to
/// them.
[[nodiscard]] bool haveSameScores(const AttentionProblem& first, const AttentionProblem& second);

/// Whether the growth of all scores of a problem that are seen stays inside single precision.
[[nodiscard]] bool growthFitsSinglePrecision(const AttentionProblem& problem);

}  // namespace phaseladder
