#pragma once

#include <QList>

#include "ui/figure/axis_ticks.h"
#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_text_runs.h"
#include "ui/figure/plot_mapping.h"

namespace phaseladder::ui {

/// Adds the visible cells of a map as images (cut in data space), hatches for the cells without a value, and
/// the values where there is room. `text` is the style of tick labels; values are a little smaller.
void addHeatmap(QList<Primitive>& primitives, const Heatmap& map, const PlotMapping& mapping,
                const FigureStyle& style, const TextStyle& text);

/// A colour bar measured before it is placed: everything right of the plot.
struct ColorBar {
    QList<Tick> ticks;
    double width = 0.0;  ///< with gap, ticks, labels and title
};
[[nodiscard]] ColorBar planColorBar(const Heatmap& map, double height, const TextStyle& text);
void addColorBar(QList<Primitive>& primitives, const ColorBar& bar, const Heatmap& map, const QRectF& plot,
                 const FigureStyle& style, const TextStyle& text);

}  // namespace phaseladder::ui
