#pragma once

#include <QString>

#include "core/figures/figure.h"
#include "core/scene.h"
#include "ui/figure/figure_files.h"

namespace phaseladder::ui {

/// Puts the figure on the clipboard: for a picture format as a picture, as SVG and as PDF of the same page,
/// else as the text of that data format. Returns why not as one sentence, or an empty string.
QString copyToClipboard(const Figure& figure, const Scene& scene, ExportOptions options);

}  // namespace phaseladder::ui
