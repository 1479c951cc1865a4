#pragma once

#include <string>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder {

/// A panel of two figures in one, and what has to be said of it.
struct ComparedPanel {
    Panel panel;
    std::vector<std::string> notes;
};

/// B's panel with A's lines, points, columns, hands and rules over it in Role::pinned; labels begin with "A:
/// " and "B: ", or with "A = B: " where both are the same. The axes reach as far as those of both. A panel
/// with a map, or with axes that mean something else in A, is B's as it is.
[[nodiscard]] ComparedPanel overlayPanels(const Panel& pinned, const Panel& live);

/// What B's panel differs by from A's: maps cell by cell, lines, points and columns at the same x, dials as
/// the sector between their hands. Where nothing can be compared, B's axes with a sentence that says why.
[[nodiscard]] ComparedPanel subtractPanels(const Panel& pinned, const Panel& live);

}  // namespace phaseladder
