#pragma once

#include <QList>
#include <QRectF>
#include <QSet>
#include <QString>

#include "ui/figure/axes_painter.h"
#include "ui/figure/figure_style.h"
#include "ui/figure/legend_layout.h"
#include "ui/figure/panel_marks.h"
#include "ui/figure/plot_mapping.h"

class QPainter;

namespace phaseladder::ui {

/// Type of labels inside plots on screen.
[[nodiscard]] TextStyle labelText(const FigureStyle& style);

/// The legend of a panel on screen: in the emptiest corner of the plot, or beside it where it would cover too
/// much.
struct ScreenLegend {
    QList<LegendEntry> entries;
    QList<QRectF> rects;    ///< where each entry was drawn
    QSet<QString> hidden;   ///< labels whose curves are not drawn; their entries are pale
    bool isBeside = false;  ///< never inside: columns and dials leave no empty corner

    /// Index of the entry at a point, or -1.
    [[nodiscard]] qsizetype entryAt(const QPointF& pixel) const;
    /// Room that it takes beside the plot of a panel of this height; 0 when it stands inside.
    [[nodiscard]] double outsideWidth(double panelHeight, const FigureStyle& style) const;
};

/// A panel without what is painted elsewhere (maps, curves, points, handles) and without what is hidden: the
/// axes, bands, columns, dials, rules and words.
[[nodiscard]] Panel annotationsOf(const Panel& panel, const QSet<QString>& hiddenLabels);

/// Bands, columns, dials, rules, and a grid at the ticks of `axes` (maps have none).
void paintGround(QPainter& painter, const Panel& annotations, const PlotAxes& axes,
                 const PlotMapping& mapping, const FigureStyle& style);

/// The words of rules and bands, and the legend, kept off the curves and off each other; the texts of a panel
/// without axes.
void paintLabels(QPainter& painter, const Panel& panel, const Panel& annotations, const PlotMapping& mapping,
                 const FigureStyle& style, ScreenLegend& legend);

}  // namespace phaseladder::ui
