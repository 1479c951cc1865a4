#pragma once

#include <QColor>
#include <QList>
#include <QPen>
#include <QString>

#include "core/figures/figure.h"
#include "core/result.h"

namespace phaseladder::ui {

enum class StyleKind { light, dark, print };

enum class MarkerShape { none, circle, square, diamond, triangle };

/// How a role is drawn: colour, line and marker, so that nothing is told apart by colour alone.
struct RoleStyle {
    QColor line;
    QColor tint;  ///< of bands and envelopes; opaque or with alpha, already fit for the background
    double widthPoints = 1.4;
    QList<qreal> dashes;  ///< in pen widths; empty: solid
    MarkerShape marker = MarkerShape::none;
};

/// The one source of colours, fonts and line styles for figures on screen and on paper.
struct FigureStyle {
    StyleKind kind = StyleKind::light;
    QColor background, plotBackground, axis, grid, text, mutedText, accent, warning, good;
    QColor hatch;  ///< lines of masked and undefined cells
    QString fontFamily;
    QString sequentialMap = QStringLiteral("viridis");
    double dataOpacity = 1.0;  ///< of maps, colour bars and curves over the plot's background; 1: on paper

    [[nodiscard]] RoleStyle role(Role role) const;
};

[[nodiscard]] FigureStyle figureStyle(StyleKind kind);

/// "light", "dark", "print", and the style of such a name; print for any other.
[[nodiscard]] QStringList styleNames();
[[nodiscard]] StyleKind styleKind(const QString& name);

/// Names of the published colour maps that are bundled: viridis, cividis, magma, batlow, vik, romaO.
[[nodiscard]] QStringList colormapNames();
/// Those of them for values from low to high: what the person can choose.
[[nodiscard]] QStringList sequentialMapNames();
[[nodiscard]] bool isColormap(const QString& name);

/// 256 opaque colours of a map; an unknown name gives viridis.
[[nodiscard]] const QList<QRgb>& colormap(const QString& name);

/// The map for a kind of data in a style: sequential by choice, diverging vik, cyclic romaO; opaque colours,
/// paler where the style's data is.
[[nodiscard]] QList<QRgb> colormapFor(ColorMapKind kind, const FigureStyle& style);

}  // namespace phaseladder::ui
