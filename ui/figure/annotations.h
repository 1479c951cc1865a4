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

/// Where a legend stands on screen and the room that it takes from the plot.
struct LegendPlan {
    enum class Place { inside, beside, above };

    Place place = Place::inside;
    QList<LegendEntry> entries;  ///< with their words cut where nothing else helps
    TextStyle text;
    double width = 0.0, height = 0.0;  ///< taken beside and above the plot; 0 inside it
    double top = 0.0;                  ///< of the rows above the plot: below the panel's title
};

/// The legend of a panel on screen: in the emptiest corner of the plot; beside it where it would cover too
/// much, in at most a third of the panel's width; else in rows above it.
struct ScreenLegend {
    QList<LegendEntry> entries;
    QList<QRectF> rects;    ///< where each entry was drawn
    QSet<QString> hidden;   ///< labels whose curves are not drawn; their entries are pale
    bool isBeside = false;  ///< never inside: columns, dials and squares leave no empty corner

    /// Index of the entry at a point, or -1.
    [[nodiscard]] qsizetype entryAt(const QPointF& pixel) const;
    [[nodiscard]] LegendPlan planned(const QSizeF& panel, const FigureStyle& style) const;
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
                 const FigureStyle& style, const LegendPlan& plan, ScreenLegend& legend);

}  // namespace phaseladder::ui
