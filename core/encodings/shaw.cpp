#include <cmath>

#include <fmt/format.h>

#include "core/encodings/encoding_list.h"
#include "core/random.h"

namespace phaseladder {
namespace {

/// Seeded standard normal vectors of the shown head for offsets -K .. K, of the size of its keys.
RelativeVectors seededVectors(const Scene& scene, std::string_view name) {
    RelativeVectors vectors{.reach = scene.shaw.clip};
    const auto width = static_cast<std::size_t>(scene.headDim);
    Random random(
        streamSeed(static_cast<std::uint64_t>(scene.seed), name, static_cast<std::uint64_t>(scene.head)));
    vectors.rows.resize((2 * static_cast<std::size_t>(scene.shaw.clip) + 1) * width);
    for (double& value : vectors.rows) {
        value = random.normal();
    }
    return vectors;
}

Result<EncodingPlan> plan(const Scene& scene, std::int64_t /*tokens*/) {
    EncodingPlan result;
    result.relativeKeys = seededVectors(scene, "shaw keys");
    if (scene.shaw.valueVectors) {
        result.relativeValues = seededVectors(scene, "shaw values");
    }
    return result;
}

std::string numbers(const Scene& scene) {
    const int rows = 2 * scene.shaw.clip + 1;
    return fmt::format("K = {}: {} vectors of {} channels{}", scene.shaw.clip, rows, scene.headDim,
                       scene.shaw.valueVectors ? " for keys, and as many for values" : "");
}

}  // namespace

Encoding shawEncoding() {
    return {
        .id = "shaw",
        .label = "Shaw (q·r)",
        .help =
            "Adds to each key a vector that depends on the clipped distance, so each query uses distance in "
            "its own way. A second table may be added to the values.",
        .formula = "logit(i,j) = q_i . (k_j + r[clip(j - i, -K, K)]) / sqrt(d)",
        .limits =
            "A vector must be read for every cell, which memory bandwidth pays for; beyond ±K distances "
            "look the same.",
        .source = "Shaw et al. 2018, Self-Attention with Relative Position Representations, eq. 3 and 4",
        .numbers = numbers,
        .plan = plan};
}

}  // namespace phaseladder
