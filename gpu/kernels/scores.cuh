#pragma once

// From scores to pixels.
//   scoreColumns   a block takes 128 rows and a group of columns: tiles of scores, and an online softmax that
//                  starts anew at the edge of each column. Leaves (largest, sum) of each row and column.
//   sumRows        a block a row: all its columns give log Σ exp, and how far the weights are from 1.
//   poolColumns    one thread a pixel: its rows, one after the other.
// A column is a range of keys: one column of pixels, or keys beside the window, which count in the sum of a
// row only. Nobody adds to what another block adds to, so the bits are always the same.
// Truth: poolTiles() (core/attention/tiled_map.h).

#include "gpu/kernels/tile_product.cuh"

namespace phaseladder::gpu {

/// The part of a column that a thread has come through so far. Two neighbouring threads share a row: they
/// hold the same largest number, and each the sum over its own keys.
struct ColumnSum {
    float largest, sum;

    __device__ void clear() {
        largest = minusInfinity();
        sum = 0.0f;
    }
};

/// The queries of the rows that a thread holds, and how many keys each sees: none where there is no row.
struct HeldQueries {
    std::int32_t query[heldRows], seen[heldRows];
};

__device__ inline HeldQueries heldQueries(const ScoreColumnsArguments& scores, int firstRow) {
    HeldQueries held{};
    for (int at = 0; at < heldRows; ++at) {
        const int needed = firstRow + heldRow(at);
        if (needed < scores.rowCount) {
            held.query[at] = scores.rows[needed];
            held.seen[at] = seenKeys(scores.seen, held.query[at]);
        }
    }
    return held;
}

/// The score of a product: scaled, and what is added at an offset.
__device__ inline float scoreOf(const ScoreTerms& terms, float product, std::int64_t offset) {
    float score = product * terms.scale;
    if (terms.bias != nullptr) {
        score += terms.bias[clampedBetween(offset, -terms.biasReach, terms.biasReach) + terms.biasReach];
    }
    return score;
}

/// Adds what belongs to a score besides q·k; `unseen` where the row does not see the key.
__device__ inline float finishedScore(const ScoreColumnsArguments& scores, float product, int neededRow,
                                      std::int32_t query, std::int32_t key, std::int32_t seen, float unseen) {
    if (key >= seen) {
        return unseen;
    }
    const ScoreTerms& terms = scores.terms;
    const std::int64_t offset = (scores.seen.keyStart + key) - (scores.seen.queryStart + query);
    if (terms.relative != nullptr) {
        const std::int64_t at = clampedBetween(offset, -terms.relativeReach, terms.relativeReach);
        product += terms.relative[neededRow * terms.relativeOffsets + (at - terms.relativeLeast)];
    }
    return scoreOf(terms, product, offset);
}

/// Puts down the scores of half a tile.
__device__ inline void putHalf(const ScoreColumnsArguments& scores, TileMemory& memory,
                               const float (&sums)[heldRows][heldKeys], int half, int firstRow,
                               std::int32_t firstKey, const HeldQueries& held, float unseen) {
#pragma unroll
    for (int row = 0; row < heldRows; ++row) {
#pragma unroll
        for (int at = 0; at < heldKeys / 2; ++at) {
            const int inHalf = heldKey(at);  // the same in both halves
            const float product = half == 0 ? sums[row][at] : sums[row][at + heldKeys / 2];
            memory.scores[heldRow(row)][inHalf] =
                finishedScore(scores, product, firstRow + heldRow(row), held.query[row],
                              firstKey + half * halfKeys + inHalf, held.seen[row], unseen);
        }
    }
}

/// Adds keys begin .. end-1 of a row's scores, of which a thread takes every second, to its part of a column.
__device__ inline void addKeys(const float* scores, int begin, int end, Statistic statistic,
                               ColumnSum& column) {
    const int own = begin + ((begin ^ static_cast<int>(threadIdx.x)) & 1);
    if (statistic == Statistic::sumOfLogits) {
        for (int key = own; key < end; key += 2) {
            column.sum += scores[key];
        }
        return;
    }
    float largest = column.largest;
    for (int key = own; key < end; key += 2) {
        largest = larger(largest, scores[key]);
    }
    largest = larger(largest, exchange(largest, 1));
    if (statistic == Statistic::weights) {
        const float base = baseOf(largest);
        float sum = column.sum * rescaled(column.largest, largest);
        for (int key = own; key < end; key += 2) {
            sum += expf(scores[key] - base);
        }
        column.sum = sum;
    }
    column.largest = largest;
}

/// Goes on from `key`, in `column` or behind it, to key `end`: leave() of each column that is behind, then
/// add(begin, end) of keys of one.
template <class Add, class Leave>
__device__ inline void walkColumns(const ScoreColumnsArguments& scores, int& column, std::int32_t& key,
                                   std::int32_t end, const Add& add, const Leave& leave) {
    while (key < end) {
        while (scores.edges[column + 1] <= key) {
            leave();
            ++column;
        }
        const std::int32_t begin = key, edge = scores.edges[column + 1];
        key = edge < end ? edge : end;
        add(begin, key);
    }
}

/// How many keys, from the first, any of a block's rows sees.
__device__ inline std::int32_t mostSeen(const ScoreColumnsArguments& scores, int firstRow) {
    std::int32_t most = 0;
    for (int row = firstRow; row < scores.rowCount && row < firstRow + tileRows; ++row) {
        const std::int32_t seen = seenKeys(scores.seen, scores.rows[row]);
        most = seen > most ? seen : most;
    }
    return most;
}

/// What a block goes through: its rows, and the keys of its group of columns that any of them sees.
struct BlockKeys {
    int firstRow, firstColumn;
    std::int32_t begin, end;
};

__device__ inline BlockKeys blockKeys(const ScoreColumnsArguments& scores) {
    // Under a causal mask the last rows see most: they go first, so that no block ends late.
    const int firstRow = static_cast<int>(gridDim.x - 1 - blockIdx.x) * tileRows;
    const std::int32_t *group = scores.groups + blockIdx.y, *edges = scores.edges;
    const std::int32_t seen = mostSeen(scores, firstRow), end = edges[group[1]];
    return {firstRow, group[0], edges[group[0]], seen < end ? seen : end};
}

/// The first key of the tile that a key is in, and that of the next one, or `end`.
__device__ inline std::int32_t tileOf(std::int32_t key) {
    return key - key % tileKeys;
}
__device__ inline std::int32_t endWithin(std::int32_t first, int keys, std::int32_t end) {
    return end - first < keys ? end : first + keys;
}

/// The score of a key that is not seen: it counts nothing.
__device__ inline float unseenScore(const ScoreColumnsArguments& scores) {
    return scores.statistic == Statistic::sumOfLogits ? 0.0f : minusInfinity();
}

/// q·k of a tile, as its queries and keys meet.
__device__ inline void multiplyPlainTile(const ScoreColumnsArguments& scores, TileMemory& memory,
                                         int firstRow, std::int64_t firstKey,
                                         float (&sums)[heldRows][heldKeys]) {
    const int brought = static_cast<int>(threadIdx.x) % tileRows;
    const bool hasRow = firstRow + brought < scores.rowCount;
    const std::int64_t query = hasRow ? scores.rows[firstRow + brought] : 0;
    const GrownFetch fetchRow{hasRow ? scores.queries + query * scores.stride : nullptr,
                              scores.terms.contentOffset,
                              scores.terms.growth,
                              scores.seen.queryStart + query,
                              scores.seen.keyStart + tileCentre(firstKey),
                              scores.terms.growth.centre};
    const bool hasKey = firstKey + brought < scores.seen.keys;
    const PlainFetch fetchKey{hasKey ? scores.keys + (firstKey + brought) * scores.stride : nullptr};
    multiplyTile(memory, scores.stride, fetchRow, fetchKey, sums);
}

__global__ void __launch_bounds__(tileThreads) scoreColumns(ScoreColumnsArguments scores) {
    __shared__ TileMemory memory;
    const BlockKeys block = blockKeys(scores);
    if (block.begin >= block.end) {
        return;
    }
    const HeldQueries held = heldQueries(scores, block.firstRow);
    const int row = static_cast<int>(threadIdx.x) / 2, needed = block.firstRow + row;
    const std::int32_t seen = needed < scores.rowCount ? seenKeys(scores.seen, scores.rows[needed]) : 0;
    int column = block.firstColumn;
    std::int32_t key = block.begin;
    ColumnSum sum{};
    sum.clear();
    const auto leave = [&] {
        const float both = sum.sum + exchange(sum.sum, 1);
        if ((threadIdx.x & 1U) == 0 && scores.edges[column] < seen) {
            scores.parts[static_cast<std::int64_t>(needed) * scores.columns + column] = {sum.largest, both};
        }
        sum.clear();
    };
    while (key < block.end) {
        const std::int32_t tile = tileOf(key);
        float sums[heldRows][heldKeys];
        multiplyPlainTile(scores, memory, block.firstRow, tile, sums);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            putHalf(scores, memory, sums, half, block.firstRow, tile, held, unseenScore(scores));
            __syncthreads();
            const std::int32_t first = tile + half * halfKeys;
            walkColumns(
                scores, column, key, endWithin(first, halfKeys, block.end),
                [&](std::int32_t begin, std::int32_t end) {
                    addKeys(memory.scores[row], begin - first, end - first, scores.statistic, sum);
                },
                leave);
            __syncthreads();
        }
    }
    leave();
}

