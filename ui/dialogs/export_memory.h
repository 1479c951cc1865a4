#pragma once

#include <QString>

#include "ui/dialogs/export_choices.h"

namespace phaseladder::ui {

class Settings;

/// How a project's figures were exported last, else how any figure was. `project` is the path of the scene's
/// file, empty for a scene that has none.
[[nodiscard]] ExportChoices rememberedChoices(const Settings& settings, const QString& project);

/// Keeps the choices for the project (the last twenty of them) and for figures of new ones.
void rememberChoices(Settings& settings, const QString& project, const ExportChoices& choices);

}  // namespace phaseladder::ui
