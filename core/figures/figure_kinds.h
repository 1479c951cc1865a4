#pragma once

#include "core/figures/figure_list.h"

namespace phaseladder {

// One figure a file; figure_list.cpp puts them in order.
[[nodiscard]] FigureKind ladderFigureKind();
[[nodiscard]] FigureKind phasesFigureKind();
[[nodiscard]] FigureKind clocksFigureKind();
[[nodiscard]] FigureKind encodingFigureKind();
[[nodiscard]] FigureKind rampFigureKind();
[[nodiscard]] FigureKind attentionFigureKind();
[[nodiscard]] FigureKind headsFigureKind();
[[nodiscard]] FigureKind frequencyUseFigureKind();
[[nodiscard]] FigureKind pairContributionFigureKind();
[[nodiscard]] FigureKind carryFigureKind();
[[nodiscard]] FigureKind translationFigureKind();
[[nodiscard]] FigureKind decayFigureKind();
[[nodiscard]] FigureKind relativeBiasFigureKind();
[[nodiscard]] FigureKind similarityFigureKind();
[[nodiscard]] FigureKind shiftFigureKind();
[[nodiscard]] FigureKind layoutFigureKind();
[[nodiscard]] FigureKind hiddenStatesFigureKind();
[[nodiscard]] FigureKind invarianceFigureKind();

}  // namespace phaseladder
