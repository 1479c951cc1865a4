#pragma once

#include <QSet>
#include <QString>

#include <memory>

#include "ui/figure/figure_style.h"
#include "ui/figure/plot_mapping.h"

class QPainter;

namespace phaseladder::ui {

/// Draws the curves, envelopes and points of a panel by Qt Charts into the plot rectangle of a PanelView. The
/// chart has no axes, legend or margins of its own: a log axis is a linear one of logarithms (QLogValueAxis
/// drops whole series and has ranges without a tick). Series are kept while the panel's structure is the
/// same; an update only replaces their points.
class ChartView {
public:
    ChartView();
    ~ChartView();

    /// Whether a panel holds something for a chart.
    [[nodiscard]] static bool isNeeded(const Panel& panel);

    void paint(QPainter& painter, const Panel& panel, const PlotMapping& mapping, const FigureStyle& style,
               const QSet<QString>& hiddenLabels);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace phaseladder::ui
