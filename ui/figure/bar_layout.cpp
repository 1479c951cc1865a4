#include "ui/figure/bar_layout.h"

#include <algorithm>
#include <cmath>

#include "core/number_text.h"
#include "ui/figure/hatch_lines.h"

namespace phaseladder::ui {
namespace {

constexpr double plainWidth = 4.0;  // a column narrower than this has neither outline nor hatch
constexpr double outlineWidth = 1.0;
constexpr double hatchSpacing = 4.0, hatchWidth = 0.8;
constexpr double numberGap = 2.5;           // between a column's end and its number
constexpr double numberPad = 2.5;           // between numbers side by side
constexpr double smallestNumber = 0.75;     // of the text's size
constexpr double smallestNumberSize = 5.0;  // points or pixels
constexpr int numberDigits = 3;

/// How a role's columns are drawn: solid, or pale with a dashed outline (what the live setting is compared
/// with), and the hatch that tells categories apart.
struct BarLook {
    QColor fill, outline;
    QList<qreal> dashes;
    QList<HatchDirection> hatch;
};

BarLook barLook(Role role, const FigureStyle& style) {
    const RoleStyle own = style.role(role);
    BarLook look{own.line, own.line, {}, {}};
    switch (role) {
        case Role::base:
        case Role::pinned:
        case Role::pinnedBase:
        case Role::pinnedMuted:
        case Role::pinnedCategory1:
        case Role::pinnedCategory2:
        case Role::pinnedCategory3:
        case Role::pinnedCategory4:
        case Role::pinnedCategory5:
        case Role::pinnedCategory6:
            look.fill = own.tint;
            look.dashes = {3.0, 2.0};
            break;
        case Role::category2:
            look.hatch = {HatchDirection::up};
            break;
        case Role::category3:
            look.hatch = {HatchDirection::down};
            break;
        case Role::category4:
            look.hatch = {HatchDirection::flat};
            break;
        case Role::category5:
            look.hatch = {HatchDirection::up, HatchDirection::down};
            break;
        case Role::category6:
            look.fill = own.tint;
            break;
        default:
            break;
    }
    return look;
}

QPolygonF outlineOf(const QRectF& rect) {
    return QPolygonF(
        {rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft(), rect.topLeft()});
}

void addColumns(QList<Primitive>& primitives, const QList<QRectF>& columns, const BarLook& look,
                const FigureStyle& style) {
    QList<QPolygonF> outlines, hatches;
    for (const QRectF& column : columns) {
        primitives.append(FilledRect{column, look.fill});
        const bool isPlain = look.fill == look.outline && look.hatch.isEmpty();
        if (isPlain || column.width() < plainWidth) {
            continue;
        }
        // Outlines lie inside, so that columns side by side do not touch more than their fills do.
        const double half = 0.5 * outlineWidth;
        outlines.append(outlineOf(column.adjusted(half, 0.0, -half, 0.0)));
        for (const HatchDirection direction : look.hatch) {
            for (const QLineF& line : hatchLines(column, hatchSpacing, direction)) {
                hatches.append(QPolygonF({line.p1(), line.p2()}));
            }
        }
    }
    if (!hatches.isEmpty()) {
        primitives.append(Polyline{hatches, style.plotBackground, hatchWidth, {}});
    }
    if (!outlines.isEmpty()) {
        primitives.append(Polyline{outlines, look.outline, outlineWidth, look.dashes});
    }
}

/// Where columns stand, in units of y.
double groundOf(const PlotMapping& mapping) {
    return mapping.y().scale == AxisScale::log10 ? mapping.range().yMinimum : 0.0;
}

QString numberText(double value) {
    return QString::fromStdString(formatForPeople(value, numberDigits))
        .replace(QLatin1Char('-'), QChar(0x2212));
}

/// Pixels from the middle of one column to the next of another series or another x.
double pitchOf(const Bars& bars, const PlotMapping& mapping) {
    const double unit =
        std::abs(mapping.xPixel(mapping.range().xMinimum + 1.0) - mapping.xPixel(mapping.range().xMinimum));
    double nearest = 1.0;
    for (std::size_t index = 1; index < bars.x.size(); ++index) {
        nearest = std::min(nearest, std::abs(bars.x[index] - bars.x[index - 1]));
    }
    const double step = bars.seriesCount > 1 ? std::min(nearest, bars.width / bars.seriesCount) : nearest;
    return unit * step;
}

}  // namespace

bool hasBars(const Panel& panel) {
    return std::ranges::any_of(panel.layers,
                               [](const Layer& layer) { return std::holds_alternative<Bars>(layer); });
}

double barOffset(const Bars& bars) {
    return bars.width * ((bars.series + 0.5) / bars.seriesCount - 0.5);
}

QRectF barSlot(const Bars& bars, double x, const PlotMapping& mapping) {
    const PlotRange& range = mapping.range();
    return mapping.pixelRect(x - 0.5 * bars.width, range.yMinimum, x + 0.5 * bars.width, range.yMaximum)
        .intersected(mapping.rect());
}

QRectF barRect(const Bars& bars, std::size_t index, const PlotMapping& mapping) {
    const double half = 0.5 * bars.width / bars.seriesCount;
    const double middle = bars.x[index] + barOffset(bars);
    const QRectF rect = mapping.pixelRect(middle - half, groundOf(mapping), middle + half, bars.y[index]);
    if (!std::isfinite(bars.y[index]) || !std::isfinite(rect.top()) || !std::isfinite(rect.bottom())) {
        return {};
    }
    const QRectF& plot = mapping.rect();
    const double left = std::max(rect.left(), plot.left()), right = std::min(rect.right(), plot.right());
    const double top = std::clamp(rect.top(), plot.top(), plot.bottom());
    const double bottom = std::clamp(rect.bottom(), plot.top(), plot.bottom());
    return left < right ? QRectF(QPointF(left, top), QPointF(right, bottom)) : QRectF();
}

void addBars(QList<Primitive>& primitives, const Bars& bars, const PlotMapping& mapping,
             const FigureStyle& style) {
    QList<QRectF> columns;
    for (std::size_t index = 0; index < bars.x.size(); ++index) {
        if (const QRectF rect = barRect(bars, index, mapping); rect.height() > 0.0) {
            columns.append(rect);
        }
    }
    addColumns(primitives, columns, barLook(bars.role, style), style);
}

void addBarSample(QList<Primitive>& primitives, Role role, const QRectF& rect, const FigureStyle& style) {
    addColumns(primitives, {rect}, barLook(role, style), style);
}

void addBarGround(QList<Primitive>& primitives, const Panel& panel, const PlotMapping& mapping,
                  const FigureStyle& style) {
    const double y = mapping.yPixel(groundOf(mapping));
    const QRectF& plot = mapping.rect();
    if (hasBars(panel) && y > plot.top() && y < plot.bottom()) {
        primitives.append(
            Polyline{{QPolygonF({QPointF(plot.left(), y), QPointF(plot.right(), y)})}, style.axis, 0.8, {}});
    }
}

QList<TextRun> barNumbers(const Panel& panel, const PlotMapping& mapping, const FigureStyle& style,
                          const TextStyle& text) {
    TextStyle own = text;
    double share = 1.0;
    for (const Layer& layer : panel.layers) {
        const auto* bars = std::get_if<Bars>(&layer);
        if (bars == nullptr || !bars->writeValues) {
            continue;
        }
        const double room = pitchOf(*bars, mapping) - numberPad;
        for (const double value : bars->y) {
            if (std::isfinite(value)) {
                share = std::min(share, room / textWidth(numberText(value), text));
            }
        }
    }
    own.sizePoints = share * text.sizePoints;
    if (share < smallestNumber || own.sizePoints < smallestNumberSize) {
        return {};
    }
    const double cap = capHeight(own);
    QList<TextRun> runs;
    for (const Layer& layer : panel.layers) {
        const auto* bars = std::get_if<Bars>(&layer);
        for (std::size_t index = 0; bars != nullptr && bars->writeValues && index < bars->x.size(); ++index) {
            const QRectF rect = barRect(*bars, index, mapping);
            const double end = mapping.yPixel(bars->y[index]);
            const QRectF& plot = mapping.rect();
            const double middle = mapping.xPixel(bars->x[index] + barOffset(*bars));
            if (rect.isNull() || end < plot.top() - 0.5 || end > plot.bottom() + 0.5 ||
                middle < plot.left() || middle > plot.right()) {
                continue;
            }
            // Beyond the column's end, or inside it where the plot ends.
            const bool isDown = (bars->y[index] < 0.0) != mapping.y().reversed && bars->y[index] != 0.0;
            double baseline = isDown ? end + numberGap + cap : end - numberGap;
            own.color = style.text;
            const bool isOutside = isDown ? baseline > plot.bottom() : baseline - cap < plot.top();
            if (isOutside && rect.height() >= cap + 2.0 * numberGap) {
                baseline = isDown ? end - numberGap : end + numberGap + cap;
                const BarLook look = barLook(bars->role, style);
                own.color =
                    look.fill == look.outline && look.hatch.isEmpty() ? style.plotBackground : style.text;
            }
            runs.append(textRuns({middle, baseline}, numberText(bars->y[index]), own, Qt::AlignHCenter));
        }
    }
    return runs;
}

QList<QPolygonF> barObstacles(const Bars& bars, const PlotMapping& mapping) {
    constexpr double spacing = 4.0;
    QList<QPolygonF> lines;
    for (std::size_t index = 0; index < bars.x.size(); ++index) {
        const QRectF rect = barRect(bars, index, mapping);
        for (double x = rect.left(); rect.height() > 0.0 && x <= rect.right(); x += spacing) {
            lines.append(QPolygonF({QPointF(x, rect.top()), QPointF(x, rect.bottom())}));
        }
    }
    return lines;
}

}  // namespace phaseladder::ui
