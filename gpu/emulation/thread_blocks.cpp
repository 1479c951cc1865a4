#include "gpu/emulation/thread_blocks.h"

#include <algorithm>
#include <barrier>
#include <bit>
#include <deque>
#include <memory>
#include <numeric>
#include <random>
#include <thread>

#include "gpu/emulation/cuda_words.h"
#include "gpu/emulation/unordered.h"
#include "gpu/kernels/arguments.h"

namespace phaseladder::gpu {
namespace {

constexpr auto warpLanes = static_cast<unsigned>(warpThreads);

/// What the threads of the running block share.
struct RunningBlock {
    explicit RunningBlock(unsigned threads) : all(threads), exchanged(threads), fragments(threads) {
        for (unsigned warp = 0; warp < threads / warpLanes; ++warp) {
            warps.emplace_back(warpLanes);
        }
    }

    std::barrier<> all;
    std::deque<std::barrier<>> warps;
    std::vector<float> exchanged;  // of each thread
    std::vector<BF16Fragments> fragments;
};

thread_local RunningBlock* runningBlock = nullptr;
BarrierFilter barrierFilter = nullptr;

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

/// One of the two numbers of bf16 in 32 bits.
float bf16Of(std::uint32_t two, int which) {
    return std::bit_cast<float>(which == 0 ? two << 16U : two & 0xFFFF0000U);
}

}  // namespace

void multiplyFragments(const BF16Fragments& own, int strips, float (*sums)[4]) {
    const Unordered unordered;
    std::barrier<>& warp = runningBlock->warps[threadIdx.x / warpLanes];
    runningBlock->fragments[threadIdx.x] = own;
    warp.arrive_and_wait();
    // Number k of row r is in lane 4 (r mod 8) + (k mod 8) / 2, and so is that of column r; sum (r, 2t) in
    // lane 4 (r mod 8) + t.
    const BF16Fragments* lanes = &runningBlock->fragments[threadIdx.x / warpLanes * warpLanes];
    const int lane = static_cast<int>(threadIdx.x % warpLanes);
    for (int at = 0; at < 4; ++at) {
        const int row = lane / 4, column = lane % 4 * 2 + at % 2, lower = at / 2;
        for (int k = 0; k < 16; ++k) {
            const int upperHalf = k / 8, part = k % 8 / 2;
            const float number = bf16Of(lanes[row * 4 + part].rows[lower + 2 * upperHalf], k % 2);
            for (int strip = 0; strip < strips; ++strip) {
                sums[strip][at] += number * bf16Of(lanes[column * 4 + part].columns[strip][upperHalf], k % 2);
            }
        }
    }
    warp.arrive_and_wait();
}

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

void filterBarriers(BarrierFilter filter) {
    barrierFilter = filter;
}

}  // namespace phaseladder::gpu

void __syncthreads(const char* file, int line) {
    if (phaseladder::gpu::barrierFilter == nullptr || phaseladder::gpu::barrierFilter(file, line)) {
        phaseladder::gpu::runningBlock->all.arrive_and_wait();
    }
}

float __shfl_xor_sync(unsigned /*mask*/, float number, int lanes) {
    const phaseladder::gpu::Unordered unordered;
    phaseladder::gpu::RunningBlock& block = *phaseladder::gpu::runningBlock;
    std::barrier<>& warp = block.warps[threadIdx.x / phaseladder::gpu::warpLanes];
    block.exchanged[threadIdx.x] = number;
    warp.arrive_and_wait();
    const float other = block.exchanged[threadIdx.x ^ static_cast<unsigned>(lanes)];
    warp.arrive_and_wait();
    return other;
}
