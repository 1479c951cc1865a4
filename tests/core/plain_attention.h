#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "core/attention/problem.h"

namespace phaseladder::tests {

/// Number `channel` of the vector of an offset key - query.
inline double relativeNumber(const RelativeVectors& vectors, std::int64_t offset, Eigen::Index width,
                             Eigen::Index channel) {
    const std::int64_t row = std::clamp(offset, -vectors.reach, vectors.reach) + vectors.reach;
    return vectors.rows.at(static_cast<std::size_t>(row * width + channel));
}

template <class Number>
using RowsOf = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Turns the pairs of a row whose token stands at `position` by position · frequency, from the formula: cos
/// and sin of an angle in radians, no phases that wrap. Growth by exp(sign · g · (position - centre)).
template <class Number>
void turnPlainly(RowsOf<Number>& rows, Eigen::Index row, std::int64_t position, const PairRotation& rotation,
                 double sign) {
    const auto pairs = static_cast<Eigen::Index>(rotation.turnsPerToken.size());
    for (Eigen::Index pair = 0; pair < pairs; ++pair) {
        const auto at = static_cast<std::size_t>(pair);
        const std::size_t axis = rotation.axisOfPair.empty() ? 0 : rotation.axisOfPair.at(at);
        const std::size_t place = static_cast<std::size_t>(position) * rotation.axisNames.size() + axis;
        const auto onAxis = static_cast<long double>(
            rotation.axisPositions.empty() ? position : rotation.axisPositions.at(place));
        const long double frequency = static_cast<long double>(rotation.turnsPerToken.at(at)) / 0x1p64L *
                                      2.0L * std::numbers::pi_v<long double>;
        const auto factor = static_cast<long double>(rotation.attentionFactor);
        const auto cosine = static_cast<Number>(std::cos(onAxis * frequency) * factor);
        const auto sine = static_cast<Number>(std::sin(onAxis * frequency) * factor);
        const double growth = rotation.logGrowthPerToken.empty()
                                  ? 1.0
                                  : std::exp(sign * rotation.logGrowthPerToken.at(at) *
                                             static_cast<double>(position - rotation.growthCentre));
        const bool isHalf = rotation.layout == RopeLayout::half;
        const auto grown = static_cast<Number>(growth);
        Number& first = rows(row, isHalf ? pair : 2 * pair);
        Number& second = rows(row, isHalf ? pair + rotation.rotaryDim / 2 : 2 * pair + 1);
        const Number x = first;
        const Number y = second;
        first = grown * (x * cosine - y * sine);
        second = grown * (x * sine + y * cosine);
    }
}

/// Attention written out number by number.
struct PlainAttention {
    RowMatrix logits, weights, hidden;
};

/// Position of key j - position of query i.
inline std::int64_t plainOffset(const AttentionProblem& problem, Eigen::Index i, Eigen::Index j) {
    return (problem.keyStart + j) - (problem.queryStart + i);
}

/// Whether query i sees key j: both tokens have a code, and the mask hides none that comes later.
inline bool plainlySees(const AttentionProblem& problem, Eigen::Index i, Eigen::Index j) {
    const std::int64_t defined = problem.plan.definedTokens.value_or(INT64_MAX);
    return problem.queryStart + i < defined && problem.keyStart + j < defined &&
           (!problem.causal || plainOffset(problem, i, j) <= 0);
}

template <class Number>
Number plainLogit(const AttentionProblem& problem, const RowsOf<Number>& queries, const RowsOf<Number>& keys,
                  Eigen::Index i, Eigen::Index j) {
    const EncodingPlan& plan = problem.plan;
    const Eigen::Index width = queries.cols();
    const std::int64_t offset = plainOffset(problem, i, j);
    Number sum = 0;
    for (Eigen::Index channel = 0; channel < width; ++channel) {
        const auto at = static_cast<std::size_t>(channel);
        const auto u = static_cast<Number>(plan.queryOffsets ? plan.queryOffsets->content.at(at) : 0.0);
        const auto v = static_cast<Number>(plan.queryOffsets ? plan.queryOffsets->position.at(at) : 0.0);
        sum += (queries(i, channel) + u) * keys(j, channel);
        if (plan.relativeKeys) {
            sum += (queries(i, channel) + v) *
                   static_cast<Number>(relativeNumber(*plan.relativeKeys, offset, width, channel));
        }
    }
    const double divisor = plan.scaleByRootWidth ? std::sqrt(static_cast<double>(width)) : 1.0;
    return sum / static_cast<Number>(divisor) * static_cast<Number>(plan.softmaxMultiplier) +
           static_cast<Number>(plan.scoreBias ? plan.scoreBias->at(offset) : 0.0);
}

/// Everything in numbers of one precision; what is not seen is 0, and so is a hidden state that sees nothing.
template <class Number>
PlainAttention plainAttentionIn(const AttentionProblem& problem) {
    const Eigen::Index queryCount = problem.queries.rows(), keyCount = problem.keys.rows();
    const Eigen::Index width = problem.queries.cols();
    RowsOf<Number> queries = problem.queries.matrix().cast<Number>();
    RowsOf<Number> keys = problem.keys.matrix().cast<Number>();
    const RowsOf<Number> values = problem.values.matrix().cast<Number>();
    for (Eigen::Index row = 0; row < queryCount && problem.plan.rotation; ++row) {
        turnPlainly(queries, row, problem.queryStart + row, *problem.plan.rotation, 1.0);
    }
    for (Eigen::Index row = 0; row < keyCount && problem.plan.rotation; ++row) {
        turnPlainly(keys, row, problem.keyStart + row, *problem.plan.rotation, -1.0);
    }
    RowsOf<Number> logits = RowsOf<Number>::Zero(queryCount, keyCount), weights = logits;
    RowsOf<Number> hidden = RowsOf<Number>::Zero(queryCount, width);
    for (Eigen::Index i = 0; i < queryCount; ++i) {
        std::vector<Eigen::Index> seen;
        for (Eigen::Index j = 0; j < keyCount; ++j) {
            if (plainlySees(problem, i, j)) {
                seen.push_back(j);
            }
        }
        Number largest = std::numeric_limits<Number>::lowest(), sum = 0;
        for (const Eigen::Index j : seen) {
            logits(i, j) = plainLogit<Number>(problem, queries, keys, i, j);
            largest = std::max(largest, logits(i, j));
        }
        for (const Eigen::Index j : seen) {
            weights(i, j) = std::exp(logits(i, j) - largest);
            sum += weights(i, j);
        }
        for (const Eigen::Index j : seen) {
            weights(i, j) /= sum;
            hidden.row(i) += weights(i, j) * values.row(j);
            for (Eigen::Index channel = 0; problem.plan.relativeValues && channel < width; ++channel) {
                hidden(i, channel) += weights(i, j) * static_cast<Number>(relativeNumber(
                                                          *problem.plan.relativeValues,
                                                          plainOffset(problem, i, j), width, channel));
            }
        }
    }
    return {logits.template cast<double>(), weights.template cast<double>(), hidden.template cast<double>()};
}

inline PlainAttention plainAttention(const AttentionProblem& problem) {
    return plainAttentionIn<double>(problem);
}

/// How far attention is from the truth: the largest difference of any cell.
struct AttentionErrors {
    double weights = 0.0, logits = 0.0, hidden = 0.0;

    /// Where the largest error falls is chance: laws compare the largest of several problems.
    void join(const AttentionErrors& other) {
        weights = std::max(weights, other.weights);
        logits = std::max(logits, other.logits);
        hidden = std::max(hidden, other.hidden);
    }
};

/// Of attention written out in single precision.
inline AttentionErrors singlePrecisionErrors(const AttentionProblem& problem) {
    const PlainAttention exact = plainAttention(problem);
    const PlainAttention single = plainAttentionIn<float>(problem);
    const auto largest = [](const RowMatrix& difference) {
        return difference.size() == 0 ? 0.0 : difference.cwiseAbs().maxCoeff();
    };
    return {largest(single.weights - exact.weights), largest(single.logits - exact.logits),
            largest(single.hidden - exact.hidden)};
}

}  // namespace phaseladder::tests
