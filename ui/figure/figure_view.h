#pragma once

#include <QString>
#include <QStringList>

#include "core/figures/figure.h"
#include "core/result.h"

namespace phaseladder::ui {

/// Shows a part of one panel. `text` is PANEL=x0:x1,y0:y1: the panel's id, then numbers in the units of its
/// axes, x0 below x1 and y0 below y1, above 0 on a log axis. Error (usage): value seen, what it must be.
[[nodiscard]] Result<void> zoomPanel(Figure& figure, const QString& text);

/// Keeps the colours of one panel's map. `text` is PANEL=low:high, low below high, in the map's values.
[[nodiscard]] Result<void> keepColors(Figure& figure, const QString& text);

/// What has been done to the picture of a computed figure, as options of the command line: --zoom and
/// --color-range with the texts above.
[[nodiscard]] QStringList viewWords(const Figure& computed, const Figure& shown);

}  // namespace phaseladder::ui
