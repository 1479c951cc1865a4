#pragma once

#include <QPainterPath>

#include "ui/figure/figure_layout.h"

class QPainter;

namespace phaseladder::ui {

/// Paints a laid-out figure in points: the painter's unit must be 1 pt. The one page painter of PNG, PDF and
/// preview.
void paintFigure(QPainter& painter, const LaidOutFigure& figure);

/// The filled outline of a marker.
[[nodiscard]] QPainterPath markerPath(const Marker& marker);

}  // namespace phaseladder::ui
