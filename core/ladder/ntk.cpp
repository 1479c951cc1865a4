#include <cmath>

#include <fmt/format.h>

#include "core/ladder/scaling_list.h"

namespace phaseladder {
namespace {

Result<ScaledLadder> apply(const Ladder& base, const Scene& scene) {
    return withMultipliedBase(base, scene.rope.theta, scene.scaling.factor, "NTK-aware scaling");
}

}  // namespace

Result<ScaledLadder> withMultipliedBase(const Ladder& base, double theta, long double multiplier,
                                        const std::string& method) {
    const int rotaryDim = 2 * static_cast<int>(base.inverseFrequency.size());
    if (rotaryDim < 4) {
        return fail(ErrorKind::usage,
                    fmt::format("{} needs a rotary width of 4 or more, got {}: its exponent is r/(r-2).",
                                method, rotaryDim));
    }
    ScaledLadder scaled{.ladder = base};
    for (int pair = 0; pair < rotaryDim / 2; ++pair) {
        const long double exponent = 2.0L * pair / (rotaryDim - 2);
        scaled.ladder.inverseFrequency[static_cast<std::size_t>(pair)] /= std::pow(multiplier, exponent);
    }
    const long double baseExponent = static_cast<long double>(rotaryDim) / (rotaryDim - 2);
    scaled.scaledBase = static_cast<double>(theta * std::pow(multiplier, baseExponent));
    return scaled;
}

Scaling ntkScaling() {
    return {
        .id = "ntk",
        .label = "NTK-aware",
        .help =
            "Raises the base so that the fastest pair stays as it is and the slowest is divided by exactly "
            "the factor. Short distances keep their resolution; the pairs between are slowed less.",
        .formula = "b' = b s^(r/(r-2)),  w'_k = b'^(-2k/r)",
        .source = "bloc97 2023; Peng et al. 2023, YaRN, eq. 16",
        .apply = apply};
}

}  // namespace phaseladder
