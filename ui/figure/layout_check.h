#pragma once

#include <QStringList>

#include "ui/figure/figure_layout.h"

namespace phaseladder::ui {

/// Text below this size is a problem (Nature asks for 5 to 7 points).
inline constexpr double leastReadablePoints = 5.0;

/// Looks at a laid-out page as a reader would. `crowdedLabels` found no place off the lines.
[[nodiscard]] PageCheck checkLayout(const LaidOutFigure& page, int crowdedLabels);

/// One short sentence for each problem with the places of labels and plots; empty when nothing is wrong.
[[nodiscard]] QStringList labelProblems(const PageCheck& check);

}  // namespace phaseladder::ui
