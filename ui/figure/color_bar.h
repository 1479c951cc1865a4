#pragma once

#include <QRectF>

#include "core/figures/figure.h"
#include "ui/figure/figure_style.h"

class QPainter;

namespace phaseladder::ui {

/// Room that the colour bar takes at the right of a plot, with its gap, ticks and title.
[[nodiscard]] double colorBarWidth(const Heatmap& map, double plotHeight, const FigureStyle& style);
void paintColorBar(QPainter& painter, const Heatmap& map, const QRectF& plot, const FigureStyle& style);

}  // namespace phaseladder::ui
