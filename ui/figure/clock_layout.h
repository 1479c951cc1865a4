#pragma once

#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>

#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_text_runs.h"
#include "ui/figure/plot_mapping.h"

namespace phaseladder::ui {

/// The dials of a panel, in order.
[[nodiscard]] QList<const Clock*> clocksOf(const Panel& panel);

/// A dial as it is drawn: round, whatever the axes do.
struct Dial {
    QPointF center;
    double radius = 0.0;
};
[[nodiscard]] Dial dialOf(const Clock& clock, const PlotMapping& mapping);

/// The dial at a point, or null; the nearest where they overlap.
[[nodiscard]] const Clock* clockAt(const Panel& panel, const PlotMapping& mapping, const QPointF& pixel);

/// Arcs, circle with a tick at angle 0, and hands of one dial. What lies outside the plot is not drawn.
void addClock(QList<Primitive>& primitives, const Clock& clock, const PlotMapping& mapping,
              const FigureStyle& style);

/// A sample of an arc for a legend.
void addArcSample(QList<Primitive>& primitives, Role role, const QRectF& rect, const FigureStyle& style);

/// The labels under the dials, in one size of at most `text`; none where one of them would touch a neighbour.
[[nodiscard]] QList<TextRun> clockLabels(const Panel& panel, const PlotMapping& mapping,
                                         const TextStyle& text);

/// The frame around a dial (and its label, where labels are drawn) that says that it is chosen or marked.
[[nodiscard]] QRectF clockFrame(const Clock& clock, const Panel& panel, const PlotMapping& mapping,
                                const TextStyle& text);

}  // namespace phaseladder::ui
