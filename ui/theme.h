#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

class QApplication;
class QWidget;

namespace phaseladder::ui {

enum class ThemeKind { light, dark };

/// Colours of the window's chrome, by the table of roles that the figures share.
struct ThemeColors {
    QColor window, panel, field;
    QColor border, grid;
    QColor text, mutedText;
    QColor accent, accentTint, accentText;
    QColor base, pinned;
    QColor trainedTint, beyondTint;
    QColor warning, warningTint, error, errorTint, good, goodTint;
    QColor neutralChip;
};

[[nodiscard]] const ThemeColors& themeColors(ThemeKind kind);

/// Fusion style, palette, style sheet and the bundled font; safe to call again to switch.
/// resources/icons/window.qss lists the dynamic properties (primary, card, chip, muted, link ...) that
/// widgets can set.
void applyTheme(QApplication& application, ThemeKind kind);
[[nodiscard]] ThemeKind currentTheme();

enum class IconColor { text, muted, accent };

/// Line-drawn icon of resources/icons by name, in a colour of the theme (accent when on, faint when
/// disabled). The colour is chosen while painting: icons follow a change of theme. An unknown name gives a
/// null icon.
[[nodiscard]] QIcon themedIcon(const QString& name, IconColor color = IconColor::text);

/// Loads the bundled fonts once and returns the family used for chrome and figures. Works without a display.
QString bundledFontFamily();

/// Applies the style sheet to a widget again, after a property that it looks at has changed.
void restyle(QWidget* widget);

/// Whether animations shall be left out: the system asks for reduced motion, or PHASELADDER_REDUCED_MOTION=1,
/// or the person has said so to setReducedMotion.
[[nodiscard]] bool reducedMotion();
void setReducedMotion(bool isReduced);

}  // namespace phaseladder::ui
