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
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float result;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(first), "f"(second));
    return result;
#else
    return first > second || first != first ? first : second;
#endif
}

__device__ inline float minusInfinity() {
    return -INFINITY;
}

/// exp of what is at most 0, within 3e-7: in two steps instead of eight.
__device__ inline float quickExponential(float exponent) {
#ifdef __CUDA_ARCH__
    constexpr float binaryLogarithm = 1.44269504f;  // of e
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent * binaryLogarithm));
    return power;
#else
    return expf(exponent);
#endif
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

/// Adds to 16 × 8 sums, `count` times, the products of 16 × 16 numbers `a` with 16 × 8 numbers `b` of bf16.
/// All threads of a warp call it; each holds the fragments that mma.m16n8k16 describes (PTX ISA).
template <int count>
__device__ inline void multiplyBf16(float (&sums)[count][4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[count][2]) {
#ifndef __CUDACC__
    static_assert(count <= BF16Fragments::mostStrips, "the other threads see these");
    BF16Fragments own{};
    std::copy_n(a, 4, own.rows);
    std::copy_n(&b[0][0], 2 * count, &own.columns[0][0]);
    multiplyFragments(own, count, sums);
#elif __CUDA_ARCH__ >= 800
#pragma unroll
    for (int at = 0; at < count; ++at) {
        float(&to)[4] = sums[at];
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(to[0]), "+f"(to[1]), "+f"(to[2]), "+f"(to[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[at][0]), "r"(b[at][1]));
    }
#endif
}

/// Begins to bring 16 bytes, or zeros where they are not there, to shared memory. The thread goes on; it has
/// what it brought after waitForBrought(), the others after a barrier.
__device__ inline void bring(uint4& to, const uint4* from, bool areThere) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto place = static_cast<std::uint32_t>(__cvta_generic_to_shared(&to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(place), "l"(from), "r"(areThere ? 16 : 0)
                 : "memory");
#elif defined(__CUDACC__)
    to = areThere ? *from : uint4{0, 0, 0, 0};
#else
    begunCopies.push_back({&to, areThere ? from : nullptr});
#endif
}
__device__ inline void waitForBrought() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#elif !defined(__CUDACC__)
    finishCopies();
#endif
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
