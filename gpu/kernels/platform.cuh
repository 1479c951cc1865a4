#pragma once

// What kernels need of the machine: CUDA's own where nvcc compiles, the threads of gpu/emulation elsewhere.

#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
#include "gpu/emulation/cuda_words.h"
#endif

#include "gpu/kernels/arguments.h"

namespace phaseladder::gpu {

#ifdef __CUDACC__
__device__ inline std::uint32_t floatBits(float number) {
    return __float_as_uint(number);
}
#endif

/// A number that is none is not hidden by one that is.
__device__ inline float larger(float first, float second) {
    return first > second || first != first ? first : second;
}

__device__ inline float minusInfinity() {
    return -INFINITY;
}

/// What exponents of scores are counted from: the largest, where there is one.
__device__ inline float baseOf(float largest) {
    return largest == minusInfinity() ? 0.0f : largest;
}

/// What a sum that counts from one largest score is multiplied by to count from a larger one.
__device__ inline float rescaled(float from, float to) {
    return from == to ? 1.0f : expf(from - to);
}

__device__ inline float exchange(float number, int lanes) {
    return __shfl_xor_sync(0xFFFFFFFFU, number, lanes);
}

__device__ inline std::int64_t lesser(std::int64_t first, std::int64_t second) {
    return first < second ? first : second;
}

__device__ inline std::int64_t clampedBetween(std::int64_t number, std::int64_t least, std::int64_t most) {
    return number < least ? least : number > most ? most : number;
}

/// The key in the middle of the tile that a key is in: where the growth of a tile is 1.
__device__ inline std::int64_t tileCentre(std::int64_t key) {
    return key / tileKeys * tileKeys + tileKeys / 2;
}

/// How many keys, from the first, a query sees.
__device__ inline std::int32_t seenKeys(const SeenKeys& seen, std::int64_t query) {
    const std::int64_t position = seen.queryStart + query;
    std::int64_t end = seen.defined;
    if (position >= seen.defined) {
        end = 0;
    } else if (seen.isCausal) {
        end = lesser(position + 1, seen.defined);
    }
    return static_cast<std::int32_t>(clampedBetween(end - seen.keyStart, 0, seen.keys));
}

}  // namespace phaseladder::gpu
