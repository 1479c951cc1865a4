#pragma once

#include <optional>

#include "core/parameter.h"
#include "ui/controls/edit_gesture.h"
#include "ui/controls/framed_row.h"

namespace phaseladder::ui {

class ChoiceBox;
class NumberField;
class Settings;
class ToggleSwitch;
class ValueSlider;

/// The row of one parameter: a value field (with a slider where the table has a range), a switch, a
/// drop-down, or a list field. Object names: field_ID, slider_ID, readout_ID and those of RowFrame.
class ParameterRow : public FramedRow {
    Q_OBJECT

public:
    ParameterRow(const Parameter& row, SceneEditor* editor, Settings* settings, QWidget* parent);

    void showScene(const Scene& scene, const Scene& preset) override;
    QWidget* fieldOf(const QString& parameterId) const override;

    void finishGesture() { m_steps.end(); }

Q_SIGNALS:
    void gestureStarted();  ///< of the steps by keys in the field
    void gestureEnded();

private:
    void buildNumber(Settings* settings);
    void buildSlider(Settings* settings);
    void buildAlpha();
    void showNumber(const Scene& scene, double value);
    QString applyAlpha(const QString& text);
    void step(int steps);

    EditGesture m_steps;
    NumberField* m_number = nullptr;
    NumberField* m_alpha = nullptr;
    ValueSlider* m_slider = nullptr;
    ToggleSwitch* m_toggle = nullptr;
    ChoiceBox* m_choice = nullptr;
    QLabel* m_hint = nullptr;  // "formula", where 0 stands for something
    QLabel* m_unit = nullptr;
    QLabel* m_readout = nullptr;  // what the value means, below the slider
    std::optional<ParameterValue> m_shown;
    double m_effective = 0.0;  // what a 0 stands for, else the value
};

}  // namespace phaseladder::ui
