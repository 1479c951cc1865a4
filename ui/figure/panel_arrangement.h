#pragma once

#include <QSizeF>

#include <span>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder::ui {

/// Panels side by side, in the same room for screen and paper.
struct ArrangedRow {
    std::vector<std::size_t> panels;  ///< indices into the figure's panels
    std::vector<double> widths;       ///< one a panel, together the room's width
    double height = 0.0;      ///< with titles, labels and legends as far as they can be told beforehand
    double plotHeight = 0.0;  ///< of the plots alone
    bool isFixed = false;     ///< lines of words, which need no more than plotHeight
};

/// Whether the lower of two rows repeats the x axis of the upper one, which then needs no labels.
[[nodiscard]] bool repeatsX(std::span<const Panel> panels, const ArrangedRow& upper,
                            const ArrangedRow& lower);

/// How panels share a room, and how large the plot that suffers most is: 1 where it is comfortable to read,
/// 0.5 where its width or its height is half of that.
struct Arrangement {
    std::vector<ArrangedRow> rows;
    double comfort = 0.0;
};

/// Shares a room among the panels of a figure, in their order: below each other, or side by side where that
/// leaves more of them to be read (square maps in a wide room). `textSize` is that of the tick labels, in the
/// units of the room. The y axis of a panel that holds words only counts lines: it gets the height of so
/// many.
///
///     +---------------+     +-------+-------+     +---------------+
///     |               |     |       |       |     |               |
///     +---------------+     |       |       |     +-------+-------+
///     |               |     |       |       |     |       |       |
///     +---------------+     +-------+-------+     +-------+-------+
[[nodiscard]] Arrangement arrangePanels(std::span<const Panel> panels, const QSizeF& room, double textSize);

/// The same, but where the room is too small for all of them to be read some are left out, words first, then
/// the last ones; a note of this height has to say so.
[[nodiscard]] Arrangement arrangeReadablePanels(std::span<const Panel> panels, const QSizeF& room,
                                                double textSize, double noteHeight);

/// The height at which the panels have their own shape in a room of this width.
[[nodiscard]] double naturalHeight(std::span<const Panel> panels, double width, double textSize);

}  // namespace phaseladder::ui
