#pragma once

#include <QString>

#include <cstdint>
#include <string>

#include "core/figures/figure.h"

namespace phaseladder::ui {

// The words of readouts and tables. Numbers have six significant digits, rounded from the figure's values.

/// "wavelength (tokens)" is a name and a unit.
struct AxisName {
    QString name;
    QString unit;
};

/// The name and the unit of "wavelength (tokens)"; a title without brackets at its end has no unit.
[[nodiscard]] AxisName splitTitle(const std::string& title);
/// "pair", "query"; an axis of no special meaning has the name of its title.
[[nodiscard]] AxisName nameOf(const Axis& axis);
/// A number as readouts show it, with six significant digits.
[[nodiscard]] QString shownNumber(double value);
/// "0.2 to 0.5": the lowest and the highest of what a band covers.
[[nodiscard]] QString spanText(double low, double high);
/// "17 tokens"; the text alone where there is no unit.
[[nodiscard]] QString withUnit(const QString& text, const QString& unit);
/// "17", or the label at 17.
[[nodiscard]] QString axisValueText(const Axis& axis, double value);
/// "wavelength 2 643 tokens", "query dog".
[[nodiscard]] QString axisText(const Axis& axis, double value);
/// What a dial stands for: its label, or "pair 17" where the label is a bare number or empty.
[[nodiscard]] QString clockName(const Clock& clock);
/// "1.5708 rad (90°)".
[[nodiscard]] QString handText(const ClockHand& hand);
/// The values that a cell of a map covers along an axis: one, or several where the map was pooled.
[[nodiscard]] QString cellSpanText(const Axis& axis, double start, double step);
/// "0.5", or why there is no value.
[[nodiscard]] QString cellNumberText(const Heatmap& map, std::int64_t row, std::int64_t column);
/// "weight 0.5", or why there is no value.
[[nodiscard]] QString cellValueText(const Heatmap& map, std::int64_t row, std::int64_t column);

}  // namespace phaseladder::ui
