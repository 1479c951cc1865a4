#include "core/encodings/relative_bias.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/encodings/encoding_list.h"
#include "core/number_text.h"
#include "core/random.h"

namespace phaseladder {
namespace {

std::size_t tableCount(const Scene& scene) {
    return scene.relativeBias.shared ? 1 : static_cast<std::size_t>(scene.heads);
}

std::size_t tableWidth(int clip) {
    return 2 * static_cast<std::size_t>(clip) + 1;
}

std::vector<double> seededTable(const Scene& scene, std::size_t head) {
    std::vector<double> table(tableWidth(scene.relativeBias.clip));
    Random random(streamSeed(static_cast<std::uint64_t>(scene.seed), "relative bias", head));
    std::ranges::generate(table, [&] { return random.normal(); });
    return table;
}

/// Of the shown head, by i - j.
std::vector<double> shownTable(const Scene& scene) {
    const std::size_t width = tableWidth(scene.relativeBias.clip);
    const std::size_t head = scene.relativeBias.shared ? 0 : static_cast<std::size_t>(scene.head);
    const std::vector<double>& drawn = scene.relativeBias.values;
    if (drawn.size() != tableCount(scene) * width) {
        return seededTable(scene, head);
    }
    const auto first = drawn.begin() + static_cast<std::ptrdiff_t>(head * width);
    return {first, first + static_cast<std::ptrdiff_t>(width)};
}

/// By key - query: the article's b is of i - j.
Result<EncodingPlan> plan(const Scene& scene, std::int64_t /*tokens*/) {
    ScoreBias bias{scene.relativeBias.clip, shownTable(scene)};
    std::ranges::reverse(bias.values);
    return EncodingPlan{.scoreBias = std::move(bias)};
}

std::string numbers(const Scene& scene) {
    const std::vector<double> table = shownTable(scene);
    const auto [low, high] = std::ranges::minmax(table);
    return fmt::format("K = {}: {} entries{}, from {} to {}", scene.relativeBias.clip, table.size(),
                       scene.relativeBias.shared ? " for all heads" : fmt::format(" in head {}", scene.head),
                       formatForPeople(low, 3), formatForPeople(high, 3));
}

}  // namespace

std::vector<double> biasTables(const Scene& scene) {
    const std::size_t count = tableCount(scene) * tableWidth(scene.relativeBias.clip);
    if (scene.relativeBias.values.size() == count) {
        return scene.relativeBias.values;
    }
    std::vector<double> tables;
    for (std::size_t head = 0; head < tableCount(scene); ++head) {
        const std::vector<double> table = seededTable(scene, head);
        tables.insert(tables.end(), table.begin(), table.end());
    }
    return tables;
}

bool hasDrawableTable(const Scene& scene) {
    return scene.encoding == "relative_bias";
}

bool sharesTable(const Scene& scene) {
    return hasDrawableTable(scene) && scene.relativeBias.shared;
}

std::vector<double> reclippedTable(const std::vector<double>& tables, int before, int after) {
    const std::size_t width = tableWidth(before);
    if (tables.empty() || tables.size() % width != 0) {
        return tables;
    }
    std::vector<double> result;
    for (std::size_t first = 0; first < tables.size(); first += width) {
        for (int offset = -after; offset <= after; ++offset) {
            result.push_back(
                tables[first + static_cast<std::size_t>(std::clamp(offset, -before, before) + before)]);
        }
    }
    return result;
}

std::vector<double> tablesForHeads(const std::vector<double>& tables, int clip, int heads) {
    const std::size_t width = tableWidth(clip);
    if (tables.empty() || tables.size() % width != 0) {
        return tables;
    }
    std::vector<double> result = tables;
    result.resize(std::min(tables.size(), width * static_cast<std::size_t>(heads)));
    while (result.size() < width * static_cast<std::size_t>(heads)) {
        const std::vector<double> last(result.end() - static_cast<std::ptrdiff_t>(width), result.end());
        result.insert(result.end(), last.begin(), last.end());
    }
    return result;
}

Encoding relativeBiasEncoding() {
    return {.id = "relative_bias",
            .label = "Relative bias (clipped table)",
            .help =
                "Adds a number to each logit that depends on the distance of the two tokens only. Distances "
                "beyond ±K share one number.",
            .formula = "logit(i,j) = q_i . k_j / sqrt(d) + b[clip(i - j, -K, K)]",
            .limits = "Learned for the offsets of training only; beyond ±K it cannot tell distances apart.",
            .source = "Shaw et al. 2018, section 3.2 (clipping); Raffel et al. 2020, T5 (scalar bias)",
            .numbers = numbers,
            .plan = plan};
}

}  // namespace phaseladder