/// Largest and sum of the parts of neighbouring lanes, as many as `lanes`, in each of them.
__device__ inline Part joinedLanes(Part part, int lanes = warpThreads) {
    float largest = part.largest;
    for (int other = 1; other < lanes; other *= 2) {
        largest = larger(largest, exchange(largest, other));
    }
    float sum = part.sum * rescaled(part.largest, largest);
    for (int other = 1; other < lanes; other *= 2) {
        sum += exchange(sum, other);
    }
    return {largest, sum};
}

/// A warp a row.
__global__ void __launch_bounds__(plainThreads) sumRows(SumRowsArguments rows) {
    const int lane = static_cast<int>(threadIdx.x) % warpThreads;
    const int at = static_cast<int>(blockIdx.x) * (plainThreads / warpThreads) +
                   static_cast<int>(threadIdx.x) / warpThreads;
    const bool hasRow = at < rows.rowCount;
    const std::int32_t query = hasRow ? rows.rows[at] : 0;
    const std::int32_t seen = hasRow ? seenKeys(rows.seen, query) : 0;
    const Part* parts = rows.parts + static_cast<std::int64_t>(hasRow ? at : 0) * rows.columns;
    Part sum{minusInfinity(), 0.0f};
    for (int column = lane; column < rows.columns && rows.edges[column] < seen; column += warpThreads) {
        const float largest = larger(sum.largest, parts[column].largest);
        sum.sum = sum.sum * rescaled(sum.largest, largest) +
                  parts[column].sum * rescaled(parts[column].largest, largest);
        sum.largest = largest;
    }
    sum = joinedLanes(sum);
    float weights = 0.0f;
    for (int column = lane; column < rows.columns && rows.edges[column] < seen; column += warpThreads) {
        weights += parts[column].sum * rescaled(parts[column].largest, sum.largest) / sum.sum;
    }
    for (int lanes = 1; lanes < warpThreads; lanes *= 2) {
        weights += exchange(weights, lanes);
    }
    if (hasRow && lane == 0) {
        rows.sums[query] = sum;
        rows.errors[query] = seen > 0 ? fabsf(weights - 1.0f) : 0.0f;
    }
}

