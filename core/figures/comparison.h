#pragma once

#include <string_view>

#include "core/figures/figure.h"
#include "core/figures/figure_list.h"
#include "core/figures/setting_text.h"

namespace phaseladder {

/// Two figures of the same kind as one. Panels and readouts belong together by id, columns of the table by
/// name (the first column names the rows, with the second where it repeats itself), whatever the figure is:
///
///     live        B; A's lines, points and columns over it in its own roles; maps in colours that A shares
///     pinned      A; the axes and colours are those of `live`, so that going to and fro changes the data
///     difference  B - A: maps on a diverging map centred at 0, lines where both have a value, numbers of
///                 readouts, table and matrix; texts become "A → B". On a log axis log2(B / A).
///
/// Equal figures give exactly 0. What cannot be compared is said in a note, and its panel shows a sentence.
/// `names`: what A and B are, for lines that have no other name.
[[nodiscard]] Figure compareFigures(const Figure& pinned, Figure live, CompareMode mode,
                                    const ComparedSettings& names = {});

inline constexpr std::string_view comparedReadout = "compared";

/// Says what A and B are: in the title, and as the first readout, whose chip also says which of them is
/// shown.
void nameCompared(Figure& figure, const ComparedSettings& settings, CompareMode mode);

}  // namespace phaseladder
