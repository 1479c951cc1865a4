#pragma once

#include <string>

#include "core/figures/panel_comparison.h"

namespace phaseladder {

// The parts of subtractPanels.

/// Keeps what stays as B has it where values are subtracted: on a map all of it, else what is about x; and
/// where A has nothing.
void keepSurroundings(Panel& panel, const Panel& pinned, const Panel& live, bool isMap);

/// The sentence "Not compared: `reason`." in place of the panel.
[[nodiscard]] ComparedPanel notCompared(const Panel& live, const std::string& reason);

/// Panels of lines, points, columns, dials or texts.
[[nodiscard]] ComparedPanel subtractSeries(const Panel& pinned, const Panel& live);

/// Panels whose x and y are coordinates: paths of as many points, from A's point to B's, as seen from 0.
[[nodiscard]] ComparedPanel subtractPlanes(const Panel& pinned, const Panel& live);

}  // namespace phaseladder
