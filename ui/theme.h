#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

class QApplication;
class QWidget;

namespace phaseladder::ui {

enum class ThemeKind { light, dark };

/// What the person chose: a theme, or the desktop's.
enum class ThemeChoice { system, light, dark };

/// What the person chose about animations: the desktop's wish, fewer, or all.
enum class MotionChoice { system, reduced, full };

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

/// The theme that a choice means. The desktop's is the one that it had when the program started: Qt 6.4 tells
/// no changes.
[[nodiscard]] ThemeKind themeOf(ThemeChoice choice);

enum class IconColor { text, muted, accent, warning };

/// Line-drawn icon of resources/icons by name, in a colour of the theme (accent when on, faint when
/// disabled). The colour is chosen while painting: icons follow a change of theme. An unknown name gives a
/// null icon.
[[nodiscard]] QIcon themedIcon(const QString& name, IconColor color = IconColor::text);

/// Loads the bundled fonts once and returns the family used for chrome and figures. Works without a display.
QString bundledFontFamily();

/// Applies the style sheet to a widget again, after a property that it looks at has changed.
void restyle(QWidget* widget);

/// Whether animations shall be left out: because the person chose so, or because the choice is left to the
/// system, which asks for it by its own setting or by PHASELADDER_REDUCED_MOTION=1.
[[nodiscard]] bool reducedMotion();
/// Our animations and those of Qt's menus and drop-downs follow at once.
void setMotion(MotionChoice choice);

}  // namespace phaseladder::ui
