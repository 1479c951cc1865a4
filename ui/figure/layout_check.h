#pragma once

#include <QStringList>

#include "ui/figure/figure_layout.h"

namespace phaseladder::ui {

/// What a reader would complain about in a laid-out figure, one short sentence each; empty when nothing is
/// wrong: labels that touch each other or leave the page, text below 6 points, plots without room.
/// `crowdedLabels` found no place off the lines.
[[nodiscard]] QStringList layoutProblems(const LaidOutFigure& page, int crowdedLabels);

}  // namespace phaseladder::ui
