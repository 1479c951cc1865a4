#pragma once

#include <QList>
#include <QPolygonF>
#include <QRectF>
#include <QString>

#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_text_runs.h"
#include "ui/figure/plot_mapping.h"

namespace phaseladder::ui {

/// Whether a panel holds columns.
[[nodiscard]] bool hasBars(const Panel& panel);

/// How far right of its x the middle of a series' column stands, in units of x.
[[nodiscard]] double barOffset(const Bars& bars);

/// The room of all columns at one x, from the top to the bottom of the plot, as far as it is shown.
[[nodiscard]] QRectF barSlot(const Bars& bars, double x, const PlotMapping& mapping);

/// The column at an index, cut at the plot's border. Null without a value, or outside the plot. On a log axis
/// columns stand on the axis' minimum.
[[nodiscard]] QRectF barRect(const Bars& bars, std::size_t index, const PlotMapping& mapping);

/// The columns of one series: filled, and told apart by outline or hatch as well as by colour.
void addBars(QList<Primitive>& primitives, const Bars& bars, const PlotMapping& mapping,
             const FigureStyle& style);

/// A column of a legend.
void addBarSample(QList<Primitive>& primitives, Role role, const QRectF& rect, const FigureStyle& style);

/// The line that columns of both signs stand on.
void addBarGround(QList<Primitive>& primitives, const Panel& panel, const PlotMapping& mapping,
                  const FigureStyle& style);

/// The numbers at the ends of all columns that write them, in one size; none where one of them would not fit
/// beside its neighbour. `text` is the largest style.
[[nodiscard]] QList<TextRun> barNumbers(const Panel& panel, const PlotMapping& mapping,
                                        const FigureStyle& style, const TextStyle& text);

/// Lines over the columns that labels keep off.
[[nodiscard]] QList<QPolygonF> barObstacles(const Bars& bars, const PlotMapping& mapping);

}  // namespace phaseladder::ui
