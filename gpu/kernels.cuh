#pragma once

// The kernels of phaseladder-gpu, for nvcc and, thread for thread, for the host (gpu/emulation). In the order
// of reading:
//   kernels/arguments.h        what each one is given
//   kernels/platform.cuh       words that both machines share, and which keys a query sees
//   kernels/phase.cuh          fillPhaseTable, turnRows: phases from 64-bit turns; rows turned once
//   kernels/tile_product.cuh   the product of a tile of 128 × 128 scores
//   kernels/scores.cuh         scoreColumns, sumRows, poolColumns: from scores to pixels, never n × n
//   kernels/tensor.cuh         scoreColumnsTensor: the same scores from products of bf16
//   kernels/hidden.cuh         hiddenStates: what the weights sum up, in one pass
//   kernels/relative.cuh       relativeProducts; relativeTable, the memory-bound contrast
//   kernels/orders.cuh         orderDifferences: one thread an order
// Each file says which function of the core is the truth of its kernels.

#include "gpu/kernels/hidden.cuh"
#include "gpu/kernels/orders.cuh"
#include "gpu/kernels/phase.cuh"
#include "gpu/kernels/relative.cuh"
#include "gpu/kernels/scores.cuh"
#include "gpu/kernels/tensor.cuh"
