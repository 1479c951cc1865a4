#pragma once

// Hidden states.
//   hiddenStates   a block takes 128 rows and 128 channels: tiles of scores, their weights from the largest
//                  score so far on, and the values that these weigh; what was summed before is scaled down
//                  when a larger score comes (flash attention). Truth: sumValues()
//                  (core/attention/tiled_hidden.h).

#include "gpu/kernels/scores.cuh"

namespace phaseladder::gpu {

constexpr int heldChannels = 8;  // of a thread: 16 × 8 are a block's

/// Shared memory of a block: the tile, and for each row what its sum so far is scaled by.
struct HiddenMemory {
    TileMemory tile;
    float scale[tileRows];
};

/// Adds the values of half a tile's keys, each weighed, to the hidden states that a thread holds.
__device__ inline void addValues(const HiddenStatesArguments& hidden, const HiddenMemory& memory,
                                 const HeldQueries& held, std::int64_t firstKey, std::int64_t endKey,
                                 int firstChannel, float (&sums)[heldRows][heldChannels]) {
    const int stride = hidden.scores.stride;
    for (std::int64_t key = firstKey; key < endKey; ++key) {
        float values[heldChannels];
        fetchEight(firstChannel < stride ? hidden.values + key * stride + firstChannel : nullptr, values);
#pragma unroll
        for (int row = 0; row < heldRows; ++row) {
            const float weight = memory.tile.scores[heldRow(row)][key - firstKey];
            if (hidden.relativeValues == nullptr || firstChannel >= stride) {
#pragma unroll
                for (int channel = 0; channel < heldChannels; ++channel) {
                    sums[row][channel] += weight * values[channel];
                }
                continue;
            }
            const SeenKeys& seen = hidden.scores.seen;
            const std::int64_t offset = (seen.keyStart + key) - (seen.queryStart + held.query[row]);
            const std::int64_t at = clampedBetween(offset, -hidden.valueReach, hidden.valueReach);
            float relative[heldChannels];
            fetchEight(hidden.relativeValues + (at + hidden.valueReach) * stride + firstChannel, relative);
#pragma unroll
            for (int channel = 0; channel < heldChannels; ++channel) {
                sums[row][channel] += weight * (values[channel] + relative[channel]);
            }
        }
    }
}

__global__ void __launch_bounds__(tileThreads) hiddenStates(HiddenStatesArguments hidden) {
    __shared__ HiddenMemory memory;
    const ScoreColumnsArguments& scores = hidden.scores;
    const int firstRow = static_cast<int>(gridDim.x - 1 - blockIdx.x) * tileRows;
    const int summedRow = static_cast<int>(threadIdx.x) / 2;
    const bool hasRow = firstRow + summedRow < scores.rowCount;
    const int firstChannel = static_cast<int>(blockIdx.y) * tileSide * heldChannels +
                             static_cast<int>(threadIdx.x) % tileSide * heldChannels;
    const HeldQueries held = heldQueries(scores, firstRow);
    float sums[heldRows][heldChannels];
#pragma unroll
    for (int row = 0; row < heldRows; ++row) {
#pragma unroll
        for (int channel = 0; channel < heldChannels; ++channel) {
            sums[row][channel] = 0.0f;
        }
    }
    ColumnSum rowSum{};
    rowSum.clear();
    const std::int64_t endKey = mostSeen(scores, firstRow);
    for (std::int64_t key = 0; key < endKey; key += tileKeys) {
        float products[heldRows][heldKeys];
        multiplyPlainTile(scores, memory.tile, firstRow, key, products);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const std::int64_t begin = key + half * halfKeys, end = lesser(begin + halfKeys, endKey);
            if (begin >= endKey) {
                break;
            }
            putHalf(scores, memory.tile, products, half, firstRow, key, held, minusInfinity());
            __syncthreads();
            // Two neighbouring threads make weights of a row's scores.
            float* rowScores = memory.tile.scores[summedRow];
            const float before = rowSum.largest;
            addKeys(rowScores, 0, static_cast<int>(end - begin), Statistic::weights, rowSum);
            const float base = baseOf(rowSum.largest);
            for (int at = static_cast<int>(threadIdx.x) & 1; at < end - begin; at += 2) {
                rowScores[at] = expf(rowScores[at] - base);
            }
            if ((threadIdx.x & 1U) == 0) {
                memory.scale[summedRow] = rescaled(before, rowSum.largest);
            }
            __syncthreads();
#pragma unroll
            for (int row = 0; row < heldRows; ++row) {
                const float scale = memory.scale[heldRow(row)];
#pragma unroll
                for (int channel = 0; channel < heldChannels; ++channel) {
                    sums[row][channel] *= scale;
                }
            }
            addValues(hidden, memory, held, begin, end, firstChannel, sums);
            __syncthreads();
        }
    }
    const Part whole{rowSum.largest, rowSum.sum + exchange(rowSum.sum, 1)};
    if ((threadIdx.x & 1U) == 0) {
        memory.scale[summedRow] = whole.sum;
        if (hasRow && blockIdx.y == 0) {
            hidden.sums[scores.rows[firstRow + summedRow]] = whole;
        }
    }
    __syncthreads();
#pragma unroll
    for (int row = 0; row < heldRows; ++row) {
        const int needed = firstRow + heldRow(row);
        if (needed >= scores.rowCount || firstChannel >= scores.stride) {
            continue;
        }
        float* to = hidden.hidden + static_cast<std::int64_t>(needed) * scores.stride + firstChannel;
#pragma unroll
        for (int channel = 0; channel < heldChannels; ++channel) {
            to[channel] = held.seen[row] > 0 ? sums[row][channel] / memory.scale[heldRow(row)] : NAN;
        }
    }
}

}  // namespace phaseladder::gpu
