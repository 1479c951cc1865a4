#include "core/attention/order_marks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/random.h"

namespace phaseladder {
namespace {

constexpr std::uint64_t directionSeed = 1;

/// States whose projections are closer than this share of the tolerance differ by rounding only.
constexpr double surelyEqual = 1e-4;

/// Marks between two looks at the stop token.
constexpr std::size_t marksPerBlock = 4096;

/// The marks sorted by their first number: shared out to as many buckets as there are marks, each of which is
/// sorted by itself.
void sortMarks(std::vector<StateMark>& marks) {
    double least = marks.front().at[0];
    double most = least;
    for (const StateMark& mark : marks) {
        least = std::min(least, mark.at[0]);
        most = std::max(most, mark.at[0]);
    }
    if (!(most > least)) {
        return;
    }
    const std::size_t last = marks.size() - 1;
    const double bucketsPerUnit = static_cast<double>(marks.size()) / (most - least);
    const auto bucketOf = [=](const StateMark& mark) {
        return std::min(static_cast<std::size_t>((mark.at[0] - least) * bucketsPerUnit), last);
    };
    std::vector<std::uint32_t> ends(marks.size() + 1, 0);
    for (const StateMark& mark : marks) {
        ++ends[bucketOf(mark) + 1];
    }
    for (std::size_t bucket = 1; bucket < ends.size(); ++bucket) {
        ends[bucket] += ends[bucket - 1];
    }
    std::vector<StateMark> sorted(marks.size());
    for (const StateMark& mark : marks) {
        sorted[ends[bucketOf(mark)]++] = mark;
    }
    // Each end has moved on to its own bucket's end by now.
    std::size_t begin = 0;
    for (std::size_t bucket = 0; bucket < marks.size(); ++bucket) {
        const std::size_t end = ends[bucket];
        if (end - begin > 1) {
            std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin),
                      sorted.begin() + static_cast<std::ptrdiff_t>(end),
                      [](const StateMark& left, const StateMark& right) { return left.at[0] < right.at[0]; });
        }
        begin = end;
    }
    marks.swap(sorted);
}

}  // namespace

MarkDirections markDirections(Eigen::Index width) {
    MarkDirections directions(width, 2);
    for (int column = 0; column < 2; ++column) {
        Random random(streamSeed(directionSeed, "order marks", static_cast<std::uint64_t>(column)));
        for (Eigen::Index row = 0; row < width; ++row) {
            directions(row, column) = random.normal();
        }
        directions.col(column) /= directions.col(column).cwiseAbs().sum();
    }
    return directions;
}

std::int64_t countDistinct(std::vector<StateMark>& marks, double tolerance, const StateMaker& make,
                           Progress* progress, const std::stop_token& stop) {
    if (marks.empty() || stop.stop_requested()) {
        return 0;
    }
    sortMarks(marks);
    // The marks that stand for a state, of those that the next mark may still belong to.
    struct Known {
        const StateMark* mark;
        Eigen::RowVectorXd state;  ///< made when it is asked for
    };
    std::vector<Known> groups;
    std::int64_t distinct = 0;
    const auto isEqual = [&](const StateMark& mark, Eigen::RowVectorXd& own, Known& group) {
        const double apart =
            std::max(std::abs(mark.at[0] - group.mark->at[0]), std::abs(mark.at[1] - group.mark->at[1]));
        if (apart > tolerance || apart <= surelyEqual * tolerance) {
            return apart <= tolerance;
        }
        own = own.size() == 0 ? make(mark.state) : own;
        group.state = group.state.size() == 0 ? make(group.mark->state) : group.state;
        return (own - group.state).cwiseAbs().maxCoeff() <= tolerance;
    };
    for (std::size_t begin = 0; begin < marks.size(); begin += marksPerBlock) {
        if (stop.stop_requested()) {
            return distinct;
        }
        const std::size_t end = std::min(begin + marksPerBlock, marks.size());
        for (std::size_t place = begin; place < end; ++place) {
            const StateMark& mark = marks[place];
            if (!groups.empty() && mark.at[0] - groups.front().mark->at[0] > tolerance) {
                std::erase_if(groups,
                              [&](const Known& group) { return mark.at[0] - group.mark->at[0] > tolerance; });
            }
            Eigen::RowVectorXd own;
            const bool isKnown =
                std::ranges::any_of(groups, [&](Known& group) { return isEqual(mark, own, group); });
            if (!isKnown) {
                groups.push_back({&mark, std::move(own)});
                ++distinct;
            }
        }
        if (progress != nullptr) {
            progress->add(static_cast<std::int64_t>(end - begin));
        }
    }
    return distinct;
}

}  // namespace phaseladder
