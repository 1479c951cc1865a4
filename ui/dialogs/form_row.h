#pragma once

#include <QHBoxLayout>
#include <QLabel>
#include <QList>
#include <QVBoxLayout>
#include <QWidget>

namespace phaseladder::ui {

/// Width of the column of labels in a form of rows.
inline constexpr int formLabelWidth = 78;

/// One line of a form: a label in a column of its own, then the controls.
inline QHBoxLayout* addFormRow(QVBoxLayout* form, const QString& label, const QList<QWidget*>& controls) {
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    auto* name = new QLabel(label);
    name->setFixedWidth(formLabelWidth);
    row->addWidget(name);
    for (QWidget* control : controls) {
        row->addWidget(control);
    }
    row->addStretch();
    form->addLayout(row);
    return row;
}

/// Enables a control, or disables it with the reason as its tool tip and for screen readers.
inline void allowControl(QWidget* control, bool isAllowed, const QString& reason) {
    control->setEnabled(isAllowed);
    control->setToolTip(isAllowed ? QString() : reason);
    control->setAccessibleDescription(isAllowed ? QString() : reason);
}

}  // namespace phaseladder::ui
