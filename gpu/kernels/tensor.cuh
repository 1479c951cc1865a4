#pragma once

// Scores by the tensor cores.
//   scoreColumnsTensor   a block takes what one of scoreColumns takes (scores.cuh); products come from bf16
//                        and are summed in float32. Truth: poolTiles() (core/attention/tiled_map.h) of turned
//                        rows that are rounded to bf16.
//
// A warp takes 16 rows of the tile and all of its keys, in strips of eight. The sums stay where a product
// leaves them, lane 4·g + t holding two of row g and two of row g + 8:
//
//        strip       0                1           A row is in four lanes. Each has its own part of a column,
//        keys   0 1 2 3 4 5 6 7 | 8 9 ...         and they meet where the column ends: no score goes through
//   row g       t=0 t=1 t=2 t=3 | t=0 ...         shared memory, and a softmax waits for no other warp.
//   row g + 8   t=0 t=1 t=2 t=3 | t=0 ...
//
// Keys go through shared memory, in chunks of two slices of 16 channels, two chunks in turn: while one is
// multiplied the next one, of the next tile too, is brought. Queries come from the cache, where they stay
// from tile to tile. A product may take the channels of a slice in any order that rows and keys share: lane t
// takes 4·t .. 4·t+3, which lie together.

#include "gpu/kernels/scores.cuh"

namespace phaseladder::gpu {

constexpr int warpRows = 16;   // of the 128 of a tile
constexpr int lanesOfRow = 4;  // a lane holds two rows
constexpr int stripKeys = 8;   // of a product
constexpr int stripsAtOnce = 4;
constexpr int quarterKeys = stripsAtOnce * stripKeys, quarters = tileKeys / quarterKeys;
constexpr int pieceChannels = 8;                 // 16 bytes, as much as a thread brings at once
constexpr int slicePieces = 2, chunkPieces = 4;  // 16 channels are a product's

static_assert(warpRows * tileThreads / warpThreads == tileRows, "the warps of a block take a tile");
static_assert(2 * tileThreads == tileKeys * chunkPieces, "a thread brings two pieces of a chunk");

/// 16 channels of a tile's keys in shared memory, and room for two keys, so that the two slices of a chunk
/// lie in different banks.
using KeySlice = uint4[tileKeys + 2][slicePieces];
using KeyChunk = KeySlice[chunkPieces / slicePieces];

/// What a lane holds of a tile: of each strip two keys of one row, then two of the other.
using LaneScores = float[quarters][stripsAtOnce][4];

__device__ inline int laneOfWarp() {
    return static_cast<int>(threadIdx.x % static_cast<unsigned>(warpThreads));
}

/// The two rows of a lane, `needed` and needed + 8; none from rowCount on.
struct LaneRows {
    int needed;
    std::int32_t query[2], seen[2];  ///< seen: how many keys; 0 where there is no row
    ColumnSum sums[2];               ///< of this lane's keys
};

__device__ inline LaneRows laneRows(const ScoreColumnsArguments& scores, int firstRow) {
    LaneRows rows{};
    rows.needed =
        firstRow + static_cast<int>(threadIdx.x) / warpThreads * warpRows + laneOfWarp() / lanesOfRow;
#pragma unroll
    for (int at = 0; at < 2; ++at) {
        if (rows.needed + 8 * at < scores.rowCount) {
            rows.query[at] = scores.rows[rows.needed + 8 * at];
            rows.seen[at] = seenKeys(scores.seen, rows.query[at]);
        }
        rows.sums[at].clear();
    }
    return rows;
}

/// A piece of a row of a matrix. 32 bits count the pieces of 64 GiB, and spare registers.
__device__ inline const uint4* pieceOf(const std::uint16_t* matrix, std::uint32_t row, int piece,
                                       int rowPieces) {
    const std::uint32_t at = row * static_cast<std::uint32_t>(rowPieces) + static_cast<std::uint32_t>(piece);
    return reinterpret_cast<const uint4*>(matrix) + at;
}

/// Begins to bring a chunk of keys: a thread a piece of one key, and of that half a tile on.
__device__ inline void bringKeys(const TensorScoresArguments& tensor, std::uint32_t firstKey, int firstPiece,
                                 KeyChunk& chunk) {
    const int rowPieces = tensor.scores.stride / pieceChannels;
    const int inChunk = static_cast<int>(threadIdx.x % chunkPieces), piece = firstPiece + inChunk;
    const auto keys = static_cast<std::uint32_t>(tensor.scores.seen.keys);
#pragma unroll
    for (std::uint32_t half = 0; half < 2; ++half) {
        const std::uint32_t inTile = half * halfKeys + threadIdx.x / chunkPieces, key = firstKey + inTile;
        bring(chunk[inChunk / slicePieces][inTile][inChunk % slicePieces],
              pieceOf(tensor.keys, key, piece, rowPieces), key < keys && piece < rowPieces);
    }
}

/// Adds the products of a slice of channels, whose first piece is given.
__device__ inline void multiplySlice(const TensorScoresArguments& tensor, const LaneRows& rows, int piece,
                                     const KeySlice& keys, LaneScores& sums) {
    const int part = laneOfWarp() % lanesOfRow, inStrip = laneOfWarp() / lanesOfRow;
    std::uint32_t fragment[4];
#pragma unroll
    for (int at = 0; at < 2; ++at) {
        // Zeros for a row that sees nothing. What is computed stays where the products read it; what is only
        // loaded, nvcc copies anew for each of them.
        const std::uint32_t mask = rows.seen[at] > 0 ? ~0U : 0U;
        const auto query = static_cast<std::uint32_t>(rows.query[at]);
        const uint4* from = pieceOf(tensor.queries, query, piece, tensor.scores.stride / pieceChannels);
        const uint2 channels = reinterpret_cast<const uint2*>(from)[part];
        fragment[at] = channels.x & mask;
        fragment[at + 2] = channels.y & mask;
    }
#pragma unroll
    for (int quarter = 0; quarter < quarters; ++quarter) {
        std::uint32_t keyFragments[stripsAtOnce][2];
#pragma unroll
        for (int strip = 0; strip < stripsAtOnce; ++strip) {
            const uint4* key = keys[quarter * quarterKeys + strip * stripKeys + inStrip];
            const uint2 channels = reinterpret_cast<const uint2*>(key)[part];
            keyFragments[strip][0] = channels.x;
            keyFragments[strip][1] = channels.y;
        }
        multiplyBf16(sums[quarter], fragment, keyFragments);
    }
}

/// Keys of a tile: all of them, or begin .. end-1.
struct AllKeys {
    __device__ bool meetStrip(int /*firstKey*/) const { return true; }
    __device__ bool contain(int /*key*/) const { return true; }
};
struct SomeKeys {
    int begin, end;

