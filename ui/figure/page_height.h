#pragma once

#include "core/figures/figure.h"

namespace phaseladder::ui {

/// Height of a page that suits a figure when none was asked for, in points: the golden ratio for one panel,
/// more for a stack, and nearly square for a map with square cells.
[[nodiscard]] double defaultHeightPoints(const Figure& figure, double widthPoints);

}  // namespace phaseladder::ui
