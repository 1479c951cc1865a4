#pragma once

#include <QList>
#include <QRectF>

#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_text_runs.h"
#include "ui/figure/plot_mapping.h"

namespace phaseladder::ui {

/// Where a map of a stack (Heatmap::tiles) lies on the plot.
[[nodiscard]] QRectF tileRect(const Heatmap& stack, std::int64_t tile, const PlotMapping& mapping);

/// The numbers above the maps of a stack, in one size of at most `text`, none where there is no room for
/// them; and frames around the chosen maps.
void addTileMarks(QList<Primitive>& primitives, const Heatmap& stack, const PlotMapping& mapping,
                  const FigureStyle& style, const TextStyle& text);

}  // namespace phaseladder::ui
