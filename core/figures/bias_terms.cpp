#include "core/figures/bias_terms.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/attention/pair_scorer.h"
#include "core/cancelled.h"
#include "core/encodings/relative_bias.h"
#include "core/figures/figure_parts.h"

namespace phaseladder {
namespace {

constexpr int mostCurves = 8;
constexpr std::int64_t longestReach = 4096;

using Vector = Eigen::RowVectorXd;

Role otherRole(std::size_t index) {
    constexpr std::array roles{Role::category2, Role::category3, Role::category4, Role::category5,
                               Role::category6, Role::muted,     Role::category1};
    return roles[index % roles.size()];
}

/// Up to 8 of `count`, spread evenly, with `chosen` in place of its neighbour; `chosen` comes last.
std::vector<int> spreadAround(int count, int chosen) {
    const int wanted = std::min(count, mostCurves);
    std::vector<int> numbers;
    for (int index = 0; index < wanted; ++index) {
        numbers.push_back(wanted == 1 ? 0 : index * (count - 1) / (wanted - 1));
    }
    const auto nearest =
        std::ranges::min_element(numbers, {}, [chosen](int number) { return std::abs(number - chosen); });
    numbers.erase(nearest);
    numbers.push_back(chosen);
    return numbers;
}

/// Where the gains are worth a look: until the pair that fades fastest keeps 2/7 of its share, which is the
/// growth base of xPos.
std::int64_t fadedDistance(const PairRotation& rotation) {
    double fastest = 0.0;
    for (const double growth : rotation.logGrowthPerToken) {
        fastest = std::max(fastest, std::abs(growth));
    }
    const double distance = std::min(std::log(3.5) / fastest, static_cast<double>(longestReach));
    return std::max<std::int64_t>(std::llround(distance), 16);
}

/// Far enough to show where the numbers of a plan for many positions stop to change, or the first of them
/// where they never do.
std::int64_t usualReach(const Scene& scene, const EncodingPlan& plan) {
    if (hasVectorPerDistance(scene)) {
        return 32;
    }
    if (hasGrowth(plan)) {
        return fadedDistance(*plan.rotation);
    }
    const std::optional<std::int64_t> clip = clipOf(plan);
    return clip ? *clip + std::clamp<std::int64_t>(*clip / 2, 2, 32) : 16;
}

std::int64_t reachOf(const std::vector<std::int64_t>& offsets) {
    return offsets.back();
}

/// What the scene's head adds at offsets, without content: the plan's score bias.
Result<std::vector<double>> headBias(Scene scene, int head, const std::vector<std::int64_t>& offsets) {
    scene.head = head;
    const Result<EncodingPlan> plan = makePlan(scene, reachOf(offsets) + 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    std::vector<double> values;
    for (const std::int64_t offset : offsets) {
        values.push_back(plan->scoreBias->at(-offset));
    }
    return values;
}

/// (q + v)·R of a query at i - j = offset, as it stands in the logit.
double relativePart(const PairScorer& scorer, const Vector& query, std::int64_t offset) {
    const std::int64_t key = std::max<std::int64_t>(-offset, 0);
    return scorer.parts(query, std::max<std::int64_t>(offset, 0), Vector::Zero(query.size()), key).relative;
}

Result<PairScorer> headScorer(Scene scene, int head, std::int64_t positions) {
    scene.head = head;
    return PairScorer::create(scene, positions);
}

Result<std::vector<BiasCurve>> headCurves(const Scene& scene, const EncodingPlan& plan,
                                          const std::vector<std::int64_t>& offsets, std::stop_token stop) {
    const bool isOneTable = sharesTable(scene);
    std::vector<BiasCurve> curves;
    for (const int head : spreadAround(isOneTable ? 1 : scene.heads, isOneTable ? 0 : scene.head)) {
        if (stop.stop_requested()) {
            return cancelled();
        }
        BiasCurve curve{
            fmt::format("head {}", head), fmt::format("head_{}", head), otherRole(curves.size()), {}};
        if (plan.relativeKeys) {
            const Result<PairScorer> scorer = headScorer(scene, head, 1);
            if (!scorer) {
                return tl::unexpected(scorer.error());
            }
            const Vector query = scorer->queryContent(viewedToken(scene));
            for (const std::int64_t offset : offsets) {
                curve.values.push_back(relativePart(*scorer, query, offset));
            }
        } else {
            Result<std::vector<double>> values = headBias(scene, head, offsets);
            if (!values) {
                return tl::unexpected(values.error());
            }
            curve.values = *std::move(values);
        }
        curves.push_back(std::move(curve));
    }
    curves.back().role = Role::live;
    if (curves.size() == 1) {
        curves.back().label = isOneTable ? "all heads" : "";
    }
    return curves;
}

/// q·R, v·R and their sum for the chosen query token: of an encoding with query offsets.
Result<std::vector<BiasCurve>> termCurves(const Scene& scene, const std::vector<std::int64_t>& offsets,
                                          const std::stop_token& stop) {
    const Result<PairScorer> scorer = PairScorer::create(scene, reachOf(offsets) + 1, stop);
    if (!scorer) {
        return tl::unexpected(scorer.error());
    }
    const Vector query = scorer->queryContent(viewedToken(scene));
    BiasCurve content{"q·R", "query_term", Role::category3, {}};
    BiasCurve position{"v·R", "position_term", Role::category2, {}};
    BiasCurve sum{"(q + v)·R", "sum", Role::live, {}};
    StopLook isStopped(stop);
    for (const std::int64_t offset : offsets) {
        if (isStopped()) {
            return cancelled();
        }
        position.values.push_back(relativePart(*scorer, Vector::Zero(query.size()), offset));
        sum.values.push_back(relativePart(*scorer, query, offset));
        content.values.push_back(sum.values.back() - position.values.back());
    }
    return std::vector{std::move(content), std::move(position), std::move(sum)};
}

std::vector<BiasCurve> gainCurves(const Scene& scene, const EncodingPlan& plan,
                                  const std::vector<std::int64_t>& offsets) {
    std::vector<BiasCurve> curves;
    const auto pairs = static_cast<int>(plan.rotation->turnsPerToken.size());
    for (const int pair : spreadAround(pairs, viewedBiasPair(scene))) {
        BiasCurve curve{
            fmt::format("pair {}", pair), fmt::format("pair_{}", pair), otherRole(curves.size()), {}};
        const double growth = plan.rotation->logGrowthPerToken[static_cast<std::size_t>(pair)];
        for (const std::int64_t offset : offsets) {
            curve.values.push_back(std::exp(growth * static_cast<double>(offset)));
        }
        curves.push_back(std::move(curve));
    }
    curves.back().role = Role::live;
    return curves;
}

}  // namespace

Result<EncodingPlan> biasPlan(const Scene& scene) {
    const Result<EncodingPlan> one = makePlan(scene, 1);
    // Rows of positions and vectors of distances are not asked for in vain.
    const bool isPlain = one && one->scoreBias && !hasRows(*one) && !one->relativeKeys;
    return isPlain ? makePlan(scene, longestReach + 1) : makePlan(scene, 2);
}

bool hasBiasTerms(const EncodingPlan& plan) {
    return plan.scoreBias || plan.relativeKeys || hasGrowth(plan);
}

std::optional<std::int64_t> clipOf(const EncodingPlan& plan) {
    if (plan.relativeKeys) {
        return plan.relativeKeys->reach;
    }
    const auto& bias = plan.scoreBias;
    if (!bias || bias->reach < 1) {
        return std::nullopt;
    }
    const bool goesOn = bias->at(bias->reach) != bias->at(bias->reach - 1) ||
                        bias->at(-bias->reach) != bias->at(1 - bias->reach);
    return goesOn && bias->reach >= longestReach ? std::nullopt : std::optional(bias->reach);
}

int viewedBiasPair(const Scene& scene) {
    return std::min(scene.view.pair, contentPairs(scene) - 1);
}

std::int64_t biasReach(const Scene& scene, const EncodingPlan& plan) {
    const std::int64_t text = hasVectorPerDistance(scene) ? 0 : sequenceLength(scene) - 1;
    return std::clamp<std::int64_t>(std::max(usualReach(scene, plan), text), 1, longestReach);
}

std::vector<std::int64_t> biasOffsets(const EncodingPlan& plan, std::int64_t reach) {
    std::vector<std::int64_t> offsets;
    for (std::int64_t offset = hasGrowth(plan) ? 0 : -reach; offset <= reach; ++offset) {
        offsets.push_back(offset);
    }
    return offsets;
}

Result<std::vector<BiasCurve>> biasCurves(const Scene& scene, const EncodingPlan& plan,
                                          const std::vector<std::int64_t>& offsets, std::stop_token stop) {
    if (plan.queryOffsets) {
        return termCurves(scene, offsets, stop);
    }
    if (plan.relativeKeys || plan.scoreBias) {
        return headCurves(scene, plan, offsets, stop);
    }
    return gainCurves(scene, plan, offsets);
}

Result<RowMatrix> biasMap(const Scene& scene, std::int64_t tokens, std::stop_token stop) {
    const Result<PairScorer> scorer = PairScorer::create(scene, tokens, stop);
    if (!scorer) {
        return tl::unexpected(scorer.error());
    }
    const EncodingPlan& plan = scorer->plan();
    RowMatrix map(tokens, tokens);
    for (Eigen::Index row = 0; row < tokens; ++row) {
        if (stop.stop_requested()) {
            return cancelled();
        }
        const Vector query = scorer->queryContent(static_cast<int>(tokenAtPosition(scene, row)));
        for (Eigen::Index column = 0; column < tokens; ++column) {
            if (plan.relativeKeys) {
                map(row, column) = relativePart(*scorer, query, row - column);
            } else if (plan.scoreBias) {
                map(row, column) = plan.scoreBias->at(column - row);
            } else {
                map(row, column) = std::exp(
                    plan.rotation->logGrowthPerToken[static_cast<std::size_t>(viewedBiasPair(scene))] *
                    static_cast<double>(row - column));
            }
        }
    }
    return map;
}

}  // namespace phaseladder
