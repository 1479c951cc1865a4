#pragma once

#include <QList>
#include <QPointF>

#include <vector>

#include "ui/figure/plot_mapping.h"

namespace phaseladder::ui {

/// The visible part of a curve as unbroken runs of points in scaled units (logarithms on log axes). Values
/// that are not finite, or not above 0 on a log axis, break it. Where a run has more than four points a pixel
/// column, only the first, last, lowest and highest of each column are kept (M4: the drawn line is the same).
[[nodiscard]] QList<QList<QPointF>> curveRuns(const std::vector<double>& x, const std::vector<double>& y,
                                              const PlotMapping& mapping);

/// The run without the points that lie on the line between their neighbours, within a tenth of a pixel.
[[nodiscard]] QList<QPointF> withoutStraightPoints(const QList<QPointF>& run, const PlotMapping& mapping);

}  // namespace phaseladder::ui
