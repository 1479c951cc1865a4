#include <numbers>

#include <fmt/format.h>

#include "core/ladder/scaling_list.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

/// Share kept by a pair that makes `turns` turns within L: 1 above the high factor, 0 below the low one,
/// linear between. Where the factors meet (or are swapped) this is a step and never divides by zero.
long double keptShare(long double turns, long double low, long double high) {
    if (turns > high) {
        return 1.0L;
    }
    if (turns < low) {
        return 0.0L;
    }
    return high > low ? (turns - low) / (high - low) : 1.0L;
}

Result<ScaledLadder> apply(const Ladder& base, const Scene& scene) {
    const ScalingSettings& settings = scene.scaling;
    const long double length = static_cast<long double>(originalLength(scene));
    ScaledLadder scaled{.ladder = base};
    for (long double& frequency : scaled.ladder.inverseFrequency) {
        const long double turns = length * frequency / (2.0L * std::numbers::pi_v<long double>);
        const long double kept = keptShare(turns, settings.lowFrequencyFactor, settings.highFrequencyFactor);
        scaled.keptShare.push_back(static_cast<double>(kept));
        if (settings.factor != 1.0) {
            frequency = (1.0L - kept) * (frequency / settings.factor) + kept * frequency;
        }
    }
    if (settings.highFrequencyFactor <= settings.lowFrequencyFactor) {
        scaled.notes.push_back(fmt::format(
            "The high frequency factor {} is not above the low one {}: pairs switch abruptly, none is "
            "blended.",
            formatNumber(settings.highFrequencyFactor), formatNumber(settings.lowFrequencyFactor)));
    }
    return scaled;
}

}  // namespace

Scaling llama3Scaling() {
    return {
        .id = "llama3",
        .label = "Llama 3",
        .help =
            "Keeps pairs that make more turns within the original length than the high factor, divides those "
            "with fewer than the low one and blends between. No factor on cos and sin.",
        .formula = "t = (L/wavelength - lo)/(hi - lo),  w' = (1-t) w/s + t w",
        .source = "meta-llama/llama-models, models/llama3/model.py (apply_scaling)",
        .apply = apply};
}

}  // namespace phaseladder
