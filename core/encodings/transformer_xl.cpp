#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Core>

#include "core/attention/content.h"
#include "core/encodings/encoding_list.h"
#include "core/encodings/sinusoidal.h"
#include "core/number_text.h"
#include "core/random.h"

namespace phaseladder {
namespace {

/// A seeded stream of the shown head.
Random headStream(const Scene& scene, std::string_view name) {
    return Random(
        streamSeed(static_cast<std::uint64_t>(scene.seed), name, static_cast<std::uint64_t>(scene.head)));
}

std::vector<double> normalVector(const Scene& scene, std::string_view name) {
    Random random = headStream(scene, name);
    std::vector<double> vector(static_cast<std::size_t>(scene.headDim));
    std::ranges::generate(vector, [&] { return random.normal(); });
    return vector;
}

/// R of i - j from -reach to reach: sines in the first half, cosines in the second, exponents 2k/d.
RowMatrix distanceRows(const Scene& scene, std::int64_t reach) {
    const SinusoidalSettings halves{SinusoidalLayout::halves, SinusoidalSpacing::paper};
    const std::vector<double> positive = sinusoidalRows(halves, scene.headDim, 0, reach + 1);
    const Eigen::Map<const RowMatrix> rows(positive.data(), reach + 1, scene.headDim);
    RowMatrix result(2 * reach + 1, scene.headDim);
    result.bottomRows(reach + 1) = rows;
    result.topRows(reach) = rows.bottomRows(reach).colwise().reverse();
    result.topLeftCorner(reach, scene.headDim / 2) *= -1.0;  // sin(-x)
    return result;
}

/// W_{k,R} of the paper: d × d, entries normal / √d.
RowMatrix distanceWeights(const Scene& scene) {
    Random random = headStream(scene, "W_r");
    RowMatrix weights(scene.headDim, scene.headDim);
    for (double& value : weights.reshaped<Eigen::RowMajor>()) {
        value = random.normal() / std::sqrt(static_cast<double>(scene.headDim));
    }
    return weights;
}

Result<EncodingPlan> plan(const Scene& scene, std::int64_t tokens) {
    std::int64_t reach = std::max<std::int64_t>(tokens - 1, 0);
    if (scene.transformerXlClamp > 0) {
        reach = std::min(reach, scene.transformerXlClamp);
    }
    // The plan counts key - query, the paper i - j.
    const RowMatrix keys = (distanceRows(scene, reach) * distanceWeights(scene)).colwise().reverse();
    EncodingPlan result;
    result.relativeKeys = RelativeVectors{reach, {keys.data(), keys.data() + keys.size()}};
    result.queryOffsets = QueryOffsets{normalVector(scene, "u"), normalVector(scene, "v")};
    return result;
}

std::string numbers(const Scene& scene) {
    const Ladder ladder = sinusoidalLadder(SinusoidalSpacing::paper, scene.headDim);
    return fmt::format("d = {}: R turns with wavelengths {} .. {} tokens; distances {}", scene.headDim,
                       formatForPeople(wavelengthTokens(ladder.inverseFrequency.front()), 4),
                       formatForPeople(wavelengthTokens(ladder.inverseFrequency.back()), 6),
                       scene.transformerXlClamp > 0
                           ? fmt::format("above {} count as it", scene.transformerXlClamp)
                           : "are not clamped");
}

}  // namespace

Encoding transformerXlEncoding() {
    return {
        .id = "transformer_xl",
        .label = "Transformer-XL",
        .help =
            "Splits a logit into four terms: content with content, content with distance, and a learned bias "
            "for "
            "each. Distances enter as sines and cosines, so they need no table and no clipping.",
        .formula =
            "logit(i,j) = ((q_i + u) . k_j + (q_i + v) . R[i - j]) / sqrt(d),  R = sin, cos halves times W_r",
        .limits = "A vector for each distance must be projected in each layer, and met by each query.",
        .source = "Dai et al. 2019, Transformer-XL, section 3.3; pytorch/mem_transformer.py",
        .numbers = numbers,
        .plan = plan,
        .ladders = [](const Scene& scene) -> Result<SceneLadders> {
            return unscaledLadders(sinusoidalLadder(SinusoidalSpacing::paper, scene.headDim));
        }};
}

}  // namespace phaseladder
