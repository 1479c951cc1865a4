#pragma once

#include <QPointF>
#include <QString>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/figures/figure.h"
#include "ui/figure/plot_mapping.h"

class QPainter;

namespace phaseladder::ui {

struct FigureStyle;

/// What can be taken hold of in a plot and moved, by the pointer or the keys, to set a parameter.
using Grip = std::variant<Rule, Handle>;

/// A handle's new place, in axis units.
struct HandlePlace {
    Handle handle;
    double x = 0.0, y = 0.0;
};

/// What moving a grip asks for: the value that a rule stands at, or places of handles one after the other
/// (several where a drag draws over a list).
struct GripMove {
    std::string parameterId;
    std::variant<double, std::vector<HandlePlace>> to;
};

/// The rules and handles of a panel that set a parameter, in order.
[[nodiscard]] std::vector<Grip> gripsOf(const Panel& panel);

/// Handles that draw a list together: a list entry of the same parameter and role each.
[[nodiscard]] bool drawTogether(const Grip& one, const Grip& other);

/// The grip under a point of the plot: a handle near it, else a rule.
[[nodiscard]] std::optional<std::size_t> gripAt(const std::vector<Grip>& grips, const PlotMapping& mapping,
                                                const QPointF& pixel);

/// Moves a held grip to a point, which is brought into the plot first. Of handles that draw together the one
/// nearest to the point along x is held from then on; those between it and the one that was held before come
/// onto the line between the two. `grips` and `held` are changed to what is drawn then.
[[nodiscard]] GripMove moveGrip(std::vector<Grip>& grips, std::size_t& held, const PlotMapping& mapping,
                                const QPointF& pixel);

/// Moves a held grip by shares of the shown axes, as arrow keys do.
[[nodiscard]] GripMove nudgeGrip(std::vector<Grip>& grips, std::size_t held, const PlotMapping& mapping,
                                 double xShare, double yShare);

/// The next of the handles that draw together with a held one, to the right or to the left; itself at the
/// end.
[[nodiscard]] std::size_t neighbourGrip(const std::vector<Grip>& grips, std::size_t held, int step);

[[nodiscard]] QString gripLabel(const Grip& grip);
/// The label and the value as the axes say it: "query of dog, pair 3 = (0.6, 0.8)".
[[nodiscard]] QString gripSentence(const Grip& grip, const Panel& panel);
/// Where it is drawn: around a handle, along a rule. Null outside the plot.
[[nodiscard]] QRectF gripRect(const Grip& grip, const PlotMapping& mapping);

/// Handles as dots with a rim; the hovered one is larger, the held one has a ring, and a held rule is marked.
void paintGrips(QPainter& painter, const std::vector<Grip>& grips, const PlotMapping& mapping,
                const FigureStyle& style, std::optional<std::size_t> hovered,
                std::optional<std::size_t> held);

}  // namespace phaseladder::ui
