#pragma once

// Relative vectors.
//   relativeProducts   a tile a block: (q + v)·r of rows and offsets, which scores then look up.
//                      Truth: ScoreTiles::addRelativeKeys() (core/attention/score_tiles.h).
//   relativeTable      a warp a row: every score reads its relative vector from memory, with the key's, as
//                      attention over a materialised table does. It is here to be slow: bytes, not
//                      multiplications, bound it. Truth: pairLogit() (core/attention/problem.h).

#include "gpu/kernels/scores.cuh"

namespace phaseladder::gpu {

__global__ void __launch_bounds__(tileThreads) relativeProducts(RelativeProductsArguments relative) {
    __shared__ TileMemory memory;
    const ScoreTerms& terms = relative.terms;
    const int firstRow = static_cast<int>(blockIdx.x) * tileRows;
    const std::int64_t firstOffset = static_cast<std::int64_t>(blockIdx.y) * tileKeys;
    const int brought = static_cast<int>(threadIdx.x) % tileRows;
    const bool hasRow = firstRow + brought < relative.rowCount;
    const std::int64_t query = hasRow ? relative.rows[firstRow + brought] : 0;
    const GrownFetch fetchRow{hasRow ? relative.queries + query * relative.stride : nullptr,
                              terms.positionOffset,
                              terms.growth,
                              relative.queryStart + query,
                              terms.growth.centre,
                              terms.growth.centre};
    const bool hasOffset = firstOffset + brought < terms.relativeOffsets;
    const std::int64_t tableRow = terms.relativeLeast + firstOffset + brought + terms.relativeReach;
    const PlainFetch fetchKey{hasOffset ? relative.table + tableRow * relative.stride : nullptr};
    float sums[heldRows][heldKeys];
    multiplyTile(memory, relative.stride, fetchRow, fetchKey, sums);
#pragma unroll
    for (int row = 0; row < heldRows; ++row) {
        const int needed = firstRow + heldRow(row);
#pragma unroll
        for (int key = 0; key < heldKeys; ++key) {
            const std::int64_t offset = firstOffset + heldKey(key);
            if (needed < relative.rowCount && offset < terms.relativeOffsets) {
                relative.products[needed * terms.relativeOffsets + offset] = sums[row][key];
            }
        }
    }
}

__global__ void __launch_bounds__(plainThreads) relativeTable(RelativeTableArguments relative) {
    const ScoreColumnsArguments& scores = relative.scores;
    const int lane = static_cast<int>(threadIdx.x) % warpThreads;
    const int at = static_cast<int>(blockIdx.x) * (plainThreads / warpThreads) +
                   static_cast<int>(threadIdx.x) / warpThreads;
    const bool hasRow = at < scores.rowCount;
    const std::int32_t query = hasRow ? scores.rows[at] : 0;
    const std::int32_t seen = hasRow ? seenKeys(scores.seen, query) : 0;
    const float* row = scores.queries + static_cast<std::int64_t>(query) * scores.stride;
    const float *u = scores.terms.contentOffset, *v = scores.terms.positionOffset;
    const std::int64_t reach = scores.terms.relativeReach;
    Part sum{minusInfinity(), 0.0f};
    for (std::int32_t key = 0; key < seen; ++key) {
        const std::int64_t offset = (scores.seen.keyStart + key) - (scores.seen.queryStart + query);
        const float* vector =
            relative.table + (clampedBetween(offset, -reach, reach) + reach) * scores.stride;
        const float* keyRow = scores.keys + static_cast<std::int64_t>(key) * scores.stride;
        float product = 0.0f;
        for (int channel = lane; channel < scores.width; channel += warpThreads) {
            product += (row[channel] + (u == nullptr ? 0.0f : u[channel])) * keyRow[channel];
            product += (row[channel] + (v == nullptr ? 0.0f : v[channel])) * vector[channel];
        }
        for (int lanes = 1; lanes < warpThreads; lanes *= 2) {
            product += exchange(product, lanes);
        }
        float score = product * scores.terms.scale;
        if (scores.terms.bias != nullptr) {
            score +=
                scores.terms.bias[clampedBetween(offset, -scores.terms.biasReach, scores.terms.biasReach) +
                                  scores.terms.biasReach];
        }
        const float largest = larger(sum.largest, score);
        sum.sum = sum.sum * rescaled(sum.largest, largest) + expf(score - baseOf(largest));
        sum.largest = largest;
    }
    if (hasRow && lane == 0) {
        relative.sums[query] = sum;
    }
}

}  // namespace phaseladder::gpu
