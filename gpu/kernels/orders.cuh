#pragma once

// All orders of a few tokens.
//   orderDifferences   one thread an order: its place among all gives the order by the factorial base; its
//                      scores come from the table in shared memory. Leaves how far the hidden state of each
//                      token is from its present one, at most. Truth: OrderTable::states()
//                      (core/attention/order_table.h).

#include "gpu/kernels/platform.cuh"

namespace phaseladder::gpu {

/// Shared memory of a block: n⁴ scores, and the bits of the largest difference of each token.
struct OrdersMemory {
    float scores[mostOrderTokens * mostOrderTokens * mostOrderTokens * mostOrderTokens];
    std::int32_t largest[mostOrderTokens];
};

/// The order of a rank in lexicographic order.
__device__ inline void setOrder(std::int64_t rank, int tokens, int (&order)[mostOrderTokens]) {
    std::int64_t orders = 1;
    for (int token = 2; token < tokens; ++token) {
        orders *= token;
    }
    std::uint32_t left = (1U << static_cast<unsigned>(tokens)) - 1U;  // a bit for each token without a place
    for (int position = 0; position < tokens; ++position) {
        auto skip = static_cast<int>(rank / orders);
        rank %= orders;
        orders /= tokens - 1 - position > 1 ? tokens - 1 - position : 1;
        int token = 0;
        while ((left >> static_cast<unsigned>(token) & 1U) == 0U || skip-- > 0) {
            ++token;
        }
        left &= ~(1U << static_cast<unsigned>(token));
        order[position] = token;
    }
}

__global__ void __launch_bounds__(plainThreads) orderDifferences(OrdersArguments orders) {
    __shared__ OrdersMemory memory;
    const int n = orders.tokens;
    for (int at = static_cast<int>(threadIdx.x); at < n * n * n * n; at += plainThreads) {
        memory.scores[at] = orders.scores[at];
    }
    if (threadIdx.x < mostOrderTokens) {
        memory.largest[threadIdx.x] = 0;
    }
    __syncthreads();
    const std::int64_t rank =
        orders.firstOrder + static_cast<std::int64_t>(blockIdx.x) * plainThreads + threadIdx.x;
    if (rank < orders.endOrder) {
        int order[mostOrderTokens];
        setOrder(rank, n, order);
        for (int position = 0; position < n; ++position) {
            const int token = order[position];
            const float* scores = memory.scores + (token * n + position) * n * n;
            const int seen = orders.isCausal ? position + 1 : n;
            float weights[mostOrderTokens];
            float sum = 0.0f;
            for (int key = 0; key < seen; ++key) {
                weights[key] = scores[order[key] * n + key];
                sum += weights[key];
            }
            float largest = 0.0f;
            for (int channel = 0; channel < orders.width; ++channel) {
                float state = 0.0f;
                for (int key = 0; key < seen; ++key) {
                    state += weights[key] * orders.values[(order[key] * n + key) * orders.width + channel];
                }
                const float difference = fabsf(state / sum - orders.present[token * orders.width + channel]);
                largest = larger(largest, difference);
            }
            // Bits of numbers that are not negative are in the order of the numbers.
            atomicMax(&memory.largest[token], static_cast<std::int32_t>(floatBits(largest)));
        }
    }
    __syncthreads();
    if (threadIdx.x < static_cast<unsigned>(n)) {
        atomicMax(&orders.largest[threadIdx.x], memory.largest[threadIdx.x]);
    }
}

}  // namespace phaseladder::gpu
