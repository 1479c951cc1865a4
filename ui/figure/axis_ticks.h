#pragma once

#include <QList>
#include <QString>

#include "core/figures/figure.h"

namespace phaseladder::ui {

/// A tick and its label in two parts: "10" with superscript "4", or "8,192" with none. Minor ticks have no
/// label.
struct Tick {
    double value = 0.0;
    QString label;
    QString superscript;
    bool minor = false;
};

/// Ticks for an axis shown from minimum to maximum with room for about `wanted` labels. Log axes always have
/// at least two labelled ticks at any zoom (2, 5, or plain numbers inside one decade); whole-number axes tick
/// at whole numbers only; labelled axes (tokens) give every label, thinned when there is no room.
[[nodiscard]] QList<Tick> axisTicks(const Axis& axis, double minimum, double maximum, int wanted);

/// A length or count with commas for thousands: "65,536".
[[nodiscard]] QString groupedNumber(double value);

/// Position along an axis from 0 to 1 (log10 where the axis is), not clamped, and back.
[[nodiscard]] double axisFraction(const Axis& axis, double minimum, double maximum, double value);
[[nodiscard]] double axisValue(const Axis& axis, double minimum, double maximum, double fraction);

}  // namespace phaseladder::ui
