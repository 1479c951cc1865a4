#include "gpu/emulation/thread_blocks.h"

#include <algorithm>
#include <barrier>
#include <deque>
#include <memory>
#include <numeric>
#include <random>
#include <thread>

#include "gpu/emulation/cuda_words.h"
#include "gpu/kernels/arguments.h"

namespace phaseladder::gpu {
namespace {

constexpr auto warpLanes = static_cast<unsigned>(warpThreads);

/// What the threads of the running block share.
struct RunningBlock {
    explicit RunningBlock(unsigned threads) : all(threads), exchanged(threads) {
        for (unsigned warp = 0; warp < threads / warpLanes; ++warp) {
            warps.emplace_back(warpLanes);
        }
    }

    std::barrier<> all;
    std::deque<std::barrier<>> warps;
    std::vector<float> exchanged;  // of each thread
};

thread_local RunningBlock* runningBlock = nullptr;

/// The blocks of a grid, in the order in which they run.
std::vector<unsigned> orderedBlocks(Grid grid, BlockOrder order) {
    std::vector<unsigned> blocks(std::size_t{grid.x} * grid.y);
    std::iota(blocks.begin(), blocks.end(), 0U);
    if (order == BlockOrder::reverse) {
        std::ranges::reverse(blocks);
    } else if (order == BlockOrder::shuffled) {
        std::mt19937 numbers(7);
        for (std::size_t left = blocks.size(); left > 1; --left) {
            std::swap(blocks[left - 1], blocks[numbers() % left]);
        }
    }
    return blocks;
}

}  // namespace

void runBlocks(Grid grid, unsigned threads, BlockOrder order, const std::function<void()>& kernel) {
    const std::vector<unsigned> blocks = orderedBlocks(grid, order);
    RunningBlock block(threads);
    const auto runThread = [&](unsigned thread) {
        runningBlock = &block;
        threadIdx = {thread, 0};
        gridDim = {grid.x, grid.y};
        for (const unsigned at : blocks) {
            blockIdx = {at % grid.x, at / grid.x};
            kernel();
            block.all.arrive_and_wait();  // the next block has the same shared memory
        }
    };
    std::vector<std::jthread> running;
    running.reserve(threads);
    for (unsigned thread = 0; thread < threads; ++thread) {
        running.emplace_back(runThread, thread);
    }
}

}  // namespace phaseladder::gpu

void __syncthreads() {
    phaseladder::gpu::runningBlock->all.arrive_and_wait();
}

float __shfl_xor_sync(unsigned /*mask*/, float number, int lanes) {
    phaseladder::gpu::RunningBlock& block = *phaseladder::gpu::runningBlock;
    std::barrier<>& warp = block.warps[threadIdx.x / phaseladder::gpu::warpLanes];
    block.exchanged[threadIdx.x] = number;
    warp.arrive_and_wait();
    const float other = block.exchanged[threadIdx.x ^ static_cast<unsigned>(lanes)];
    warp.arrive_and_wait();
    return other;
}
