#pragma once

#include <QString>
#include <QStringList>

namespace phaseladder::ui {

/// A word for a POSIX shell, in quotes where it needs them.
[[nodiscard]] QString shellWord(const QString& text);

/// Words as one line for a POSIX shell.
[[nodiscard]] QString shellCommand(const QStringList& words);

/// The words of a `figure` command with files by their names alone: what a figure keeps about its making,
/// which is no place for the names of a person's folders.
[[nodiscard]] QStringList withoutFolders(QStringList words);

}  // namespace phaseladder::ui
