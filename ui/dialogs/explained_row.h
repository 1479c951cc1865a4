#pragma once

#include <QGridLayout>
#include <QLabel>
#include <QString>
#include <QWidget>

namespace phaseladder::ui {

/// The grid of a page of settings.
inline QGridLayout* makeSettingsGrid(QWidget* page) {
    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(20, 20, 20, 20);
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    return grid;
}

/// A name, its control and a line of explanation below. A control that grows takes the whole column.
inline void addExplainedRow(QGridLayout* grid, const QString& name, QWidget* control,
                            const QString& explanation, Qt::Alignment alignment = Qt::AlignLeft) {
    const int row = grid->count() == 0 ? 0 : grid->rowCount();
    auto* label = new QLabel(name);
    label->setBuddy(control);
    grid->addWidget(label, row, 0, Qt::AlignLeft | Qt::AlignVCenter);
    grid->addWidget(control, row, 1, alignment | Qt::AlignVCenter);
    auto* help = new QLabel(explanation);
    help->setProperty("muted", true);
    help->setWordWrap(true);
    grid->addWidget(help, row + 1, 1);
    grid->setRowMinimumHeight(row + 2, 12);
    control->setAccessibleDescription(explanation);
    control->setWhatsThis(explanation);
}

}  // namespace phaseladder::ui
