#pragma once

#include <string_view>

#include "core/figures/figure.h"
#include "core/figures/figure_list.h"
#include "core/scene.h"

namespace phaseladder {

/// Two figures of the same kind as one. Panels and readouts belong together by id, columns of the table by
/// name (the first column names the rows), whatever the figure is:
///
///     live        B; A's lines, points and columns over it in Role::pinned; maps in colours that A shares
///     pinned      A; the axes and colours are those of `live`, so that going to and fro changes the data
///     only difference  B - A: maps on a diverging map centred at 0, lines at the same x, numbers of
///     readouts,
///                 table and matrix; texts become "A → B". On a log axis log2(B / A).
///
/// Equal figures give exactly 0. What cannot be compared is said in a note, and its panel shows a sentence.
[[nodiscard]] Figure compareFigures(const Figure& pinned, Figure live, CompareMode mode);

inline constexpr std::string_view comparedReadout = "compared";

/// Says what A and B are: in the title, and as the first readout, whose chip also says which of them is
/// shown.
void nameCompared(Figure& figure, const Scene& pinned, const Scene& live, CompareMode mode);

}  // namespace phaseladder
