#pragma once

#include <QList>
#include <QSet>
#include <QString>

#include <string>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder::ui {

/// The panel's map, or null.
[[nodiscard]] const Heatmap* mapOf(const Panel& panel);

/// A curve, the points, columns, or an envelope.
struct Samples {
    const std::string* label;
    Role role;
    const std::vector<double>* x;
    const std::vector<double>* y;
    const std::vector<double>* high;  // of an envelope, else null
    double offset = 0.0;              // of columns: how far right of x they stand
};

/// What a panel draws along x, in order; curves whose label is hidden are left out. Points into the panel.
[[nodiscard]] QList<Samples> samplesOf(const Panel& panel, const QSet<QString>& hiddenLabels);

/// A sample's value: in lanes (names along y) the height above the lane's middle, in the curve's own unit.
[[nodiscard]] double sampleValue(const Axis& y, double drawn);

}  // namespace phaseladder::ui
