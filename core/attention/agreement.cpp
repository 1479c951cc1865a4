#include "core/attention/agreement.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/attention/turned_rows.h"

namespace phaseladder {
namespace {

constexpr double unitRoundoff = 0x1p-24;
constexpr double backendsApart = 4.0;

/// Weights below it are lost in single precision, in one way by one backend and in another by the next.
constexpr double leastWeight = 1e-35;

double longestRow(const HeadRows& rows) {
    FloatRows distinct(rows.distinctRows(), rows.cols());
    rows.copyDistinctRows(distinct.data());
    return distinct.size() == 0 ? 0.0 : static_cast<double>(distinct.rowwise().norm().maxCoeff());
}

double longestOf(const std::vector<double>& numbers, std::int64_t width) {
    double longest = 0.0;
    for (std::size_t begin = 0; begin < numbers.size(); begin += static_cast<std::size_t>(width)) {
        longest = std::max(longest, Eigen::Map<const Eigen::VectorXd>(numbers.data() + begin, width).norm());
    }
    return longest;
}

/// How much a score that is seen grows at most.
double largestGrowth(const AttentionProblem& problem) {
    const auto before =
        static_cast<double>(problem.queryStart + problem.queries.rows() - 1 - problem.keyStart);
    const auto behind =
        problem.causal ? 0.0
                       : static_cast<double>(problem.keyStart + problem.keys.rows() - 1 - problem.queryStart);
    double largest = 0.0;
    for (const double growth : channelGrowth(problem.plan, problem.keys.cols())) {
        largest = std::max({largest, growth * before, -growth * behind});
    }
    return std::exp(largest);
}

double largestLogit(const AttentionProblem& problem) {
    const EncodingPlan& plan = problem.plan;
    const std::int64_t width = problem.keys.cols();
    const double query = longestRow(problem.queries), key = longestRow(problem.keys);
    const double turned = plan.rotation ? plan.rotation->attentionFactor : 1.0;
    const double content = plan.queryOffsets ? longestOf(plan.queryOffsets->content, width) : 0.0;
    const double position = plan.queryOffsets ? longestOf(plan.queryOffsets->position, width) : 0.0;
    const double relative = plan.relativeKeys ? longestOf(plan.relativeKeys->rows, width) : 0.0;
    double bias = 0.0;
    for (const double value : plan.scoreBias ? plan.scoreBias->values : std::vector<double>()) {
        bias = std::max(bias, std::abs(value));
    }
    const double product =
        (query * turned * turned * largestGrowth(problem) + content) * key + (query + position) * relative;
    return std::abs(logitScale(plan, width)) * product + bias;
}

}  // namespace

Agreement agreementInSingle(const AttentionProblem& problem, ViewValues values) {
    constexpr double otherRoundings = 8.0;
    const double ofLogit =
        (static_cast<double>(problem.keys.cols()) + otherRoundings) * unitRoundoff * largestLogit(problem);
    if (values == ViewValues::logits) {
        return {.absolute = backendsApart * ofLogit};
    }
    const double ofSum = std::sqrt(static_cast<double>(problem.keys.rows())) * unitRoundoff;
    return {.relative = backendsApart * (2.0 * ofLogit + ofSum), .absolute = leastWeight};
}

}  // namespace phaseladder
