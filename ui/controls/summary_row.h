#pragma once

#include "ui/controls/framed_row.h"

class QLabel;
class QToolButton;

namespace phaseladder::ui {

/// The row of a list that is drawn in a figure: a few words about what is there, and ⟲. Where what was opened
/// holds numbers, so that ⟲ goes back to those, a button empties the list. Object names: field_ID (the
/// words), clear_ID.
class SummaryRow : public FramedRow {
    Q_OBJECT

public:
    SummaryRow(const Parameter& row, SceneEditor* editor, QWidget* parent);

    void showScene(const Scene& scene, const Scene& preset) override;
    QWidget* fieldOf(const QString& parameterId) const override;

private:
    QLabel* m_words;
    QToolButton* m_clear;
};

}  // namespace phaseladder::ui