/// What a pixel holds that no row was added to.
__device__ inline double emptyPixel(const PoolColumnsArguments& pool) {
    return pool.isMax ? static_cast<double>(minusInfinity()) : 0.0;
}

/// A row's number as it counts in a pixel.
__device__ inline float countedPart(const PoolColumnsArguments& pool, const Part& part, const Part& sum) {
    if (pool.isLogits) {
        return pool.isMax ? part.largest : part.sum;
    }
    if (pool.isMax) {
        return part.largest - sum.largest - logf(sum.sum);
    }
    return part.sum * expf(part.largest - sum.largest) / sum.sum;
}

/// What the sum of a pixel is divided by: all cells of weights, since a masked one weighs 0; those that are
/// seen of logits, since a masked one has none.
__device__ inline double countedCells(const PoolColumnsArguments& pool, int pixel, int column) {
    const std::int64_t first = pool.edges[column], width = pool.edges[column + 1] - first;
    const std::int32_t begin = pool.pixelBegins[pixel], end = pool.pixelBegins[pixel + 1];
    std::int64_t cells = pool.isLogits ? 0 : (end - begin) * width;
    for (std::int32_t row = begin; row < end && pool.isLogits; ++row) {
        cells += clampedBetween(seenKeys(pool.seen, pool.rows[row]) - first, 0, width);
    }
    return static_cast<double>(cells);
}

