#pragma once

#include <string_view>

#include "core/figures/figure.h"

namespace phaseladder {

// Names of what a figure is made of, as written to JSON and to the canonical dump.
[[nodiscard]] std::string_view nameOf(AxisMeaning meaning);
[[nodiscard]] std::string_view nameOf(AxisScale scale);
[[nodiscard]] std::string_view nameOf(Role role);
[[nodiscard]] std::string_view nameOf(Orientation orientation);
[[nodiscard]] std::string_view nameOf(ColorMapKind kind);
[[nodiscard]] std::string_view nameOf(CellState state);
[[nodiscard]] std::string_view nameOf(Tone tone);

}  // namespace phaseladder
