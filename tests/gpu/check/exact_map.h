#pragma once

#include <cstdint>
#include <vector>

namespace phaseladder::tests {

/// Seeded, normal queries and keys of a head, tokens × width each.
struct RandomHead {
    RandomHead(std::int64_t tokens, int width);

    int width;
    std::vector<float> queries, keys;
};

/// Weights of a query of causal attention over the keys 0 .. query, in double precision.
[[nodiscard]] std::vector<double> exactWeights(const RandomHead& head, std::int64_t query);

/// A row of pixels of the whole causal map of the first tokens, pixels × pixels, each the largest of its
/// weights; on all threads.
[[nodiscard]] std::vector<double> exactPixelRow(const RandomHead& head, std::int64_t tokens,
                                                std::int64_t pixels, std::int64_t pixelRow);

/// The largest difference, relative to the exact number; infinite where one is 0 and the other is not.
[[nodiscard]] double largestRelativeError(const float* ours, const std::vector<double>& exact);

}  // namespace phaseladder::tests
