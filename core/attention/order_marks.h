#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/attention/content.h"
#include "core/progress.h"

namespace phaseladder {

/// Two projections of a hidden state, each at most the tolerance apart for states that are equal, and the
/// number by which the state can be made again.
struct StateMark {
    std::array<double, 2> at{};
    std::uint32_t state = 0;
};

/// The projections: d × 2, seeded, each with entries that sum to 1 in magnitude.
using MarkDirections = Eigen::Matrix<double, Eigen::Dynamic, 2>;
[[nodiscard]] MarkDirections markDirections(Eigen::Index width);

/// A state by its number: d numbers.
using StateMaker = std::function<Eigen::RowVectorXd(std::uint32_t)>;

/// How many of the marks' states differ in some channel by more than the tolerance. Projections that are
/// farther apart than it tell states apart; those of rounding only are equal; between the two the states
/// themselves are made and compared. Sorts the marks. Adds one step a mark to the progress; stops early when
/// asked, with a number that means nothing.
[[nodiscard]] std::int64_t countDistinct(std::vector<StateMark>& marks, double tolerance,
                                         const StateMaker& make, Progress* progress,
                                         const std::stop_token& stop);

}  // namespace phaseladder
