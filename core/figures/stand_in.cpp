#include "core/figures/stand_in.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "core/attention/problem.h"
#include "core/figures/figure_list.h"

namespace phaseladder {
namespace {

/// From what shows the encoding itself to what shows its effect on scores and on orders. Each encoding has
/// some of the first four.
constexpr std::array<std::string_view, 8> figuresOfPositions{"relative-bias", "encoding",   "similarity",
                                                             "shift",         "decay",      "invariance",
                                                             "hidden-states", "translation"};

/// Without positions a curve over distance is flat: that the order is lost is what there is to see.
constexpr std::array<std::string_view, 4> figuresOfNoPositions{"invariance", "hidden-states", "translation",
                                                               "pair-contribution"};

std::span<const std::string_view> suitingFigures(const Scene& scene) {
    if (const Result<EncodingPlan> plan = makePlan(scene, 1); !plan || hasPositions(*plan)) {
        return figuresOfPositions;
    }
    return figuresOfNoPositions;
}

bool draws(std::string_view id, const Scene& scene) {
    const FigureKind* kind = findFigure(id);
    return kind != nullptr && emptyStateOf(*kind, scene).empty();
}

/// With the words of the start-up scene where there are none.
Scene withTokens(Scene scene) {
    if (scene.tokens.empty()) {
        scene.tokens = Scene{}.tokens;
        scene.order.clear();
    }
    return scene;
}

}  // namespace

std::string standIn(const Scene& scene, const std::vector<std::string>& taken, const Scene* pinned) {
    const auto fits = [&](std::string_view id) {
        const bool isTaken = std::ranges::find(taken, id) != taken.end();
        return !isTaken && draws(id, scene) && (pinned == nullptr || draws(id, *pinned));
    };
    const std::span<const std::string_view> suiting = suitingFigures(scene);
    if (const auto found = std::ranges::find_if(suiting, fits); found != suiting.end()) {
        return std::string(*found);
    }
    const auto any = std::ranges::find_if(figureKinds(), fits, &FigureKind::id);
    return any == figureKinds().end() ? std::string() : any->id;
}

std::vector<std::string> shownFigures(const Scene& scene, const std::vector<std::string>& chosen,
                                      const Scene* pinned) {
    const Scene worded = withTokens(scene);
    std::vector<std::string> shown = chosen;
    std::ranges::replace_if(
        shown, [&worded](const std::string& id) { return !draws(id, worded); }, "");
    for (std::size_t pane = 0; pane < shown.size(); ++pane) {
        if (shown[pane].empty()) {
            const std::string id = standIn(worded, shown, pinned);
            shown[pane] = id.empty() ? chosen[pane] : id;
        }
    }
    return shown;
}

}  // namespace phaseladder
