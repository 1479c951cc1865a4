#pragma once

// The product of a tile: 128 rows of one matrix with 128 rows of another, in float32. A block of 256 threads,
// 16 × 16; a thread holds 8 × 8 of the 128 × 128 sums: rows 4·y .. 4·y+3 and 64 more, keys 4·x .. 4·x+3 and
// 64 more, so that it reads shared memory by fours.
//
//        keys  0      64     128        Chunks of 16 channels of both tiles go through shared memory, two in
//   rows  0  [ a b | a b ]              turn: while one is multiplied, the next one comes into registers and
//            [ c d | c d ]              is put down, so that a chunk costs one barrier.
//        64  [ a b | a b ]
//            [ c d | c d ]              thread (x, y) has what is at its place in each of the four quarters
//
// Truth: PackedProduct (core/attention/packed_product.h).

#include "gpu/kernels/platform.cuh"

namespace phaseladder::gpu {

constexpr int heldRows = 8, heldKeys = 8;  // of a thread
constexpr int tileSide = 16;               // threads along a side
constexpr int paddedTile = tileRows + 4;   // fours stay aligned, and neighbours in different banks
constexpr int halfKeys = tileKeys / 2;     // scores are put down half a tile at a time
constexpr int paddedHalf = halfKeys + 2;

static_assert(tileRows == tileKeys && tileSide * tileSide == tileThreads, "a tile is square");
static_assert(tileRows * chunkChannels == 8 * tileThreads, "a thread brings eight numbers of each tile");

/// Shared memory of a block: chunks of both tiles, or scores of half a tile.
union TileMemory {
    struct {
        float rows[2][chunkChannels][paddedTile];
        float keys[2][chunkChannels][paddedTile];
    } chunks;
    float scores[tileRows][paddedHalf];
};

/// Which of the tile's rows and keys a thread holds.
__device__ inline int heldRow(int at) {
    return (at / 4) * (tileRows / 2) + static_cast<int>(threadIdx.x) / tileSide * 4 + at % 4;
}
__device__ inline int heldKey(int at) {
    return (at / 4) * (tileKeys / 2) + static_cast<int>(threadIdx.x) % tileSide * 4 + at % 4;
}

/// Eight neighbouring channels of a row, as they lie in memory; zeros where there is no row.
__device__ inline void fetchEight(const float* from, float (&eight)[8]) {
    if (from == nullptr) {
        for (float& number : eight) {
            number = 0.0f;
        }
        return;
    }
    const float4 first = *reinterpret_cast<const float4*>(from);
    const float4 second = *reinterpret_cast<const float4*>(from + 4);
    eight[0] = first.x;
    eight[1] = first.y;
    eight[2] = first.z;
    eight[3] = first.w;
    eight[4] = second.x;
    eight[5] = second.y;
    eight[6] = second.z;
    eight[7] = second.w;
}

__device__ inline void fetchFour(const float* from, float* four) {
    const float4 numbers = *reinterpret_cast<const float4*>(from);
    four[0] = numbers.x;
    four[1] = numbers.y;
    four[2] = numbers.z;
    four[3] = numbers.w;
}

__device__ inline void multiplyChunk(const TileMemory& memory, int turn, float (&sums)[heldRows][heldKeys]) {
    const int y = static_cast<int>(threadIdx.x) / tileSide * 4,
              x = static_cast<int>(threadIdx.x) % tileSide * 4;
#pragma unroll
    for (int channel = 0; channel < chunkChannels; ++channel) {
        float rows[heldRows], keys[heldKeys];
        fetchFour(&memory.chunks.rows[turn][channel][y], rows);
        fetchFour(&memory.chunks.rows[turn][channel][y + tileRows / 2], rows + 4);
        fetchFour(&memory.chunks.keys[turn][channel][x], keys);
        fetchFour(&memory.chunks.keys[turn][channel][x + tileKeys / 2], keys + 4);
#pragma unroll
        for (int row = 0; row < heldRows; ++row) {
#pragma unroll
            for (int key = 0; key < heldKeys; ++key) {
                sums[row][key] += rows[row] * keys[key];
            }
        }
    }
}

/// Sums of a tile. fetchRow(channel, eight) and fetchKey(channel, eight) give eight channels from `channel`
/// on of the row, or key, threadIdx.x % 128 of the tile. Nobody uses the memory any more when it begins, or
/// when it ends.
template <class FetchRow, class FetchKey>
__device__ void multiplyTile(TileMemory& memory, int stride, const FetchRow& fetchRow,
                             const FetchKey& fetchKey, float (&sums)[heldRows][heldKeys]) {
    // Neighbouring threads bring neighbouring rows, and so write to different banks; each one reads 32 bytes
    // of a row, as many as come at once.
    const int brought = static_cast<int>(threadIdx.x) % tileRows;
    const int part = static_cast<int>(threadIdx.x) / tileRows * 8;
#pragma unroll
    for (int row = 0; row < heldRows; ++row) {
#pragma unroll
        for (int key = 0; key < heldKeys; ++key) {
            sums[row][key] = 0.0f;
        }
    }
    float rows[8], keys[8];
    const auto put = [&](int turn) {
#pragma unroll
        for (int at = 0; at < 8; ++at) {
            memory.chunks.rows[turn][part + at][brought] = rows[at];
            memory.chunks.keys[turn][part + at][brought] = keys[at];
        }
    };
    fetchRow(part, rows);
    fetchKey(part, keys);
    put(0);
    __syncthreads();
    const int chunks = stride / chunkChannels;
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const bool hasNext = chunk + 1 < chunks;
        if (hasNext) {
            fetchRow((chunk + 1) * chunkChannels + part, rows);
            fetchKey((chunk + 1) * chunkChannels + part, keys);
        }
        multiplyChunk(memory, chunk % 2, sums);
        if (hasNext) {
            put((chunk + 1) % 2);
        }
        __syncthreads();
    }
}

/// Fetches rows of a matrix in device memory.
struct PlainFetch {
    const float* row;  ///< null: none

    __device__ void operator()(int channel, float (&eight)[8]) const {
        fetchEight(row == nullptr ? nullptr : row + channel, eight);
    }
};

/// Fetches queries as they meet keys whose growth is 1 at `centre`; without growth, plus an offset.
struct GrownFetch {
    const float* row;     ///< null: none
    const float* offset;  ///< u or v, which does not grow; null: none
    Growth growth;
    std::int64_t position;      ///< of the query
    std::int64_t centre;        ///< where the growth of what it meets is 1
    std::int64_t offsetCentre;  ///< where that of the offset is

    __device__ void operator()(int channel, float (&eight)[8]) const {
        fetchEight(row == nullptr ? nullptr : row + channel, eight);
        if (row == nullptr || (offset == nullptr && growth.perToken == nullptr)) {
            return;
        }
        constexpr float mostExponent = 88.0f;  // what grows more belongs to scores that are masked
        for (int at = 0; at < 8; ++at) {
            float added = offset == nullptr ? 0.0f : offset[channel + at];
            if (growth.perToken != nullptr) {
                const double g = growth.perToken[channel + at];
                const auto exponent = static_cast<float>(g * static_cast<double>(position - centre));
                eight[at] *= expf(exponent < mostExponent ? exponent : mostExponent);
                added *= expf(static_cast<float>(g * static_cast<double>(offsetCentre - centre)));
            }
            eight[at] += added;
        }
    }
};

}  // namespace phaseladder::gpu
