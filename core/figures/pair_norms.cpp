#include "core/figures/pair_norms.h"

#include <algorithm>

#include "core/figures/figure_parts.h"
#include "core/threads.h"

namespace phaseladder {
namespace {

constexpr Eigen::Index blockRows = 2048;

/// Rows begin .. end-1 without those that hold what is no number.
RowMatrix finiteRows(const HeadRows& rows, Eigen::Index begin, Eigen::Index end) {
    RowMatrix numbers(end - begin, rows.cols());
    rows.copyRows(begin, end, numbers.data());
    if (numbers.allFinite()) {
        return numbers;
    }
    Eigen::Index kept = 0;
    for (Eigen::Index row = 0; row < numbers.rows(); ++row) {
        if (numbers.row(row).allFinite()) {
            numbers.row(kept++) = numbers.row(row);
        }
    }
    return numbers.topRows(kept);
}

/// Lengths of each pair, added up over rows.
struct NormSums {
    std::vector<double> ofPair;
    Eigen::Index rows = 0;
};

}  // namespace

std::vector<double> meanNorms(const HeadRows& rows, Eigen::Index limit, const ChannelPairs& pairs,
                              const std::stop_token& stop) {
    const auto blocks = static_cast<int>((limit + blockRows - 1) / blockRows);
    const auto pairCount = static_cast<std::size_t>(pairs.count);
    std::vector<NormSums> sums(static_cast<std::size_t>(blocks),
                               NormSums{std::vector<double>(pairCount, 0.0)});
    forEachInParallel(blocks, [&](int block) {
        if (stop.stop_requested()) {
            return;
        }
        const Eigen::Index begin = block * blockRows;
        const RowMatrix numbers = finiteRows(rows, begin, std::min(begin + blockRows, limit));
        NormSums& sum = sums[static_cast<std::size_t>(block)];
        sum.rows = numbers.rows();
        for (int pair = 0; pair < pairs.count; ++pair) {
            const auto [first, second] = pairs.channels(pair);
            sum.ofPair[static_cast<std::size_t>(pair)] =
                (numbers.col(first).array().square() + numbers.col(second).array().square()).sqrt().sum();
        }
    });
    std::vector<double> means(pairCount, 0.0);
    Eigen::Index count = 0;
    for (const NormSums& sum : sums) {
        count += sum.rows;
        for (std::size_t pair = 0; pair < pairCount; ++pair) {
            means[pair] += sum.ofPair[pair];
        }
    }
    for (double& mean : means) {
        mean = count > 0 ? mean / static_cast<double>(count) : noValue;
    }
    return means;
}

}  // namespace phaseladder
