#pragma once

#include <QColor>
#include <QList>
#include <QRectF>
#include <QString>

#include <cstdint>

#include "ui/figure/axis_ticks.h"
#include "ui/figure/hatch_lines.h"
#include "ui/figure/plot_mapping.h"

namespace phaseladder::ui {

// What is the same of a map's cells and its colour bar on screen and on paper.

/// Where a cell lies, whole or not in view.
[[nodiscard]] QRectF cellRect(const Heatmap& map, const PlotMapping& mapping, std::int64_t row,
                              std::int64_t column);

/// The strokes of a cell without a value: up for masked, down for a row without keys, crossed for undefined,
/// flat for aliased; none where the value is shown.
[[nodiscard]] QList<HatchDirection> hatchDirections(CellState state);

/// In a narrow cell the zero before the point is left out.
enum class CellRoom { wide, narrow };

/// A value as it is written in a cell, in all cells of a map the same way: "0.25", "−1.50", "2.1e−5" where
/// all are small, "3e−5" in log colours, and a bare 0 for no difference at all.
[[nodiscard]] QString cellText(const Heatmap& map, double value, CellRoom room = CellRoom::wide);

/// The colour of a number on a cell of this colour: dark or white, whichever has more contrast.
[[nodiscard]] QColor inkOn(QRgb ground);

/// The labelled ticks of a map's colour bar, about so many.
[[nodiscard]] QList<Tick> barTicks(const Heatmap& map, int wanted);

}  // namespace phaseladder::ui
