#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/attention/problem.h"
#include "core/encodings/encoding.h"
#include "core/phase/phase_turns.h"

namespace phaseladder {

/// Where the token at a position stands on the axis that turns a pair: at the position itself in a text.
[[nodiscard]] std::int64_t positionOnAxis(const PairRotation& rotation, std::size_t pair,
                                          std::int64_t position);

/// cos and sin of each pair at a position, with the attention factor; the axis of each pair and where the
/// position stands on it are the rotation's.
[[nodiscard]] std::vector<CosSin> anglesAt(const PairRotation& rotation, std::int64_t position);

/// What queries of a pair are multiplied by at a position, and keys divided by: 1 without growth.
[[nodiscard]] double growthAt(const PairRotation& rotation, std::size_t pair, std::int64_t position);

/// A query, or a key, as it stands at a position: rotated, with xPos' growth where there is some.
void rotateQuery(std::span<double> row, const PairRotation& rotation, std::int64_t position);
void rotateKey(std::span<double> row, const PairRotation& rotation, std::int64_t position);

/// Rotates one row (d channels) as at `position`: pair k by position · turnsPerToken[k], cos and sin
/// multiplied by the attention factor; channels from rotaryDim on stay as they are. No growth. The position
/// may be negative where the rotation has no axes.
///   half         (k, k + r/2)      interleaved  (2k, 2k + 1)
/// (x, y) → (x cos t - y sin t, x sin t + y cos t). Source: Su et al. 2021, RoFormer, eq. 34.
void rotatePairs(std::span<double> row, const PairRotation& rotation, std::int64_t position);

/// Rotates rows begin .. end-1 of two matrices of the same shape (queries and keys, tokens × d), row p as at
/// position p; both share one computation of the angles.
void rotateRows(RowMatrix& queries, RowMatrix& keys, const PairRotation& rotation, std::int64_t begin,
                std::int64_t end);

/// Rotates all rows of two matrices of the same shape as those of queries and keys at one position.
void rotateRowsAt(RowMatrix& queries, RowMatrix& keys, const PairRotation& rotation, std::int64_t position);

}  // namespace phaseladder
