#pragma once

#include <QString>

#include "core/figures/figure.h"
#include "core/scene.h"

namespace phaseladder::ui {

/// Puts the figure's numbers on the clipboard, as text and as text/csv.
void copyFigureValues(const Figure& figure);

/// Puts the figure on the clipboard as a picture, as SVG and as PDF, in the print style at the default page.
/// Returns why not as one sentence, or an empty string.
QString copyFigurePicture(const Figure& figure, const Scene& scene, const QString& colormapName);

}  // namespace phaseladder::ui
