#include "tests/gpu/check/exact_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "core/attention/pixel_grid.h"
#include "core/random.h"

namespace phaseladder::tests {
namespace {

std::vector<float> normals(std::int64_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> numbers(index(count));
    std::ranges::generate(numbers, [&random] { return static_cast<float>(random.normal()); });
    return numbers;
}

}  // namespace

RandomHead::RandomHead(std::int64_t tokens, int headWidth)
    : width(headWidth), queries(normals(tokens * headWidth, 1)), keys(normals(tokens * headWidth, 2)) {}

std::vector<double> exactWeights(const RandomHead& head, std::int64_t query) {
    const auto width = static_cast<std::size_t>(head.width);
    const double scale = 1.0 / std::sqrt(static_cast<double>(head.width));
    const float* q = head.queries.data() + index(query) * width;
    std::vector<double> weights(index(query + 1));
    for (std::size_t key = 0; key < weights.size(); ++key) {
        const float* k = head.keys.data() + key * width;
        double product = 0.0;
        for (std::size_t channel = 0; channel < width; ++channel) {
            product += static_cast<double>(q[channel]) * static_cast<double>(k[channel]);
        }
        weights[key] = product * scale;
    }
    const double largest = std::ranges::max(weights);
    double sum = 0.0;
    for (double& weight : weights) {
        weight = std::exp(weight - largest);
        sum += weight;
    }
    for (double& weight : weights) {
        weight /= sum;
    }
    return weights;
}

std::vector<double> exactPixelRow(const RandomHead& head, std::int64_t tokens, std::int64_t pixels,
                                  std::int64_t pixelRow) {
    const std::vector<std::int64_t> edges = pixelEdges(0, tokens, pixels);
    const std::int64_t begin = edges[index(pixelRow)], end = edges[index(pixelRow + 1)];
    const std::int64_t threads = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::vector<double>> parts(index(threads), std::vector<double>(index(pixels), 0.0));
    {
        std::vector<std::jthread> running;
        for (std::int64_t thread = 0; thread < threads; ++thread) {
            running.emplace_back([&, thread] {
                for (std::int64_t row = begin + thread; row < end; row += threads) {
                    const std::vector<double> weights = exactWeights(head, row);
                    for (std::int64_t pixel = 0; pixel < pixels && edges[index(pixel)] <= row; ++pixel) {
                        const auto first = weights.begin() + edges[index(pixel)];
                        const auto last = weights.begin() + std::min(edges[index(pixel + 1)], row + 1);
                        double& most = parts[index(thread)][index(pixel)];
                        most = std::max(most, *std::max_element(first, last));
                    }
                }
            });
        }
    }
    for (const std::vector<double>& part : parts) {
        std::ranges::transform(parts.front(), part, parts.front().begin(),
                               [](double one, double other) { return std::max(one, other); });
    }
    return parts.front();
}

double largestRelativeError(const float* ours, const std::vector<double>& exact) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (std::size_t at = 0; at < exact.size(); ++at) {
        const double difference = std::abs(static_cast<double>(ours[at]) - exact[at]);
        const double error = exact[at] > 0.0 ? difference / exact[at] : difference == 0.0 ? 0.0 : infinity;
        largest = std::isnan(error) ? infinity : std::max(largest, error);
    }
    return largest;
}

}  // namespace phaseladder::tests
