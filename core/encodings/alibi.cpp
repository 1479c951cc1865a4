#include "core/encodings/alibi.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/encodings/encoding_list.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

/// -m |i - j|: under a causal mask the future is not seen, so the sign does not matter there.
Result<EncodingPlan> plan(const Scene& scene, std::int64_t tokens) {
    const double slope = alibiSlopes(scene.alibiSlopes, scene.heads)[static_cast<std::size_t>(scene.head)];
    ScoreBias bias{.reach = std::max<std::int64_t>(tokens - 1, 0)};
    bias.values.reserve(static_cast<std::size_t>(2 * bias.reach + 1));
    for (std::int64_t offset = -bias.reach; offset <= bias.reach; ++offset) {
        bias.values.push_back(-slope * static_cast<double>(std::abs(offset)));
    }
    return EncodingPlan{.scoreBias = std::move(bias)};
}

std::string numbers(const Scene& scene) {
    const std::vector<double> slopes = alibiSlopes(scene.alibiSlopes, scene.heads);
    const double slope = slopes[static_cast<std::size_t>(scene.head)];
    const std::string shown =
        fmt::format("head {}: m = {}, so a weight halves every {} tokens", scene.head,
                    formatForPeople(slope, 4), formatForPeople(std::log(2.0) / slope, 3));
    return scene.heads == 1 ? shown
                            : fmt::format("{}; slopes of {} heads from {} to {}", shown, scene.heads,
                                          formatForPeople(*std::ranges::max_element(slopes), 4),
                                          formatForPeople(*std::ranges::min_element(slopes), 4));
}

}  // namespace

bool hasSlopes(const Scene& scene) {
    return scene.encoding == "alibi";
}

std::vector<double> alibiSlopes(AlibiSlopes rule, int heads) {
    const int power =
        rule == AlibiSlopes::paper ? heads : static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
    std::vector<double> slopes;
    for (int head = 0; head < power; ++head) {
        slopes.push_back(std::exp2(-8.0 * (head + 1) / power));
    }
    for (int extra = 0; power + extra < heads; ++extra) {
        slopes.push_back(std::exp2(-8.0 * (2 * extra + 1) / (2 * power)));
    }
    return slopes;
}

Encoding alibiEncoding() {
    return {
        .id = "alibi",
        .label = "ALiBi",
        .help =
            "Takes from each logit the distance times a slope that belongs to the head. Nothing is learned, "
            "and "
            "longer texts than in training are met with the same rule.",
        .formula = "logit(i,j) = q_i . k_j / sqrt(d) - m_h |i - j|",
        .limits = "Far tokens fade whatever they say: a head with a steep slope sees a few neighbours only.",
        .source = "Press et al. 2022, Train Short, Test Long, section 3",
        .numbers = numbers,
        .plan = plan};
}

}  // namespace phaseladder
