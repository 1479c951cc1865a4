#pragma once

#include <algorithm>

#include <Eigen/Core>

#include "core/encodings/encoding.h"

namespace phaseladder {

/// Numbers of a plan as a row, without copying.
[[nodiscard]] inline Eigen::Map<const Eigen::RowVectorXd> asRow(const std::vector<double>& numbers) {
    return {numbers.data(), static_cast<Eigen::Index>(numbers.size())};
}

/// Which row of the vectors an offset key - query reads; beyond the reach, the last one.
[[nodiscard]] inline Eigen::Index relativeRow(const RelativeVectors& vectors, std::int64_t offset) {
    return std::clamp(offset, -vectors.reach, vectors.reach) + vectors.reach;
}

}  // namespace phaseladder
