#pragma once

#include <QList>
#include <QPointF>
#include <QRectF>
#include <QSet>
#include <QString>

#include <map>
#include <optional>

#include "core/figures/figure.h"
#include "core/parameter.h"
#include "ui/figure/plot_mapping.h"

namespace phaseladder::ui {

/// A parameter and the value that choosing a place gives it.
struct ParameterChoice {
    QString parameterId;
    ParameterValue value = 0.0;

    friend bool operator==(const ParameterChoice&, const ParameterChoice&) = default;
};

/// What lies under a point of a panel, snapped to the figure's own data: the nearest x that a curve has, a
/// cell of a map, or a dial.
struct HoverReadout {
    struct Dot {
        double x = 0.0, y = 0.0;
        Role role = Role::live;
    };
    double x = 0.0, y = 0.0;              ///< snapped; the crosshair's place
    QList<Dot> dots;                      ///< the point of each curve at x
    std::optional<QRectF> cell;           ///< of a map, in axis units
    const Clock* clock = nullptr;         ///< the dial; lives as long as the panel
    std::map<AxisMeaning, double> marks;  ///< for FigureLink
    std::optional<QRectF> tile{};         ///< the map of a stack that the cell is of
    QList<ParameterChoice> choices;       ///< what a click sets; empty: nothing
    QList<ParameterChoice> ctrlChoices{},
        shiftChoices{};  ///< and with Ctrl, and with Shift, where they differ
    QString sentence;    ///< "pair 27 · wavelength 2 643 tokens"
};

/// Nothing outside the plot. Curves whose label is hidden are left out. Numbers have six significant digits,
/// rounded from the figure's values.
[[nodiscard]] std::optional<HoverReadout> hoverAt(const Panel& panel, const PlotMapping& mapping,
                                                  const QPointF& pixel, const QSet<QString>& hiddenLabels);

/// The neighbour of a readout one cell, map of a stack, dial, point or lane further along an axis (steps of
/// -1, 0 or 1 in axis direction); itself at the end.
[[nodiscard]] QPointF neighbour(const Panel& panel, const HoverReadout& from, int xStep, int yStep);

/// The points of the curves nearest to a linked x, for its mark.
[[nodiscard]] QList<HoverReadout::Dot> dotsAt(const Panel& panel, const PlotMapping& mapping, double x,
                                              const QSet<QString>& hiddenLabels);

}  // namespace phaseladder::ui
