#include "core/figures/bias_terms.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/attention/pair_scorer.h"
#include "core/cancelled.h"

namespace phaseladder {
namespace {

constexpr int mostCurves = 8;
constexpr std::int64_t longestReach = 4096;

using Vector = Eigen::RowVectorXd;

bool meetsQueries(const Scene& scene) {
    return scene.encoding == "shaw" || scene.encoding == "transformer_xl";
}

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

std::int64_t usualReach(const Scene& scene) {
    if (scene.encoding == "relative_bias") {
        return scene.relativeBias.clip + std::max(2, scene.relativeBias.clip / 2);
    }
    if (scene.encoding == "shaw") {
        return scene.shaw.clip + std::max(2, scene.shaw.clip / 2);
    }
    if (scene.encoding == "t5") {
        return std::max(scene.t5.maximumDistance + scene.t5.maximumDistance / 4, scene.t5.buckets);
    }
    if (scene.encoding == "xpos") {
        return std::max<std::int64_t>(std::llround(std::min(scene.xpos.scaleBase, 4096.0)), 16);
    }
    return scene.encoding == "transformer_xl" ? 32 : 16;
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

Result<std::vector<BiasCurve>> headCurves(const Scene& scene, const std::vector<std::int64_t>& offsets,
                                          std::stop_token stop) {
    const bool isOneTable = scene.encoding == "relative_bias" && scene.relativeBias.shared;
    std::vector<BiasCurve> curves;
    for (const int head : spreadAround(isOneTable ? 1 : scene.heads, isOneTable ? 0 : scene.head)) {
        if (stop.stop_requested()) {
            return cancelled();
        }
        BiasCurve curve{
            fmt::format("head {}", head), fmt::format("head_{}", head), otherRole(curves.size()), {}};
        if (scene.encoding == "shaw") {
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

/// q·R, v·R and their sum for the chosen query token.
Result<std::vector<BiasCurve>> transformerXlCurves(const Scene& scene,
                                                   const std::vector<std::int64_t>& offsets) {
    const Result<PairScorer> scorer = PairScorer::create(scene, reachOf(offsets) + 1);
    if (!scorer) {
        return tl::unexpected(scorer.error());
    }
    const Vector query = scorer->queryContent(viewedToken(scene));
    BiasCurve content{"q·R", "query_term", Role::category3, {}};
    BiasCurve position{"v·R", "position_term", Role::category2, {}};
    BiasCurve sum{"(q + v)·R", "sum", Role::live, {}};
    for (const std::int64_t offset : offsets) {
        position.values.push_back(relativePart(*scorer, Vector::Zero(query.size()), offset));
        sum.values.push_back(relativePart(*scorer, query, offset));
        content.values.push_back(sum.values.back() - position.values.back());
    }
    return std::vector{std::move(content), std::move(position), std::move(sum)};
}

Result<std::vector<BiasCurve>> gainCurves(const Scene& scene, const std::vector<std::int64_t>& offsets) {
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    std::vector<BiasCurve> curves;
    const auto pairs = static_cast<int>(plan->rotation->turnsPerToken.size());
    for (const int pair : spreadAround(pairs, viewedBiasPair(scene))) {
        BiasCurve curve{
            fmt::format("pair {}", pair), fmt::format("pair_{}", pair), otherRole(curves.size()), {}};
        const double growth = plan->rotation->logGrowthPerToken[static_cast<std::size_t>(pair)];
        for (const std::int64_t offset : offsets) {
            curve.values.push_back(std::exp(growth * static_cast<double>(offset)));
        }
        curves.push_back(std::move(curve));
    }
    curves.back().role = Role::live;
    return curves;
}

}  // namespace

bool hasBiasTerms(const Scene& scene) {
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    return plan && (plan->scoreBias || plan->relativeKeys ||
                    (plan->rotation && !plan->rotation->logGrowthPerToken.empty()));
}

int viewedBiasPair(const Scene& scene) {
    return std::min(scene.view.pair, contentPairs(scene) - 1);
}

std::vector<std::int64_t> biasOffsets(const Scene& scene) {
    const std::int64_t text = scene.encoding == "transformer_xl" ? 0 : sequenceLength(scene) - 1;
    const std::int64_t reach = std::clamp<std::int64_t>(std::max(usualReach(scene), text), 1, longestReach);
    std::vector<std::int64_t> offsets;
    for (std::int64_t offset = scene.encoding == "xpos" ? 0 : -reach; offset <= reach; ++offset) {
        offsets.push_back(offset);
    }
    return offsets;
}

Result<std::vector<BiasCurve>> biasCurves(const Scene& scene, const std::vector<std::int64_t>& offsets,
                                          std::stop_token stop) {
    if (scene.encoding == "transformer_xl") {
        return transformerXlCurves(scene, offsets);
    }
    return scene.encoding == "xpos" ? gainCurves(scene, offsets) : headCurves(scene, offsets, stop);
}

Result<RowMatrix> biasMap(const Scene& scene, std::int64_t tokens) {
    const Result<PairScorer> scorer = PairScorer::create(scene, tokens);
    if (!scorer) {
        return tl::unexpected(scorer.error());
    }
    const EncodingPlan& plan = scorer->plan();
    RowMatrix map(tokens, tokens);
    for (Eigen::Index row = 0; row < tokens; ++row) {
        const Vector query = scorer->queryContent(static_cast<int>(tokenAtPosition(scene, row)));
        for (Eigen::Index column = 0; column < tokens; ++column) {
            if (meetsQueries(scene)) {
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
