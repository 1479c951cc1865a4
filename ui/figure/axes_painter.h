#pragma once

#include <QFont>
#include <QSizeF>
#include <QString>

#include "ui/figure/axis_ticks.h"
#include "ui/figure/figure_style.h"
#include "ui/figure/plot_mapping.h"

class QPainter;

namespace phaseladder::ui {

/// Ticks of a panel on screen and the room that they take beside the plot, in pixels.
struct PlotAxes {
    QList<Tick> x, y;
    bool xShown = true;     ///< labels and title of x; a stack with one x shows them once
    bool xOnTop = false;    ///< names of tokens stand above a map that is read from the top
    bool xSlanted = false;  ///< long names in narrow cells
    double left = 0.0, right = 0.0, top = 0.0, bottom = 0.0;
};

/// Chooses ticks for a panel of a size (margins included); a panel without axes has a little room around it.
/// `minimumLeft` and `minimumRight` align panels in a
/// stack; `right` does not hold colour bars and legends.
[[nodiscard]] PlotAxes planAxes(const Panel& panel, const PlotRange& range, const QSizeF& size,
                                double minimumLeft, double minimumRight, bool showX,
                                const FigureStyle& style);

/// Ticks, their labels and the axis titles.
void paintAxes(QPainter& painter, const PlotAxes& axes, const PlotMapping& mapping, const FigureStyle& style);

/// Type of figures on screen: tick labels, legends and cell values.
[[nodiscard]] QFont figureFont(const FigureStyle& style, int pixelSize);

/// Width of a tick's label with its exponent.
[[nodiscard]] double tickLabelWidth(const Tick& tick, const QFont& font);
/// A label whose left end is at `x` and whose middle is at `y`.
void paintTickLabel(QPainter& painter, const Tick& tick, double x, double y, const QFont& font);

}  // namespace phaseladder::ui
