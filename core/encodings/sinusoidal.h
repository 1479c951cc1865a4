#pragma once

#include <cstdint>
#include <vector>

#include "core/ladder/ladder.h"
#include "core/scene.h"

namespace phaseladder {

/// The frequencies of the encoding, fastest pair first: 10000 to the minus exponents below. width ≥ 1.
[[nodiscard]] Ladder sinusoidalLadder(SinusoidalSpacing spacing, int width);

/// Rows of the sinusoidal encoding for positions first .. first+count-1: count × width, row-major, base
/// 10000.
///   layout       width 6, pairs 0 1 2                 spacing         exponents of pair k
///   interleaved  sin0 cos0 sin1 cos1 sin2 cos2        paper           2k/width
///   halves       sin0 sin1 sin2 cos0 cos1 cos2        tensor2tensor   k/(width/2 - 1): the slowest is
///   exactly 10000
/// Odd width: with the paper's spacing there is one sine more than cosines (XLM); with the other one the last
/// column is 0 (tensor2tensor, fairseq). Where width/2 is 1, tensor2tensor's divisor is 1 (its own guard), so
/// the one pair turns at 1. width ≥ 1, first ≥ 0, count ≥ 0. Source: Vaswani et al. 2017, section 3.5;
/// tensor2tensor layers/common_attention.py.
[[nodiscard]] std::vector<double> sinusoidalRows(const SinusoidalSettings& settings, int width,
                                                 std::int64_t first, std::int64_t count);

}  // namespace phaseladder
