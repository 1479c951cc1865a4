#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/ladder/scaling_list.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

constexpr long double twoPi = 2.0L * std::numbers::pi_v<long double>;

/// RampRange before it is rounded to doubles for showing.
struct ExactRange {
    long double rawLow, rawHigh, low, high;
};

/// The (fractional) pair that makes `turns` turns within L.
long double pairOfTurns(long double turns, double theta, int rotaryDim, std::int64_t originalLength) {
    const long double length = static_cast<long double>(originalLength);
    return rotaryDim * std::log(length / (twoPi * turns)) /
           (2.0L * std::log(static_cast<long double>(theta)));
}

ExactRange exactRange(double theta, int rotaryDim, std::int64_t originalLength,
                      const ScalingSettings& settings) {
    ExactRange range{};
    range.rawLow = pairOfTurns(settings.betaFast, theta, rotaryDim, originalLength);
    range.rawHigh = pairOfTurns(settings.betaSlow, theta, rotaryDim, originalLength);
    range.low = std::max(settings.truncate ? std::floor(range.rawLow) : range.rawLow, 0.0L);
    range.high = std::min(settings.truncate ? std::ceil(range.rawHigh) : range.rawHigh, rotaryDim - 1.0L);
    return range;
}

std::vector<long double> exactCodeRamp(const ExactRange& range, int pairs) {
    const long double high = range.high == range.low ? range.high + 0.001L : range.high;
    std::vector<long double> kept;
    for (int pair = 0; pair < pairs; ++pair) {
        kept.push_back(1.0L - std::clamp((pair - range.low) / (high - range.low), 0.0L, 1.0L));
    }
    return kept;
}

std::vector<long double> exactPaperRamp(const Ladder& base, std::int64_t originalLength,
                                        const ScalingSettings& settings) {
    const long double slow = settings.betaSlow;
    const long double fast = settings.betaFast;
    std::vector<long double> kept;
    for (const long double frequency : base.inverseFrequency) {
        const long double turns = static_cast<long double>(originalLength) * frequency / twoPi;
        const long double share =
            fast == slow ? (turns > fast ? 1.0L : 0.0L) : (turns - slow) / (fast - slow);
        kept.push_back(std::clamp(share, 0.0L, 1.0L));
    }
    return kept;
}

RampRange shown(const ExactRange& range) {
    return {static_cast<double>(range.rawLow), static_cast<double>(range.rawHigh),
            static_cast<double>(range.low), static_cast<double>(range.high)};
}

std::vector<double> shown(const std::vector<long double>& shares) {
    return {shares.begin(), shares.end()};
}

double slopeFactor(double factor, double slope) {
    return factor <= 1.0 ? 1.0 : 0.1 * slope * std::log(factor) + 1.0;
}

/// The stated factor (above 0), else the ratio of DeepSeek's pair of slopes (where both are set), else 0.1 ln
/// s + 1.
double attentionFactor(const ScalingSettings& settings) {
    if (settings.attentionFactor > 0.0) {
        return settings.attentionFactor;
    }
    if (settings.mscale != 0.0 && settings.mscaleAllDim != 0.0) {
        return slopeFactor(settings.factor, settings.mscale) /
               slopeFactor(settings.factor, settings.mscaleAllDim);
    }
    return slopeFactor(settings.factor, 1.0);
}

Result<ScaledLadder> apply(const Ladder& base, const Scene& scene) {
    const ScalingSettings& settings = scene.scaling;
    const double theta = scene.rope.theta;
    if (theta == 1.0) {
        return fail(
            ErrorKind::usage,
            "rope.theta must differ from 1 under YaRN, got 1: ln theta is 0, so its ramp has no place.");
    }
    if (!(settings.betaFast > 0.0) || !(settings.betaSlow > 0.0)) {
        return fail(ErrorKind::usage,
                    fmt::format("scaling.beta_fast and scaling.beta_slow must be above 0, got {} and {}.",
                                formatNumber(settings.betaFast), formatNumber(settings.betaSlow)));
    }
    const int pairs = static_cast<int>(base.inverseFrequency.size());
    const std::int64_t length = originalLength(scene);
    const bool byPaper = settings.ramp == YarnRamp::paper;

    // The paper's ramp is not truncated; its range is where it is drawn in pair indices.
    ScalingSettings rangeSettings = settings;
    rangeSettings.truncate = settings.truncate && !byPaper;
    const ExactRange range = exactRange(theta, 2 * pairs, length, rangeSettings);
    const std::vector<long double> kept =
        byPaper ? exactPaperRamp(base, length, settings) : exactCodeRamp(range, pairs);

    ScaledLadder scaled{.ladder = base, .keptShare = shown(kept), .range = shown(range)};
    scaled.ladder.attentionFactor = attentionFactor(settings);
    if (settings.factor == 1.0) {
        return scaled;
    }
    for (std::size_t pair = 0; pair < kept.size(); ++pair) {
        long double& frequency = scaled.ladder.inverseFrequency[pair];
        frequency = kept[pair] * frequency + (1.0L - kept[pair]) * (frequency / settings.factor);
    }
    return scaled;
}

}  // namespace

Scaling yarnScaling() {
    return {.id = "yarn",
            .label = "YaRN",
            .help =
                "Keeps the fast pairs, divides the slow ones by the factor and blends along a ramp between. "
                "A factor "
                "on cos and sin keeps the attention as sharp as it was in training.",
            .formula = "w'_k = g_k w_k + (1 - g_k) w_k / s,  a = 0.1 ln s + 1",
            .source =
                "Peng et al. 2023, YaRN, eq. 17-22; Hugging Face transformers, modeling_rope_utils.py (yarn)",
            .apply = apply};
}

}  // namespace phaseladder
