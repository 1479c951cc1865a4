#pragma once

#include <QString>

class QWidget;

namespace phaseladder::ui {

/// A widget that assistive tools read and set as a value. ValueSlider and the thumbs of RangeSlider are.
class AdjustableValue {
public:
    virtual ~AdjustableValue() = default;
    [[nodiscard]] virtual double adjustableValue() const = 0;
    [[nodiscard]] virtual double adjustableMinimum() const = 0;
    [[nodiscard]] virtual double adjustableMaximum() const = 0;
    /// "500 000 tokens"
    [[nodiscard]] virtual QString adjustableText() const = 0;
    virtual void adjustTo(double value) = 0;
};

/// Makes widgets that are AdjustableValue known to assistive tools as sliders. Safe to call again.
void installAccessibleSliders();

/// Tells assistive tools that the value of such a widget changed.
void announceValue(QWidget* slider, double value);

}  // namespace phaseladder::ui
