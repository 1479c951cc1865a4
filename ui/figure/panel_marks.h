#pragma once

#include <QList>

#include "ui/figure/axis_ticks.h"
#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_text_runs.h"
#include "ui/figure/label_placement.h"
#include "ui/figure/plot_mapping.h"

namespace phaseladder::ui {

/// Opacity of an envelope's fill in its role's line colour.
inline constexpr float envelopeOpacity = 0.35F;

/// What is drawn inside the plot: bands, grid (not under maps), then the layers in order. All is cut at the
/// plot's border. `text` is the style of numbers at columns and of labels under dials.
void addMarks(QList<Primitive>& primitives, const Panel& panel, const PlotMapping& mapping,
              const QList<Tick>& xTicks, const QList<Tick>& yTicks, const FigureStyle& style,
              const TextStyle& text);

/// What labels must keep off in a panel: its curves, columns, dials, points, handles and rules.
[[nodiscard]] Obstacles panelObstacles(const Panel& panel, const PlotMapping& mapping,
                                       const FigureStyle& style, const TextStyle& text);

/// The words of rules, bands and (where the panel has axes) texts, placed off the curves and off each other.
/// Returns how many found no free place; those stand on a patch of the background.
[[nodiscard]] int addLabels(QList<Primitive>& primitives, const Panel& panel, const PlotMapping& mapping,
                            Obstacles& obstacles, const FigureStyle& style, const TextStyle& text);

}  // namespace phaseladder::ui
