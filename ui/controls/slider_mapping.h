#pragma once

#include <QString>
#include <Qt>

#include <optional>
#include <vector>

#include "core/parameter.h"

namespace phaseladder::ui {

/// How a slider's way (a fraction 0 .. 1 from its low end) maps to a value. Plain arithmetic, no widget.
struct SliderMapping {
    SliderScale scale = SliderScale::linear;  ///< `none` is read as linear
    double minimum = 0.0;                     ///< above 0 on a log scale
    double maximum = 1.0;                     ///< above minimum
    std::vector<double> ticks;                ///< labelled values, ascending
    int wholeStep = 0;                        ///< 1: whole numbers, 2: even ones, 0: any number
    double step = 0.0;                        ///< what an arrow key moves by; 0: a twentieth of the way

    /// The slider range, ticks and kind of a row of the parameter table.
    [[nodiscard]] static SliderMapping of(const Parameter& row);

    /// Nearest place of a value, cut to 0 .. 1.
    [[nodiscard]] double fraction(double value) const;
    /// The exact value at a fraction, cut to the range.
    [[nodiscard]] double value(double fraction) const;
    /// A value as a drag or a key sets it: whole, or with the few digits that a slider's place can mean; the
    /// limits stay exact.
    [[nodiscard]] double tidied(double value) const;
    /// The labelled value whose place is nearest; the value itself when there are no ticks.
    [[nodiscard]] double nearestTick(double value) const;
    /// The same mapping with the range widened to hold a value (a typed value outside the slider range).
    [[nodiscard]] SliderMapping widenedTo(double value) const;
    /// The value a share of the whole way further (negative: back); whole numbers move by at least one step.
    /// A step of one's own stands for the twentieth, so half of the share moves half a step.
    [[nodiscard]] double stepped(double value, double share) const;
    /// The share that a notch of the wheel or an arrow key in the field moves: 1/100, or the step of one's
    /// own.
    [[nodiscard]] double notchShare() const;

    friend bool operator==(const SliderMapping&, const SliderMapping&) = default;
};

/// Where a key takes a slider: arrows 1/20 of the range (or the mapping's step), with Shift a fifth of that,
/// Page twice that, Home and End the limits. Nothing for other keys. Left and Right are swapped in a
/// right-to-left layout.
[[nodiscard]] std::optional<double> keyTarget(const SliderMapping& mapping, double value, int key,
                                              Qt::KeyboardModifiers modifiers, Qt::LayoutDirection direction);

/// Short label of a tick: "1e6" on a decade scale, "8k" and "1M" for powers of 1024, "¼", else the number.
[[nodiscard]] QString tickLabel(double value, SliderScale scale);

}  // namespace phaseladder::ui
