#include "core/figures/figure_list.h"

#include <algorithm>
#include <array>

#include "core/figures/figure_kinds.h"

namespace phaseladder {

std::span<const FigureKind> figureKinds() {
    static const std::array kinds{ladderFigureKind(),
                                  phasesFigureKind(),
                                  clocksFigureKind(),
                                  encodingFigureKind(),
                                  rampFigureKind(),
                                  attentionFigureKind(),
                                  headsFigureKind(),
                                  hiddenStatesFigureKind(),
                                  invarianceFigureKind(),
                                  frequencyUseFigureKind(),
                                  pairContributionFigureKind(),
                                  translationFigureKind(),
                                  decayFigureKind(),
                                  relativeBiasFigureKind(),
                                  similarityFigureKind(),
                                  shiftFigureKind(),
                                  carryFigureKind(),
                                  layoutFigureKind()};
    return kinds;
}

std::string emptyStateOf(const FigureKind& kind, const Scene& scene) {
    return kind.emptyState ? kind.emptyState(scene) : std::string();
}

const Scene& shownScene(const FigureRequest& request, const Scene& live) {
    return request.pinned && request.compare == CompareMode::pinned ? *request.pinned : live;
}

const FigureKind* findFigure(std::string_view id) {
    const auto kinds = figureKinds();
    const auto found = std::ranges::find(kinds, id, &FigureKind::id);
    return found == kinds.end() ? nullptr : &*found;
}

}  // namespace phaseladder
