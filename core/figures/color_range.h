#pragma once

#include <cstdint>
#include <optional>

#include "core/figures/figure.h"

namespace phaseladder {

/// How the colours of a map of attention are found. leftOutColumn: the column of cells that does not count
/// for the range, that of the first key; none: all count.
struct ColorWishes {
    AxisScale scale = AxisScale::linear;
    double floor = 1e-6;  ///< where log colours begin
    std::optional<std::int64_t> leftOutColumn{};
};

/// Where a value lies on the colour bar: 0 at low, 1 at high, linear in the value, or in its logarithm.
/// Beyond them below 0 and above 1; of no number NaN, and in log colours −infinity of all that is not above
/// 0.
[[nodiscard]] double colorShare(const Heatmap& map, double value);

/// Sets scale, low and high of a map of attention weights. Linear: from 0 to a round number above the
/// largest. In a large map a few cells (the first rows under a causal mask) are far above all others and
/// would leave the rest in one colour: there the colours end above 99.5 % of the cells. Log: from the floor
/// to a round number above the largest. Notes say how many cells are above, how many below the floor, and
/// that a column is left out. The values stay as they are.
void setWeightRange(Figure& figure, Heatmap& map, const ColorWishes& wishes = {});

/// Sets low and high of a map of logits to the smallest and the largest value that is shown and counts.
void setLogitRange(Figure& figure, Heatmap& map, const ColorWishes& wishes = {});

/// Sets low and high to what a person wants to keep for comparison; a note says so, and how many cells are
/// outside. The range of a diverging map stays symmetric around 0, that of log colours must begin above 0.
void setKeptRange(Figure& figure, Heatmap& map, double low, double high);

/// Sets low and high of a map to a range that it shares with another one of the same scale; the notes of
/// setWeightRange are made true again.
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