/// Whether any of a row of pixels' rows begin .. end-1 sees a column.
__device__ inline bool isColumnSeen(const PoolColumnsArguments& pool, int column, std::int32_t begin,
                                    std::int32_t end) {
    bool isSeen = false;
    for (std::int32_t row = begin; row < end && !isSeen; ++row) {
        isSeen = pool.edges[column] < seenKeys(pool.seen, pool.rows[row]);
    }
    return isSeen;
}

__global__ void __launch_bounds__(plainThreads) poolColumns(PoolColumnsArguments pool) {
    const int at = static_cast<int>(blockIdx.x) * plainThreads + static_cast<int>(threadIdx.x);
    const int pixel = pool.firstPixel + static_cast<int>(blockIdx.y);
    if (at >= pool.pixelColumns) {
        return;
    }
    const int column = pool.firstColumn + at;
    const std::int32_t begin = pool.pixelBegins[pixel], end = pool.pixelBegins[pixel + 1];
    const bool goesOn = begin < pool.chunkBegin;
    double number = goesOn ? pool.carriedIn[at] : emptyPixel(pool);
    const std::int32_t last = end < pool.chunkEnd ? end : pool.chunkEnd;
    for (std::int32_t row = goesOn ? pool.chunkBegin : begin; row < last; ++row) {
        const std::int32_t query = pool.rows[row];
        if (pool.edges[column] >= seenKeys(pool.seen, query)) {
            continue;
        }
        const Part part =
            pool.parts[static_cast<std::int64_t>(row - pool.chunkBegin) * pool.columns + column];
        const auto counted =
            static_cast<double>(countedPart(pool, part, pool.isLogits ? Part{0.0f, 1.0f} : pool.sums[query]));
        if (pool.isMax) {
            number = number > counted || number != number ? number : counted;
        } else {
            number += counted;
        }
    }
    if (end > pool.chunkEnd) {
        pool.carriedOut[at] = number;
        return;
    }
    if (!isColumnSeen(pool, column, begin, end)) {
        number = 0.0;
    } else if (!pool.isMax) {
        number /= countedCells(pool, pixel, column);
    } else if (!pool.isLogits) {
        number = static_cast<double>(expf(static_cast<float>(number)));
    }
    pool.map[static_cast<std::int64_t>(pixel) * pool.pixelColumns + at] = static_cast<float>(number);
}

}  // namespace phaseladder::gpu
