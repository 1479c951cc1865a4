#pragma once

#include <QAction>
#include <QList>
#include <QPointer>
#include <QStringList>

#include "ui/dialogs/search_popup.h"

namespace phaseladder::ui {

/// The built-in models by family, the family's name above each group. `ids` gets the model of each row, empty
/// for a heading.
[[nodiscard]] QList<SearchEntry> modelEntries(QStringList& ids);

/// The commands that work now, with their menu and keys. `found` gets the command of each row.
[[nodiscard]] QList<SearchEntry> commandEntries(const QList<QAction*>& actions,
                                                QList<QPointer<QAction>>& found);

}  // namespace phaseladder::ui
