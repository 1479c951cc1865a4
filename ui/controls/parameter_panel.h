#pragma once

#include <QWidget>

#include <memory>

namespace phaseladder::ui {

class SceneDocument;
class Settings;

/// The column of controls, generated from the parameter table: encoding and scaling as segmented switches,
/// one row a parameter (label, reset, value field, slider with ticks), the YaRN ramp as one two-thumb row;
/// only rows that apply in the scene, those of rare use folded under "More".
class ParameterPanel : public QWidget {
    Q_OBJECT

public:
    /// The settings keep what is changed of the sliders and which groups are unfolded.
    ParameterPanel(SceneDocument* document, Settings* settings, QWidget* parent = nullptr);
    ~ParameterPanel() override;

    /// Moves keyboard focus into a parameter's field (Ctrl+L: rope.theta). False when it has no row now.
    bool focusField(const QString& parameterId);
    /// The parameter whose control has or had focus last; empty for none.
    [[nodiscard]] QString currentParameter() const;

Q_SIGNALS:
    /// A refusal of a typed value, also shown at the field.
    void refused(const QString& sentence);
    void said(const QString& sentence);  ///< a confirmation

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace phaseladder::ui
