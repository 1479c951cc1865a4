#pragma once

#include "core/figures/figure.h"

namespace phaseladder {

/// Sets low and high of a map of attention weights: from 0 to a round number above the largest. In a large
/// map a few cells (the first rows under a causal mask) are far above all others and would leave the rest in
/// one colour: there the colours end above 99.5 % of the cells, and a note says so.
void setWeightRange(Figure& figure, Heatmap& map);

/// Sets low and high to what a person wants to keep for comparison; a note says so, and how many cells are
/// outside. The range of a diverging map stays symmetric around 0.
void setKeptRange(Figure& figure, Heatmap& map, double low, double high);

/// Sets low and high of a map to a range that it shares with another one; the note of setWeightRange is made
/// true again.
void setSharedRange(Figure& figure, Heatmap& map, double low, double high);

/// Sets low and high of a map of differences: symmetric around 0, to a round number above the largest. A
/// large map is clipped as setWeightRange does it. Without any difference from -1 to 1.
void setDifferenceRange(Figure& figure, Heatmap& map);

/// Digits after the point with which the numbers in a map's cells are written: 2 for ranges from 0.1 to 10,
/// more below, fewer above.
[[nodiscard]] int writtenDigits(const Heatmap& map);

/// Sets low and high to the smallest and the largest value that is shown.
void setValueRange(Heatmap& map);

/// Makes a map diverging, with the same reach on both sides of 0: that of the largest value shown.
void setDivergingRange(Heatmap& map);

}  // namespace phaseladder
