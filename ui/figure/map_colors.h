#pragma once

#include <QList>

#include <cstdint>
#include <functional>
#include <vector>

#include "ui/figure/figure_style.h"

namespace phaseladder::ui {

/// How many colours a map has, on screen and on paper.
inline constexpr int colorLevelCount = 1024;

/// The number of a cell's colour, from 0, the lowest value; one more stands for a cell without a value.
using ColorLevel = std::uint16_t;
inline constexpr ColorLevel noColorLevel = colorLevelCount;

/// The colours of the levels, between those of colormapFor().
[[nodiscard]] QList<QRgb> levelColors(ColorMapKind kind, const FigureStyle& style);

/// The level of one value: linear in colorShare(), the ends for all beyond it.
[[nodiscard]] ColorLevel colorLevel(const Heatmap& map, double value);

/// The levels of all cells, in the map's own order, on all threads; a logarithm is taken to 1e-5 of an
/// octave, of numbers below 3e38. Returns for each row whether it has a cell without a value.
std::vector<std::uint8_t> setColorLevels(const Heatmap& map, std::vector<ColorLevel>& levels);

/// work(begin, end) on portions of rows 0 .. rows-1, on all threads where there is enough to do; also beside
/// the engine, which a picture drawn by one thread holds up longer.
void forRowPortions(int rows, std::int64_t numbersPerRow, const std::function<void(int, int)>& work);

}  // namespace phaseladder::ui
