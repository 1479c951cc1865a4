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

/// The vector of an offset key - query: d numbers.
[[nodiscard]] inline Eigen::Map<const Eigen::RowVectorXd> relativeVector(const RelativeVectors& vectors,
                                                                         std::int64_t offset,
                                                                         Eigen::Index width) {
    return {vectors.rows.data() + relativeRow(vectors, offset) * width, width};
}

/// All vectors: offsets × d.
[[nodiscard]] inline Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
relativeMatrix(const RelativeVectors& vectors) {
    const Eigen::Index offsets = 2 * vectors.reach + 1;
    return {vectors.rows.data(), offsets, static_cast<Eigen::Index>(vectors.rows.size()) / offsets};
}

}  // namespace phaseladder
