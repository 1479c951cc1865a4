#include "core/encodings/t5.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/encodings/encoding_list.h"
#include "core/random.h"

namespace phaseladder {
namespace {

/// Seeded standard normal bias of each bucket for the shown head; the same in every layer.
std::vector<double> bucketBiases(const Scene& scene) {
    std::vector<double> biases;
    Random random(streamSeed(static_cast<std::uint64_t>(scene.seed), "t5 bias",
                             static_cast<std::uint64_t>(scene.head)));
    for (int bucket = 0; bucket < scene.t5.buckets; ++bucket) {
        biases.push_back(random.normal());
    }
    return biases;
}

Result<EncodingPlan> plan(const Scene& scene, std::int64_t tokens) {
    // Beyond the largest distance, and where each distance has its own, the bucket does not change any more.
    const std::int64_t last = std::max(scene.t5.maximumDistance, scene.t5.buckets);
    ScoreBias bias{.reach = std::min(last, std::max<std::int64_t>(tokens - 1, 0))};
    const std::vector<double> biases = bucketBiases(scene);
    for (std::int64_t offset = -bias.reach; offset <= bias.reach; ++offset) {
        const int bucket =
            t5Bucket(offset, isBidirectional(scene), scene.t5.buckets, scene.t5.maximumDistance);
        bias.values.push_back(biases[static_cast<std::size_t>(bucket)]);
    }
    return EncodingPlan{.scoreBias = std::move(bias), .scaleByRootWidth = false};
}

std::string numbers(const Scene& scene) {
    return fmt::format("{} buckets{}: distances below {} have their own, all from {} on share the last",
                       scene.t5.buckets,
                       isBidirectional(scene) ? ", half of them a direction" : ", past only",
                       t5ExactDistances(scene), t5FirstSaturated(scene, -1));
}

}  // namespace

bool hasBuckets(const Scene& scene) {
    return scene.encoding == "t5";
}

bool isBidirectional(const Scene& scene) {
    return scene.t5.direction == T5Direction::bidirectional ||
           (scene.t5.direction == T5Direction::by_mask && !scene.causal);
}

int t5ExactDistances(const Scene& scene) {
    return (isBidirectional(scene) ? scene.t5.buckets / 2 : scene.t5.buckets) / 2;
}

int t5Bucket(std::int64_t offset, bool bidirectional, int buckets, int maximumDistance) {
    int first = 0;
    std::int64_t distance = 0;
    if (bidirectional) {
        buckets /= 2;
        first = offset > 0 ? buckets : 0;
        distance = std::abs(offset);
    } else {
        distance = std::max<std::int64_t>(-offset, 0);
    }
    const int exact = buckets / 2;
    if (distance < exact) {
        return first + static_cast<int>(distance);
    }
    if (exact == 0 || maximumDistance <= exact) {
        return first + buckets - 1;  // no room for a logarithm
    }
    const double share = std::log(static_cast<double>(distance) / exact) /
                         std::log(static_cast<double>(maximumDistance) / exact);
    const int further = static_cast<int>(std::min(share, 1.0) * (buckets - exact));
    return first + std::min(exact + further, buckets - 1);
}

std::int64_t t5FirstSaturated(const Scene& scene, int sign) {
    const auto bucketOf = [&](std::int64_t distance) {
        return t5Bucket(sign * distance, isBidirectional(scene), scene.t5.buckets, scene.t5.maximumDistance);
    };
    // Buckets ascend with the distance, so the last one begins where a search by halves ends.
    std::int64_t low = 0;
    std::int64_t high = std::max(scene.t5.maximumDistance, scene.t5.buckets);
    const int last = bucketOf(high);
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (bucketOf(middle) == last) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

Encoding t5Encoding() {
    return {.id = "t5",
            .label = "T5 buckets",
            .help =
                "Adds a bias by bucket of distance: near distances have a bucket each, far ones share by "
                "logarithm. All layers use the same biases, and logits are not divided by √d.",
            .formula = "logit(i,j) = q_i . k_j + b[bucket(j - i)]",
            .limits = "Distances in the last bucket cannot be told apart; none is added in cross-attention.",
            .source = "Raffel et al. 2020, T5, section 2.1; Hugging Face modeling_t5.py",
            .numbers = numbers,
            .plan = plan};
}

}  // namespace phaseladder