    __device__ bool meetStrip(int firstKey) const { return firstKey < end && firstKey + stripKeys > begin; }
    __device__ bool contain(int key) const { return key >= begin && key < end; }
};

/// Calls use(row, key, score) for what a lane holds of some of a tile's keys: row 0 or 1, key 0 .. 127.
template <class Keys, class Scores, class Use>
__device__ inline void forScores(const Keys& keys, Scores& scores, const Use& use) {
    const int inStrip = laneOfWarp() % lanesOfRow * 2;
#pragma unroll
    for (int strip = 0; strip < quarters * stripsAtOnce; ++strip) {
        if (!keys.meetStrip(strip * stripKeys)) {
            continue;
        }
#pragma unroll
        for (int at = 0; at < 4; ++at) {
            const int key = strip * stripKeys + inStrip + at % 2;
            if (keys.contain(key)) {
                use(at / 2, key, scores[strip / stripsAtOnce][strip % stripsAtOnce][at]);
            }
        }
    }
}

/// Makes scores of the products of a tile.
__device__ inline void finishScores(const ScoreColumnsArguments& scores, const LaneRows& rows,
                                    std::int32_t tile, LaneScores& products) {
    const ScoreTerms& terms = scores.terms;
    const std::int32_t seen[2] = {rows.seen[0] - tile, rows.seen[1] - tile};
    if (terms.bias == nullptr && seen[0] >= tileKeys && seen[1] >= tileKeys) {
        forScores(AllKeys{}, products, [&](int, int, float& product) { product *= terms.scale; });
        return;
    }
    const float unseen = unseenScore(scores);
    const std::int64_t start = scores.seen.keyStart + tile - scores.seen.queryStart;
    forScores(AllKeys{}, products, [&](int row, int key, float& product) {
        product = key < seen[row] ? scoreOf(terms, product, start + key - rows.query[row]) : unseen;
    });
}

/// Adds some of a tile's scores to the lane's parts of a column.
template <class Keys>
__device__ inline void addScores(const Keys& keys, const LaneScores& scores, Statistic statistic,
                                 ColumnSum (&sums)[2]) {
    if (statistic == Statistic::sumOfLogits) {
        forScores(keys, scores, [&](int row, int, float score) { sums[row].sum += score; });
        return;
    }
    float largest[2] = {sums[0].largest, sums[1].largest};
    forScores(keys, scores, [&](int row, int, float score) { largest[row] = larger(largest[row], score); });
    if (statistic == Statistic::weights) {
        const float base[2] = {baseOf(largest[0]), baseOf(largest[1])};
        sums[0].sum *= rescaled(sums[0].largest, largest[0]);
        sums[1].sum *= rescaled(sums[1].largest, largest[1]);
        forScores(keys, scores,
                  [&](int row, int, float score) { sums[row].sum += quickExponential(score - base[row]); });
    }
    sums[0].largest = largest[0];
    sums[1].largest = largest[1];
}

/// Leaves what the lanes of a row have of a column.
__device__ inline void leaveColumn(const ScoreColumnsArguments& scores, int column, LaneRows& rows) {
#pragma unroll
    for (int at = 0; at < 2; ++at) {
        const Part part = joinedLanes({rows.sums[at].largest, rows.sums[at].sum}, lanesOfRow);
        if (laneOfWarp() % lanesOfRow == 0 && scores.edges[column] < rows.seen[at]) {
            const std::int64_t needed = rows.needed + 8 * at;
            scores.parts[needed * scores.columns + column] = part;
        }
        rows.sums[at].clear();
    }
}

/// Two blocks share a multiprocessor, so that one multiplies while the other one makes weights.
__global__ void __launch_bounds__(tileThreads, 2) scoreColumnsTensor(TensorScoresArguments tensor) {
    __shared__ KeyChunk chunks[2];
    const ScoreColumnsArguments& scores = tensor.scores;
    const int rowPieces = scores.stride / pieceChannels;
    const BlockKeys block = blockKeys(scores);
    if (block.begin >= block.end) {
        return;
    }
    LaneRows rows = laneRows(scores, block.firstRow);
    int turn = 0, column = block.firstColumn;
    std::int32_t key = block.begin;
    bringKeys(tensor, static_cast<std::uint32_t>(tileOf(key)), 0, chunks[turn]);
    while (key < block.end) {
        const std::int32_t tile = tileOf(key);
        LaneScores held{};
#pragma unroll 1  // two slices at once need more registers than there are
        for (int piece = 0; piece < rowPieces; piece += slicePieces) {
            if (piece % chunkPieces == 0) {
                waitForBrought();
                __syncthreads();
                turn = 1 - turn;
                const bool isLast = piece + chunkPieces >= rowPieces;
                bringKeys(tensor, static_cast<std::uint32_t>(tile) + (isLast ? tileKeys : 0),
                          isLast ? 0 : piece + chunkPieces, chunks[turn]);
            }
            multiplySlice(tensor, rows, piece, chunks[1 - turn][piece % chunkPieces / slicePieces], held);
        }
        finishScores(scores, rows, tile, held);
        const auto add = [&](std::int32_t begin, std::int32_t end) {
            if (end - begin == tileKeys) {
                addScores(AllKeys{}, held, scores.statistic, rows.sums);
            } else {
                addScores(SomeKeys{begin - tile, end - tile}, held, scores.statistic, rows.sums);
            }
        };
        walkColumns(scores, column, key, endWithin(tile, tileKeys, block.end), add,
                    [&] { leaveColumn(scores, column, rows); });
    }
    leaveColumn(scores, column, rows);
    waitForBrought();  // what was brought for a tile that does not come
}

}  // namespace phaseladder::gpu
