#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/ladder/scaling_list.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

/// sqrt(1 + ln s / ln L), s = L'/L; 1 for s ≤ 1. It applies to both lists.
double attentionFactor(const ScalingSettings& settings, std::int64_t length) {
    if (settings.attentionFactor > 0.0) {
        return settings.attentionFactor;
    }
    if (settings.factor <= 1.0) {
        return 1.0;
    }
    return std::sqrt(1.0 + std::log(settings.factor) / std::log(static_cast<double>(length)));
}

Result<ScaledLadder> apply(const Ladder& base, const Scene& scene) {
    const ScalingSettings& settings = scene.scaling;
    const std::int64_t length = originalLength(scene);
    if (length < 2) {
        return fail(ErrorKind::usage,
                    fmt::format("LongRoPE needs an original length of 2 or more, got {}: it divides by ln L.",
                                length));
    }
    const bool aboveOriginal = scene.length.target > length;
    const bool useLong = settings.longRopeList == LongRopeList::always_long ||
                         (settings.longRopeList == LongRopeList::by_length && aboveOriginal);
    const std::vector<double>& divisors = useLong ? settings.longFactors : settings.shortFactors;
    const char* name = useLong ? "scaling.long_factors" : "scaling.short_factors";
    const std::size_t pairs = base.inverseFrequency.size();
    if (divisors.size() != pairs) {
        return fail(ErrorKind::usage,
                    fmt::format("{} has {} numbers; it must have {}, half of the rotary width {}.", name,
                                divisors.size(), pairs, 2 * pairs));
    }
    const auto bad =
        std::ranges::find_if(divisors, [](double value) { return !(value > 0.0) || !std::isfinite(value); });
    if (bad != divisors.end()) {
        return fail(ErrorKind::usage, fmt::format("{} must be finite and above 0, got {} at pair {}.", name,
                                                  formatNumber(*bad), bad - divisors.begin()));
    }

    ScaledLadder scaled{.ladder = base};
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        scaled.ladder.inverseFrequency[pair] /= divisors[pair];
    }
    scaled.ladder.attentionFactor = attentionFactor(settings, length);
    if (settings.longRopeList == LongRopeList::by_length) {
        scaled.notes.push_back(fmt::format("{} list: the target length {} is {} the original length {}.",
                                           useLong ? "Long" : "Short", scene.length.target,
                                           useLong ? "above" : "not above", length));
    }
    return scaled;
}

}  // namespace

Scaling longRopeScaling() {
    return {
        .id = "longrope",
        .label = "LongRoPE",
        .help =
            "Divides each pair by a number of its own, found by search: one list up to the original length, "
            "another one above it. A factor on cos and sin applies to both.",
        .formula = "w'_k = w_k / f_k,  a = sqrt(1 + ln s / ln L)",
        .source = "Ding et al. 2024, LongRoPE; Hugging Face transformers, modeling_rope_utils.py (longrope)",
        .apply = apply};
}

}  // namespace phaseladder
