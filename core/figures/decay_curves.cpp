#include "core/figures/decay_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include <fmt/format.h>

#include "core/attention/pair_scorer.h"
#include "core/attention/rotate.h"
#include "core/cancelled.h"
#include "core/encodings/absolute.h"
#include "core/figures/figure_parts.h"
#include "core/phase/phase_turns.h"
#include "core/random.h"

namespace phaseladder {
namespace {

using Vector = Eigen::RowVectorXd;

Vector gaussian(const Scene& scene, std::string_view name) {
    Random random(streamSeed(static_cast<std::uint64_t>(scene.seed), name));
    Vector vector(scene.headDim);
    for (double& value : vector) {
        value = random.normal();
    }
    return vector;
}

/// The query and the key before their positions.
struct Content {
    Vector query, key;
};

Content decayContent(const Scene& scene, const PairScorer& scorer) {
    switch (scene.view.decayContent) {
        case DecayContent::ones:
            break;
        case DecayContent::gaussian:
            return {gaussian(scene, "decay query"), gaussian(scene, "decay key")};
        case DecayContent::scene:
            return {scorer.queryContent(viewedToken(scene)), scorer.keyContent(viewedKey(scene))};
    }
    return {Vector::Ones(scene.headDim), Vector::Ones(scene.headDim)};
}

Scene withoutScaling(const Scene& scene) {
    Scene plain = scene;
    plain.scaling.method = "none";
    return plain;
}

/// Key at 0, query `distance` after it, of a text whatever the scene's axes are; growth is centred at the
/// key, where it cancels.
std::vector<double> rotatedScores(PairRotation rotation, const Content& content, double scale,
                                  const std::vector<std::int64_t>& distances, const std::stop_token& stop) {
    rotation.axisPositions.clear();
    rotation.growthCentre = 0;
    const auto spanOf = [](Vector& row) {
        return std::span(row.data(), static_cast<std::size_t>(row.size()));
    };
    Vector key = content.key;
    rotateKey(spanOf(key), rotation, 0);
    std::vector<double> scores;
    scores.reserve(distances.size());
    Vector query;
    StopLook isStopped(stop);
    for (const std::int64_t distance : distances) {
        if (isStopped()) {
            break;
        }
        query = content.query;
        rotateQuery(spanOf(query), rotation, distance);
        scores.push_back(scale * query.dot(key));
    }
    return scores;
}

/// Only the pairs of one axis turn.
PairRotation onlyAxis(PairRotation rotation, std::uint8_t axis) {
    for (std::size_t pair = 0; pair < rotation.turnsPerToken.size(); ++pair) {
        if (rotation.axisOfPair[pair] != axis) {
            rotation.turnsPerToken[pair] = 0;
        }
    }
    return rotation;
}

Result<std::vector<ScoreCurve>> rotatedCurves(const Scene& scene, const std::vector<std::int64_t>& distances,
                                              const std::stop_token& stop) {
    const Result<PairScorer> scorer = PairScorer::create(scene, 1, stop);
    if (!scorer) {
        return tl::unexpected(scorer.error());
    }
    const PairRotation& rotation = *scorer->plan().rotation;
    const Content content = decayContent(scene, *scorer);
    std::vector<ScoreCurve> curves;
    if (isScaled(scene)) {
        const Result<PairScorer> plain = PairScorer::create(withoutScaling(scene), 1, stop);
        if (!plain) {
            return tl::unexpected(plain.error());
        }
        curves.push_back({"base", "base_score", Role::base,
                          rotatedScores(*plain->plan().rotation, content, plain->scale(), distances, stop)});
    }
    const std::vector<std::string>& axes = rotation.axisNames;
    const bool hasAxes = axes.size() > 1;
    constexpr std::array axisRoles{Role::category2, Role::category3, Role::category4};
    for (std::size_t axis = 0; hasAxes && axis < axes.size(); ++axis) {
        curves.push_back({"along " + axes[axis], axes[axis] + "_score", axisRoles[axis],
                          rotatedScores(onlyAxis(rotation, static_cast<std::uint8_t>(axis)), content,
                                        scorer->scale(), distances, stop)});
    }
    std::string label = isScaled(scene) ? scalingLabel(scene) : hasAxes ? "along all axes" : "";
    curves.push_back({std::move(label), "score", Role::live,
                      rotatedScores(rotation, content, scorer->scale(), distances, stop)});
    return curves;
}

/// Query and key at the positions that `place` gives for a distance; NaN where one has no code.
template <class Place>
std::vector<double> placedScores(const PairScorer& scorer, const Content& content,
                                 const std::vector<std::int64_t>& distances, Place place,
                                 const std::stop_token& stop) {
    std::vector<double> scores;
    scores.reserve(distances.size());
    StopLook isStopped(stop);
    for (const std::int64_t distance : distances) {
        if (isStopped()) {
            break;
        }
        const auto [query, key] = place(distance);
        scores.push_back(scorer.isDefined(query) && scorer.isDefined(key)
                             ? scorer.logit(scorer.queryAt(content.query, query), query,
                                            scorer.keyAt(content.key, key), key)
                             : noValue);
    }
    return scores;
}

std::vector<ScoreCurve> absoluteCurves(const PairScorer& scorer, const Content& content,
                                       const std::vector<std::int64_t>& distances, std::int64_t second,
                                       const std::stop_token& stop) {
    std::vector<ScoreCurve> curves;
    const auto add = [&](std::int64_t query, std::string column, Role role) {
        curves.push_back(
            {fmt::format("query at {}, key after it", groupedNumber(query)), std::move(column), role,
             placedScores(
                 scorer, content, distances,
                 [query](std::int64_t distance) { return std::pair(query, query + distance); }, stop)});
    };
    if (second != 0) {
        add(second, fmt::format("score_from_{}", second), Role::category2);
    }
    add(0, "score", Role::live);
    return curves;
}

/// Whether a key before and one after the query get the same by distance.
bool isSymmetric(const EncodingPlan& plan) {
    return !plan.relativeKeys &&
           (!plan.scoreBias || std::equal(plan.scoreBias->values.begin(), plan.scoreBias->values.end(),
                                          plan.scoreBias->values.rbegin()));
}

std::vector<ScoreCurve> offsetCurves(const Scene& scene, const PairScorer& scorer, const Content& content,
                                     const std::vector<std::int64_t>& distances,
                                     const std::stop_token& stop) {
    std::vector<ScoreCurve> curves;
    const bool isOneSided = scene.causal || isSymmetric(scorer.plan());
    if (!isOneSided) {
        curves.push_back({"key after the query", "future_score", Role::category2,
                          placedScores(
                              scorer, content, distances,
                              [](std::int64_t distance) { return std::pair(0, distance); }, stop)});
    }
    curves.push_back({isOneSided ? "" : "key before the query", "score", Role::live,
                      placedScores(
                          scorer, content, distances,
                          [](std::int64_t distance) { return std::pair(distance, 0); }, stop)});
    return curves;
}

ScoreCurve boundCurve(PairRotation rotation, std::string label, std::string column, Role role,
                      const std::vector<std::int64_t>& distances, const std::stop_token& stop) {
    rotation.axisPositions.clear();
    rotation.attentionFactor = 1.0;
    ScoreCurve curve{std::move(label), std::move(column), role, {}};
    StopLook isStopped(stop);
    for (const std::int64_t distance : distances) {
        if (isStopped()) {
            break;
        }
        std::complex<double> partial;
        double sum = 0.0;
        for (const CosSin& angle : anglesAt(rotation, distance)) {
            partial += std::complex(angle.cosine, angle.sine);
            sum += std::abs(partial);
        }
        curve.values.push_back(2.0 / rotation.rotaryDim * sum);
    }
    return curve;
}

}  // namespace

std::int64_t largestDecayDistance(const Scene& scene) {
    constexpr std::int64_t longest = 1 << 20;
    constexpr std::int64_t mostRowNumbers = 1 << 21;
    constexpr std::int64_t mostProducts = 1 << 27;
    const std::int64_t width = scene.headDim;
    if (isAbsolute(scene)) {
        return mostRowNumbers / width;
    }
    if (hasVectorPerDistance(scene)) {
        return std::max<std::int64_t>(mostProducts / (width * width), 64);
    }
    return longest;
}

std::int64_t lastDecayDistance(const Scene& scene) {
    return std::clamp<std::int64_t>(scene.length.target, 1, largestDecayDistance(scene));
}

Result<std::vector<ScoreCurve>> decayCurves(const Scene& scene, const std::vector<std::int64_t>& distances,
                                            std::stop_token stop) {
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const auto make = [&]() -> Result<std::vector<ScoreCurve>> {
        if (plan->rotation) {
            return rotatedCurves(scene, distances, stop);
        }
        const std::int64_t last = distances.back();
        const std::int64_t second =
            isAbsolute(scene) ? std::min(scene.view.position, lastDecayDistance(scene)) : 0;
        const Result<PairScorer> scorer = PairScorer::create(scene, last + second + 1, stop);
        if (!scorer) {
            return tl::unexpected(scorer.error());
        }
        const Content content = decayContent(scene, *scorer);
        return isAbsolute(scene) ? absoluteCurves(*scorer, content, distances, second, stop)
                                 : offsetCurves(scene, *scorer, content, distances, stop);
    };
    Result<std::vector<ScoreCurve>> curves = make();
    if (stop.stop_requested()) {
        return cancelled();
    }
    return curves;
}

Result<std::vector<ScoreCurve>> relativeBounds(const Scene& scene, const std::vector<std::int64_t>& distances,
                                               std::stop_token stop) {
    std::vector<ScoreCurve> curves;
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    if (isScaled(scene)) {
        const Result<EncodingPlan> plain = makePlan(withoutScaling(scene), 1);
        if (!plain) {
            return tl::unexpected(plain.error());
        }
        curves.push_back(boundCurve(*plain->rotation, "base", "base_bound", Role::base, distances, stop));
    }
    curves.push_back(boundCurve(*plan->rotation, isScaled(scene) ? scalingLabel(scene) : "", "bound",
                                Role::live, distances, stop));
    if (stop.stop_requested()) {
        return cancelled();
    }
    return curves;
}

}  // namespace phaseladder
