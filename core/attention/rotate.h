#pragma once

#include <cstdint>
#include <span>

#include "core/attention/problem.h"
#include "core/encodings/encoding.h"

namespace phaseladder {

/// Rotates one row (d channels) as at `position`: pair k by position · turnsPerToken[k], cos and sin
/// multiplied by the attention factor; channels from rotaryDim on stay as they are. The position may be
/// negative.
///   half         (k, k + r/2)      interleaved  (2k, 2k + 1)
/// (x, y) → (x cos t - y sin t, x sin t + y cos t). Source: Su et al. 2021, RoFormer, eq. 34.
void rotatePairs(std::span<double> row, const PairRotation& rotation, std::int64_t position);

/// Rotates rows begin .. end-1 of two matrices of the same shape (queries and keys, tokens × d), row p as at
/// position p; both share one computation of the angles.
void rotateRows(RowMatrix& queries, RowMatrix& keys, const PairRotation& rotation, std::int64_t begin,
                std::int64_t end);

}  // namespace phaseladder
