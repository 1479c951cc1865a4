#pragma once

#include <QFont>
#include <QString>

namespace phaseladder::ui {

/// Width of one line of text, in the pixels of the font. Remembered: figures measure the same labels at every
/// tick of a slider, and shaping them is the slowest part of a layout.
[[nodiscard]] double textAdvance(const QFont& font, const QString& text);

}  // namespace phaseladder::ui
