#include "ui/figure/figure_style.h"

#include <QFile>
#include <QHash>
#include <QStringList>

#include <cmath>

#include "ui/resources.h"
#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

QColor hex(QRgb rgb) {
    return QColor::fromRgb(rgb);
}

QColor withAlpha(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

/// A share of one colour over another.
QRgb mixed(QRgb over, QRgb under, double share) {
    const auto mix = [share](int top, int bottom) {
        return static_cast<int>(std::lround(share * top + (1.0 - share) * bottom));
    };
    return qRgb(mix(qRed(over), qRed(under)), mix(qGreen(over), qGreen(under)),
                mix(qBlue(over), qBlue(under)));
}

/// How the categories differ besides their colour, and how the same category of what is compared with differs
/// from it: dotted, with another marker.
struct CategoryLine {
    QRgb light;  ///< at least 3:1 on white
    QRgb dark;   ///< at least 3:1 on the dark panel
    QList<qreal> dashes;
    MarkerShape marker;
    QList<qreal> pinnedDashes;
    MarkerShape pinnedMarker;
};

/// The Okabe–Ito palette (Wong, Nature Methods 8, 441, 2011). Its orange is too light for lines on white and
/// is a darker shade there; its black is the text colour there, its yellow is used on dark only.
const CategoryLine& categoryLine(int index) {
    static const QList<CategoryLine> lines{
        {0x0072B2, 0x56B4E9, {10.0, 1.5, 2.5, 1.5}, MarkerShape::circle, {1.0, 1.4}, MarkerShape::square},
        {0xD55E00, 0xD55E00, {4.5, 2.0}, MarkerShape::square, {1.0, 2.6}, MarkerShape::triangle},
        {0x009E73, 0x009E73, {5.5, 1.8, 1.2, 1.8}, MarkerShape::diamond, {1.4, 1.8}, MarkerShape::circle},
        {0xCC79A7, 0xCC79A7, {1.2, 1.6}, MarkerShape::triangle, {1.0, 3.4}, MarkerShape::diamond},
        {0xB07500, 0xE69F00, {8.0, 2.4}, MarkerShape::circle, {1.0, 1.4, 1.0, 4.0}, MarkerShape::square},
        {0x1A1F26,
         0xF0E442,
         {6.0, 1.6, 1.2, 1.6, 1.2, 1.6},
         MarkerShape::square,
         {2.0, 2.0},
         MarkerShape::circle},
    };
    return lines[index];
}

/// Reads "r g b" lines, one a colour.
QList<QRgb> readColormap(const QString& name) {
    loadResources();
    QFile file(QStringLiteral(":/colormaps/%1.txt").arg(name));
    QList<QRgb> colors;
    if (!file.open(QIODevice::ReadOnly)) {
        return colors;
    }
    const QStringList lines =
        QString::fromLatin1(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& line : lines) {
        const QStringList parts = line.split(QLatin1Char(' '));
        if (parts.size() == 3) {
            colors.append(qRgb(parts[0].toInt(), parts[1].toInt(), parts[2].toInt()));
        }
    }
    return colors;
}

}  // namespace

