#pragma once

#include <span>
#include <vector>

#include "core/attention/content.h"
#include "core/encodings/encoding.h"

namespace phaseladder {

// What changes where a model's layout of channel pairs is not the kernel's.

/// P from half-split to interleaved, with y[place] = x[source[place]]; channels from rotaryDim on stay:
///   y[2k] = x[k],  y[2k + 1] = x[k + r/2]        r = 8: 0 4 1 5 2 6 3 7
/// interleaved(P x) = P half(x) exactly. Source: the converters of Meta's weights permute the rows of W_q and
/// W_k so.
[[nodiscard]] std::vector<int> interleavingOrder(int rotaryDim, int width);

/// Its inverse, from interleaved to half-split.
[[nodiscard]] std::vector<int> halvingOrder(int rotaryDim, int width);

[[nodiscard]] Eigen::RowVectorXd permuted(const Eigen::RowVectorXd& row, const std::vector<int>& order);

/// The same rotation with the other layout.
[[nodiscard]] PairRotation otherLayout(const PairRotation& rotation);

/// q·k summed pair by pair in the rotation's layout, then over the channels that pass through: two layouts
/// of the same vectors add the same numbers in the same order, so that they agree to the last bit.
[[nodiscard]] double pairwiseProduct(const Eigen::RowVectorXd& query, const Eigen::RowVectorXd& key,
                                     const PairRotation& rotation);

}  // namespace phaseladder
