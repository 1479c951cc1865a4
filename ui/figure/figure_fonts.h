#pragma once

#include <QFont>
#include <QStringList>

namespace phaseladder::ui {

/// Families that figures can be written in, the bundled one first: then the installed ones of a list known
/// from papers, if they can be embedded as TrueType, have a heavier cut of their own and hold every sign that
/// figures use. Needs an application.
[[nodiscard]] const QStringList& figureFonts();

/// The weight of titles: medium where the family has that cut, else bold.
[[nodiscard]] QFont::Weight strongWeight(const QString& family);

/// What a viewer takes when the family is missing: "serif" or "sans-serif".
[[nodiscard]] QString genericFamily(const QString& family);

/// Whether the font has a glyph for every character, so that no other font stands in.
[[nodiscard]] bool hasGlyphs(const QFont& font, const QString& text);

}  // namespace phaseladder::ui
