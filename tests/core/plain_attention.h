#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/attention/problem.h"

namespace phaseladder::tests {

/// Number `channel` of the vector of an offset key - query.
inline double relativeNumber(const RelativeVectors& vectors, std::int64_t offset, Eigen::Index width,
                             Eigen::Index channel) {
    const std::int64_t row = std::clamp(offset, -vectors.reach, vectors.reach) + vectors.reach;
    return vectors.rows.at(static_cast<std::size_t>(row * width + channel));
}

/// Turns the pairs of the row of the token at `position` by position · frequency, from the formula: cos and
/// sin of an angle in radians, no phases that wrap. Growth by exp(sign · g · (position - centre)).
inline void turnPlainly(RowMatrix& rows, Eigen::Index position, const PairRotation& rotation, double sign) {
    const auto pairs = static_cast<Eigen::Index>(rotation.turnsPerToken.size());
    for (Eigen::Index pair = 0; pair < pairs; ++pair) {
        const auto at = static_cast<std::size_t>(pair);
        const std::size_t axis = rotation.axisOfPair.empty() ? 0 : rotation.axisOfPair.at(at);
        const std::size_t place = static_cast<std::size_t>(position) * rotation.axisNames.size() + axis;
        const auto onAxis = static_cast<long double>(
            rotation.axisPositions.empty() ? position : rotation.axisPositions.at(place));
        const long double frequency = static_cast<long double>(rotation.turnsPerToken.at(at)) / 0x1p64L *
                                      2.0L * std::numbers::pi_v<long double>;
        const auto cosine = static_cast<double>(std::cos(onAxis * frequency)) * rotation.attentionFactor;
        const auto sine = static_cast<double>(std::sin(onAxis * frequency)) * rotation.attentionFactor;
        const double growth = rotation.logGrowthPerToken.empty()
                                  ? 1.0
                                  : std::exp(sign * rotation.logGrowthPerToken.at(at) *
                                             static_cast<double>(position - rotation.growthCentre));
        const bool isHalf = rotation.layout == RopeLayout::half;
        double& first = rows(position, isHalf ? pair : 2 * pair);
        double& second = rows(position, isHalf ? pair + rotation.rotaryDim / 2 : 2 * pair + 1);
        const double x = first;
        const double y = second;
        first = growth * (x * cosine - y * sine);
        second = growth * (x * sine + y * cosine);
    }
}

/// Attention written out number by number.
struct PlainAttention {
    RowMatrix logits, weights, hidden;
};

inline double plainLogit(const AttentionProblem& problem, const RowMatrix& queries, const RowMatrix& keys,
                         Eigen::Index i, Eigen::Index j) {
    const EncodingPlan& plan = problem.plan;
    const Eigen::Index width = queries.cols();
    double sum = 0.0;
    for (Eigen::Index channel = 0; channel < width; ++channel) {
        const auto at = static_cast<std::size_t>(channel);
        const double u = plan.queryOffsets ? plan.queryOffsets->content.at(at) : 0.0;
        const double v = plan.queryOffsets ? plan.queryOffsets->position.at(at) : 0.0;
        sum += (queries(i, channel) + u) * keys(j, channel);
        if (plan.relativeKeys) {
            sum += (queries(i, channel) + v) * relativeNumber(*plan.relativeKeys, j - i, width, channel);
        }
    }
    const double divisor = plan.scaleByRootWidth ? std::sqrt(static_cast<double>(width)) : 1.0;
    return sum / divisor * plan.softmaxMultiplier + (plan.scoreBias ? plan.scoreBias->at(j - i) : 0.0);
}

inline PlainAttention plainAttention(const AttentionProblem& problem) {
    const Eigen::Index tokens = problem.queries.rows();
    const Eigen::Index width = problem.queries.cols();
    const Eigen::Index defined = std::min<Eigen::Index>(problem.plan.definedTokens.value_or(tokens), tokens);
    RowMatrix queries = problem.queries.matrix(), keys = problem.keys.matrix();
    const RowMatrix values = problem.values.matrix();
    for (Eigen::Index row = 0; row < tokens && problem.plan.rotation; ++row) {
        turnPlainly(queries, row, *problem.plan.rotation, 1.0);
        turnPlainly(keys, row, *problem.plan.rotation, -1.0);
    }
    PlainAttention result{RowMatrix::Zero(tokens, tokens), RowMatrix::Zero(tokens, tokens),
                          RowMatrix::Zero(tokens, width)};
    for (Eigen::Index i = 0; i < std::min(tokens, defined); ++i) {
        const Eigen::Index visible = std::min(problem.causal ? i + 1 : tokens, defined);
        double largest = -1e300, sum = 0.0;
        for (Eigen::Index j = 0; j < visible; ++j) {
            result.logits(i, j) = plainLogit(problem, queries, keys, i, j);
            largest = std::max(largest, result.logits(i, j));
        }
        for (Eigen::Index j = 0; j < visible; ++j) {
            result.weights(i, j) = std::exp(result.logits(i, j) - largest);
            sum += result.weights(i, j);
        }
        for (Eigen::Index j = 0; j < visible; ++j) {
            result.weights(i, j) /= sum;
            result.hidden.row(i) += result.weights(i, j) * values.row(j);
            for (Eigen::Index channel = 0; problem.plan.relativeValues && channel < width; ++channel) {
                result.hidden(i, channel) +=
                    result.weights(i, j) *
                    relativeNumber(*problem.plan.relativeValues, j - i, width, channel);
            }
        }
    }
    return result;
}

}  // namespace phaseladder::tests
