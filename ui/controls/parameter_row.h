#pragma once

#include <optional>

#include "core/parameter.h"
#include "ui/controls/edit_gesture.h"
#include "ui/controls/panel_row.h"

class QLabel;

namespace phaseladder::ui {

class ChoiceBox;
class NumberField;
class RowFrame;
class SceneEditor;
class Settings;
class ToggleSwitch;
class ValueSlider;

/// The row of one parameter: a value field (with a slider where the table has a range), a switch, a
/// drop-down, or a list field. Object names: field_ID, slider_ID, label_ID, reset_ID, readout_ID.
class ParameterRow : public PanelRow {
    Q_OBJECT

public:
    ParameterRow(const Parameter& row, SceneEditor* editor, Settings* settings, QWidget* parent);

    QStringList parameterIds() const override { return {m_id}; }
    bool applies(const Scene& scene) const override { return m_row.applies(scene); }
    void showScene(const Scene& scene, const Scene& preset) override;
    void showNotes(const QStringList& sentences, bool isWarning) override;
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
    QString applyText(const QString& text);
    QString applyAlpha(const QString& text);
    void step(int steps);

    const Parameter& m_row;
    QString m_id;
    SceneEditor* m_editor;
    RowFrame* m_frame;
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
