#pragma once

#include "core/figures/figure.h"
#include "core/parameter.h"

namespace phaseladder {

/// The list that the handle's parameter becomes when the handle is dragged to (x, y), in axis units. The row
/// must hold a list of numbers.
[[nodiscard]] std::vector<double> handleValue(const Scene& scene, const Handle& handle, double x, double y);

}  // namespace phaseladder