RoleStyle FigureStyle::role(Role role) const {
    const bool isDark = kind == StyleKind::dark;
    const double weakTint = isDark ? 0.16 : 0.10;
    switch (role) {
        case Role::live:
            return {accent, withAlpha(accent, 2.0 * weakTint), 1.3, {}, MarkerShape::circle};
        case Role::base:
            return {mutedText, withAlpha(mutedText, 2.0 * weakTint), 1.1, {4.0, 2.2}, MarkerShape::square};
        case Role::pinned: {
            const QColor color = isDark ? hex(0xFF9A5C) : hex(0xC4541A);
            return {color, withAlpha(color, 2.0 * weakTint), 1.2, {4.0, 2.2}, MarkerShape::diamond};
        }
        case Role::trained:
            return {good, isDark ? hex(0x16301F) : hex(0xE6F4EA), 0.9, {}, MarkerShape::none};
        case Role::beyond:
        case Role::target:
            return {isDark ? hex(0xFF9A5C) : hex(0xC4541A),
                    isDark ? hex(0x47251F) : hex(0xF7D9D3),
                    0.9,
                    {},
                    MarkerShape::none};
        case Role::ramp:
            return {accent, withAlpha(accent, weakTint), 0.9, {}, MarkerShape::none};
        case Role::muted:
            return {mutedText, withAlpha(mutedText, weakTint), 0.9, {}, MarkerShape::none};
        case Role::pinnedBase:
            return {mutedText, withAlpha(mutedText, 2.0 * weakTint), 1.1, {1.2, 2.0}, MarkerShape::triangle};
        case Role::pinnedMuted:
            return {mutedText, withAlpha(mutedText, weakTint), 0.9, {1.2, 1.6}, MarkerShape::diamond};
        default:
            break;
    }
    const bool isPinned = role >= Role::pinnedCategory1;
    const Role first = isPinned ? Role::pinnedCategory1 : Role::category1;
    const CategoryLine& line = categoryLine(static_cast<int>(role) - static_cast<int>(first));
    const QColor color = hex(isDark ? line.dark : line.light);
    return {color, withAlpha(color, 2.0 * weakTint), 1.2, isPinned ? line.pinnedDashes : line.dashes,
            isPinned ? line.pinnedMarker : line.marker};
}

FigureStyle figureStyle(StyleKind kind) {
    FigureStyle style;
    style.kind = kind;
    style.fontFamily = bundledFontFamily();
    if (kind == StyleKind::dark) {
        style.background = hex(0x1B1F26);
        style.plotBackground = hex(0x1B1F26);
        style.axis = hex(0x6B7684);
        style.grid = hex(0x262B33);
        style.text = hex(0xE7EBF0);
        style.mutedText = hex(0x9AA5B3);
        style.accent = hex(0x6EA2FF);
        style.warning = hex(0xF2B84B);
        style.good = hex(0x6FD39E);
        style.hatch = hex(0x3D4550);
        return style;
    }
    const bool isPrint = kind == StyleKind::print;
    style.background = hex(0xFFFFFF);
    style.plotBackground = hex(0xFFFFFF);
    style.axis = isPrint ? hex(0x4A525E) : hex(0x7C8794);
    style.grid = hex(0xE8EBEF);
    style.text = isPrint ? hex(0x111111) : hex(0x1A1F26);
    style.mutedText = isPrint ? hex(0x4A525E) : hex(0x5A6472);
    style.accent = hex(0x1F5FD6);
    style.warning = hex(0x8A5A00);
    style.good = hex(0x1B7F4B);
    style.hatch = hex(0xC3CAD3);
    return style;
}

QStringList styleNames() {
    return {QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("print")};
}

StyleKind styleKind(const QString& name) {
    return name == QLatin1String("light")  ? StyleKind::light
           : name == QLatin1String("dark") ? StyleKind::dark
                                           : StyleKind::print;
}

QStringList colormapNames() {
    return sequentialMapNames() + QStringList{QStringLiteral("vik"), QStringLiteral("romaO")};
}

QStringList sequentialMapNames() {
    return {QStringLiteral("viridis"), QStringLiteral("cividis"), QStringLiteral("magma"),
            QStringLiteral("batlow")};
}

bool isColormap(const QString& name) {
    return colormapNames().contains(name);
}

const QList<QRgb>& colormap(const QString& name) {
    static const QHash<QString, QList<QRgb>> maps = [] {
        QHash<QString, QList<QRgb>> all;
        for (const QString& each : colormapNames()) {
            all.insert(each, readColormap(each));
        }
        return all;
    }();
    const auto found = maps.constFind(name);
    return found != maps.constEnd() ? *found : *maps.constFind(QStringLiteral("viridis"));
}

QList<QRgb> colormapFor(ColorMapKind kind, const FigureStyle& style) {
    QList<QRgb> colors = colormap(kind == ColorMapKind::diverging ? QStringLiteral("vik")
                                  : kind == ColorMapKind::cyclic  ? QStringLiteral("romaO")
                                                                  : style.sequentialMap);
    if (style.dataOpacity < 1.0) {
        for (QRgb& color : colors) {
            color = mixed(color, style.plotBackground.rgb(), style.dataOpacity);
        }
    }
    return colors;
}

}  // namespace phaseladder::ui
