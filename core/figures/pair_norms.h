#pragma once

#include <stop_token>
#include <vector>

#include "core/attention/content.h"
#include "core/attention/head_rows.h"

namespace phaseladder {

/// Mean over rows 0 .. limit-1 of the length (2-norm) of each pair; rows that hold what is no number are left
/// out, and where none is left there are no means (NaN). Rotation does not change it. The same sums on any
/// number of threads; worthless where it was stopped.
[[nodiscard]] std::vector<double> meanNorms(const HeadRows& rows, Eigen::Index limit,
                                            const ChannelPairs& pairs, const std::stop_token& stop);

}  // namespace phaseladder
