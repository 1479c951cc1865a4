#pragma once

#include <cmath>
#include <cstdint>

#include "core/attention/vector_exp.h"

namespace phaseladder {

/// Loops over a tile of scores (ScoreTiles): `rows` neighbours for each of `keys` keys. NaN goes through all
/// of them.

/// The largest score of each row, with those that `largest` holds already.
inline void raiseToLargest(const float* scores, std::int64_t rows, std::int64_t keys, float* largest) {
    for (std::int64_t key = 0; key < keys; ++key, scores += rows) {
#pragma omp simd
        for (std::int64_t row = 0; row < rows; ++row) {
            const float before = largest[row], score = scores[row];
            largest[row] = before > score || before != before ? before : score;
        }
    }
}

/// Where the exponents of rows are counted from: their largest scores, and 0 where that is -inf, since a row
/// of which all is masked is to give 0.
inline void setBase(const float* largest, std::int64_t rows, float* base) {
    for (std::int64_t row = 0; row < rows; ++row) {
        base[row] = largest[row] == -HUGE_VALF ? 0.0f : largest[row];
    }
}

/// Scores to exp(score - base).
inline void toExp(float* scores, std::int64_t rows, std::int64_t keys, const float* base) {
    for (std::int64_t key = 0; key < keys; ++key, scores += rows) {
#pragma omp simd
        for (std::int64_t row = 0; row < rows; ++row) {
            scores[row] = vectorExp(scores[row] - base[row]);
        }
    }
}

/// Adds exp(score - base) of each row to `sum`, key by key.
inline void addExp(const float* scores, std::int64_t rows, std::int64_t keys, const float* base, float* sum) {
    for (std::int64_t key = 0; key < keys; ++key, scores += rows) {
#pragma omp simd
        for (std::int64_t row = 0; row < rows; ++row) {
            sum[row] += vectorExp(scores[row] - base[row]);
        }
    }
}

/// Adds the scores of each row to `sum`, key by key.
inline void addKeys(const float* scores, std::int64_t rows, std::int64_t keys, float* sum) {
    for (std::int64_t key = 0; key < keys; ++key, scores += rows) {
#pragma omp simd
        for (std::int64_t row = 0; row < rows; ++row) {
            sum[row] += scores[row];
        }
    }
}

}  // namespace phaseladder
