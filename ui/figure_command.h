#pragma once

#include <QString>

namespace phaseladder::ui {

class SceneDocument;

/// The start of the command line that draws a figure of this document: with the scene's file where it is
/// saved as it is, else with every setting that differs from the start-up scene.
[[nodiscard]] QString figureCommand(const SceneDocument& document, const QString& figureId);

}  // namespace phaseladder::ui
