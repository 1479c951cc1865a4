#pragma once

#include <QList>

#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_text_runs.h"
#include "ui/figure/plot_mapping.h"

namespace phaseladder::ui {

/// The texts of a panel without axes, which are its content: each begins at its x, its first line has its
/// middle at its y, and all have one size, at most that of `text`. A text that reaches its neighbour or the
/// plot's border is broken into lines where there is room below; where there is not, all become smaller; at
/// the smallest size the rest is left out with "…". What lies outside the shown range is not drawn.
[[nodiscard]] QList<TextRun> contentTexts(const Panel& panel, const PlotMapping& mapping,
                                          const FigureStyle& style, const TextStyle& text);

}  // namespace phaseladder::ui
