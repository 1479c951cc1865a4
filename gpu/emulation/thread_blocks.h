#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/kernels/grid.h"

namespace phaseladder::gpu {

/// The order in which the blocks of a launch run, one after the other. A kernel whose result depends on it
/// is wrong.
enum class BlockOrder { forward, reverse, shuffled };

/// Runs a kernel on the host: each thread of a block is a thread, which sees its place in threadIdx, blockIdx
/// and gridDim (cuda_words.h). The threads are started once for a launch and go through its blocks together.
/// `threads` is a multiple of 32.
void runBlocks(Grid grid, unsigned threads, BlockOrder order, const std::function<void()>& kernel);

/// Whether the threads wait at the __syncthreads in this line of a kernel; each of them asks.
using BarrierFilter = bool (*)(const char* file, int line);

/// Leaves out barriers of the launches to come, so that a test can tell what each is for; null: none.
void filterBarriers(BarrierFilter filter);

}  // namespace phaseladder::gpu
