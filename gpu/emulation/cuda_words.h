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

#define __global__ inline
#define __device__
#define __shared__ static
#define __launch_bounds__(threads)

namespace phaseladder::gpu {

struct ThreadPlace {
    unsigned x = 0, y = 0;
};

}  // namespace phaseladder::gpu

inline thread_local phaseladder::gpu::ThreadPlace threadIdx, blockIdx, gridDim;

struct float4 {
    float x, y, z, w;
};

/// Waits for all threads of the block.
void __syncthreads();

/// The number of the thread of the warp whose place differs by these bits; all threads of the warp call it.
float __shfl_xor_sync(unsigned mask, float number, int lanes);

inline std::int32_t atomicMax(std::int32_t* at, std::int32_t number) {
    const std::atomic_ref<std::int32_t> shared(*at);
    std::int32_t before = shared.load();
    while (before < number && !shared.compare_exchange_weak(before, number)) {
    }
    return before;
}

inline void sincospi(double angle, double* sine, double* cosine) {
    *sine = std::sin(std::numbers::pi * angle);
    *cosine = std::cos(std::numbers::pi * angle);
}

namespace phaseladder::gpu {

inline std::uint32_t floatBits(float number) {
    return std::bit_cast<std::uint32_t>(number);
}

}  // namespace phaseladder::gpu
