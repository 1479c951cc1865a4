#pragma once

#include <QList>
#include <QRectF>
#include <QString>
#include <QStringList>

#include "ui/figure/axis_plan.h"
#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_text_runs.h"
#include "ui/figure/heatmap_layout.h"
#include "ui/figure/legend_layout.h"
#include "ui/figure/plot_mapping.h"

namespace phaseladder::ui {

// In points. The outer padding is about the 0.015 in of tueplots.
inline constexpr double pagePad = 2.0;
inline constexpr double labelGap = 2.5;  ///< between ticks, their labels and the titles of axes

/// Everything about one panel of a page that depends on the room it has.
struct PageFrame {
    const Panel* panel = nullptr;
    const Heatmap* map = nullptr;  // the one that gets the colour bar
    QString title;                 // with the panel's letter; empty: none
    bool showsX = true;            // tick labels and title; not when the panel below has the same axis
    QList<LegendEntry> legend;     // empty: none
    bool legendAbove = false;
    AxisPlan x, y;
    QStringList yTitle;  // in up to two lines
    TextStyle yTitleStyle;
    ColorBar bar;
    QRectF plot;
    std::size_t row = 0;
    double cellLeft = 0.0, cellRight = 0.0;  // of the part of the page's width that the panel has
    double left = 0.0, right = 0.0;          // margins beside the plot
    double above = 0.0;                      // panel title and legend rows
    double below = 0.0;                      // labels and title of x
};

/// Legends above plots may reach to the border of the panel's part of the page.
[[nodiscard]] double legendWidth(const PageFrame& frame);

[[nodiscard]] PlotMapping mappingOf(const PageFrame& frame);

/// The axes with ticks, labels and titles. `base` is the type of the labels.
void addFrameAxes(QList<Primitive>& primitives, const PageFrame& frame, const FigureStyle& style,
                  const TextStyle& base);

}  // namespace phaseladder::ui
