#include "core/figures/head_maps.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace phaseladder {

namespace {

constexpr std::int64_t leastRows = 16;  // of a picture that says anything

void addRows(std::vector<std::int64_t>& all, const std::vector<std::int64_t>& more) {
    std::vector<std::int64_t> both;
    std::ranges::set_union(all, more, std::back_inserter(both));
    all = std::move(both);
}

}  // namespace

Scene withHead(const Scene& scene, int head) {
    Scene other = scene;
    other.head = head;
    return other;
}

Result<UndefinedRows> addCapturedWarnings(Figure& figure, const Scene& scene, const std::vector<int>& heads,
                                          bool namesHeads, const std::stop_token& stop,
                                          const UndefinedRowEffects& effects) {
    UndefinedRows all;
    for (const int number : hasCapture(scene) ? heads : std::vector<int>()) {
        const Scene one = withHead(scene, number);
        const Result<CapturedHead> head = readCapturedHead(one, stop);
        if (!head) {
            return tl::unexpected(head.error());
        }
        const Result<UndefinedRows> rows = undefinedRows(one, stop);
        if (!rows) {
            return rows;
        }
        addRows(all.queries, rows->queries);
        addRows(all.keys, rows->keys);
        for (const std::string& warning : capturedWarnings(*head, effects)) {
            figure.warnings.push_back(namesHeads ? fmt::format("Head {}: {}", number, warning) : warning);
        }
    }
    return all;
}

std::int64_t affordableRows(const Scene& scene, const MapRequest& map, std::size_t heads, double products) {
    const std::int64_t queries = map.window.rowEnd - map.window.rowBegin;
    const Result<MapShape> shape = mapShape(scene);
    const auto keys = static_cast<double>(shape ? shape->keys : 1);  // each row meets all for its sum
    const auto rows =
        static_cast<std::int64_t>(products / (keys * scene.headDim * static_cast<double>(heads)));
    return rows >= queries ? 0 : std::min(std::max(rows, leastRows), queries - 1);
}

Result<std::shared_ptr<const AttentionResult>> attentionOfHeads(const Scene& scene, MapRequest map,
                                                                bool hiddenStates, Effort effort,
                                                                Engine& engine, std::stop_token stop) {
    const std::vector<int> heads = chosenHeads(scene);
    if (heads.size() == 1) {
        const Scene one = withHead(scene, heads.front());
        return hiddenStates ? engine.attention(one, &map, true, stop)
                            : engine.liveMap(one, map, effort, stop);
    }
    if (effort == Effort::quick) {
        map.sampledRows = affordableRows(scene, map, heads.size(), mostQuickProducts);
    }
    const ProgressSpan progress(engine.progress(), "computing heads",
                                static_cast<std::int64_t>(heads.size()));
    AttentionResult mean;
    for (const int head : heads) {
        const auto own = engine.attention(withHead(scene, head), &map, false, stop);
        if (!own) {
            return own;
        }
        progress.add(1);
        if (head == heads.front()) {  // whose shape and mask are those of all
            mean = **own;
            continue;
        }
        for (std::size_t cell = 0; cell < mean.map.size(); ++cell) {
            mean.map[cell] += (*own)->map[cell];
        }
        mean.largestRowSumError = std::max(mean.largestRowSumError, (*own)->largestRowSumError);
    }
    for (double& value : mean.map) {
        value /= static_cast<double>(heads.size());
    }
    return std::make_shared<const AttentionResult>(std::move(mean));
}

}  // namespace phaseladder
