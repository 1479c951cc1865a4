#pragma once

// The words of CUDA that the kernels use, for the host: a thread for each CUDA thread, a barrier for
// __syncthreads and for what the threads of a warp do together, static memory for __shared__ (so one block
// at a time runs). ThreadBlocks runs kernels with them.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

// Not seen from other files: a program with CUDA holds functions of the same names that launch the kernels.
#define __global__ static inline
#define __device__
#define __shared__ static
#define __launch_bounds__(...)

namespace phaseladder::gpu {

struct ThreadPlace {
    unsigned x = 0, y = 0;
};

}  // namespace phaseladder::gpu

inline thread_local phaseladder::gpu::ThreadPlace threadIdx, blockIdx, gridDim;

struct float4 {
    float x, y, z, w;
};

// Other numbers may be read through these.
struct [[gnu::may_alias]] uint2 {
    std::uint32_t x, y;
};
struct [[gnu::may_alias]] uint4 {
    std::uint32_t x, y, z, w;
};

/// Waits for all threads of the block. Its place in the source tells one barrier from another.
void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// The number of the thread of the warp whose place differs by these bits; all threads of the warp call it.
/// It orders nothing else in memory.
float __shfl_xor_sync(unsigned mask, float number, int lanes);

/// As CUDA's: always a write, which orders nothing else in memory.
inline std::int32_t atomicMax(std::int32_t* at, std::int32_t number) {
    const std::atomic_ref<std::int32_t> shared(*at);
    std::int32_t before = shared.load(std::memory_order_relaxed);
    while (!shared.compare_exchange_weak(before, std::max(before, number), std::memory_order_relaxed)) {
    }
    return before;
}

inline void sincospi(double angle, double* sine, double* cosine) {
    *sine = std::sin(std::numbers::pi * angle);
    *cosine = std::cos(std::numbers::pi * angle);
}

namespace phaseladder::gpu {

/// Numbers of bf16 that one thread holds, as mma.m16n8k16 describes them (PTX ISA), two in 32 bits.
struct BF16Fragments {
    static constexpr int mostStrips = 4;
    std::uint32_t rows[4], columns[mostStrips][2];
};

/// Adds to sums of 16 rows and eight columns, `strips` times, the products of the same 16 × 16 numbers with
/// others; all threads of the warp call it.
void multiplyFragments(const BF16Fragments& own, int strips, float (*sums)[4]);

/// A copy that a thread has begun. It comes as late as it may.
struct BegunCopy {
    uint4* to;
    const uint4* from;  ///< null: zeros
};
inline thread_local std::vector<BegunCopy> begunCopies;

inline void finishCopies() {
    for (const BegunCopy& copy : begunCopies) {
        *copy.to = copy.from == nullptr ? uint4{0, 0, 0, 0} : *copy.from;
    }
    begunCopies.clear();
}

inline std::uint32_t floatBits(float number) {
    return std::bit_cast<std::uint32_t>(number);
}

}  // namespace phaseladder::gpu
