#pragma once

#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/figures/setting_text.h"

namespace phaseladder {

/// A panel of two figures in one, and what has to be said of it.
struct ComparedPanel {
    Panel panel;
    std::vector<std::string> notes;
};

/// B's panel with A's lines, points, columns, hands and rules over it, each in the role of its counterpart as
/// A draws it (`pinnedRole`); labels begin with "A: " and "B: ", or with "A = B: " where both are the same.
/// What has no label is called what `names` says of its side, or by its axis. The axes reach as far as those
/// of both. A panel with a map, or with axes that mean something else in A, is B's as it is.
[[nodiscard]] ComparedPanel overlayPanels(const Panel& pinned, const Panel& live,
                                          const ComparedSettings& names);

/// The setting itself is orange in A, as are two of the categories: where it is shown, those take colours
/// that are free in all panels.
void avoidPinnedColor(std::vector<Panel>& panels);

/// What B's panel differs by from A's: maps cell by cell where both have cells, lines, points and columns
/// where both have a value, dials as the sector between their hands. Where nothing can be compared, a
/// sentence that says why.
[[nodiscard]] ComparedPanel subtractPanels(const Panel& pinned, const Panel& live);

}  // namespace phaseladder
