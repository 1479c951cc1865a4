#pragma once

#include "core/parameter.h"
#include "ui/controls/panel_row.h"

class QLabel;

namespace phaseladder::ui {

class RowFrame;
class SceneEditor;

/// A row of one parameter in a RowFrame: what the rows of numbers, texts, lists and tokens share. Object
/// names: field_ID and those of RowFrame.
class FramedRow : public PanelRow {
    Q_OBJECT

public:
    QStringList parameterIds() const override { return {m_id}; }
    bool applies(const Scene& scene) const override { return m_row.applies(scene); }
    void showNotes(const QStringList& sentences, bool isWarning) override;

protected:
    FramedRow(const Parameter& row, SceneEditor* editor, QWidget* parent);

    /// Names and explains the control that the row's label stands for.
    void setField(QWidget* field);
    /// A step of its own; the refusal, if any, is shown.
    void apply(const ParameterValue& value);
    /// Reads a text as parseValue does and applies it; returns the refusal.
    QString applyText(const QString& text);

    [[nodiscard]] const Parameter& row() const { return m_row; }
    [[nodiscard]] const QString& id() const { return m_id; }
    [[nodiscard]] SceneEditor* editor() const { return m_editor; }
    [[nodiscard]] RowFrame* frame() const { return m_frame; }

private:
    const Parameter& m_row;
    QString m_id;
    QString m_explanation;
    SceneEditor* m_editor;
    RowFrame* m_frame;
};

/// Sets the text when it is another one: rows are shown often.
void setTextIfNew(QLabel* label, const QString& text);

}  // namespace phaseladder::ui
