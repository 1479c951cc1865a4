#pragma once

#include <QList>

#include "core/figures/figure.h"
#include "ui/figure/axis_ticks.h"
#include "ui/figure/figure_text_runs.h"

namespace phaseladder::ui {

/// Ticks of one axis on paper and how their labels are written. Names of tokens have no tick marks.
struct AxisPlan {
    QList<Tick> ticks;
    TextStyle text;           ///< of the labels; a little smaller where names are many
    bool turned = false;      ///< names read upwards
    double tickLength = 0.0;  ///< points
    double extent = 0.0;      ///< across the axis: width of y labels, height of x labels
    double overhang = 0.0;    ///< of the last x label past the end of the axis
};

/// Plans an axis of a length in points: as many labels as fit without touching. `cap` is the most that a name
/// may take across the axis; longer names end in "…".
[[nodiscard]] AxisPlan planXAxis(const Axis& axis, double width, double cap, const TextStyle& text);
[[nodiscard]] AxisPlan planYAxis(const Axis& axis, double height, double cap, const TextStyle& text);

/// Width of a tick's label with its exponent, and the label as runs with its left, centre or right at the
/// anchor.
[[nodiscard]] double tickLabelWidth(const Tick& tick, const TextStyle& text);
[[nodiscard]] QList<TextRun> tickLabelRuns(const Tick& tick, QPointF anchor, const TextStyle& text,
                                           Qt::Alignment alignment);

}  // namespace phaseladder::ui
