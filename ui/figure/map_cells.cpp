#include "ui/figure/map_cells.h"

#include <cmath>

#include "core/figures/color_range.h"
#include "core/number_text.h"

namespace phaseladder::ui {
namespace {

constexpr double smallestInDecimals = 1e-3;  // a range below is written with powers of ten

/// "0.25", "0.01", "3e-5": short, however small.
QString logText(double value) {
    constexpr double leastPlain = 0.00995;
    if (value == 0.0 || value >= leastPlain) {
        return value == 0.0 ? QStringLiteral("0") : QString::number(value, 'f', 2);
    }
    const int exponent = static_cast<int>(std::floor(std::log10(value)));
    const long digit = std::lround(value / std::pow(10.0, exponent));
    const bool isNext = digit == 10;
    return QStringLiteral("%1e%2").arg(isNext ? 1 : digit).arg(exponent + (isNext ? 1 : 0));
}

QString plainText(const Heatmap& map, double value, CellRoom room) {
    const bool isOfWeights = map.low >= 0.0 && map.high <= 1.0;
    if (isOfWeights && map.high < smallestInDecimals) {  // 0.00 would say nothing
        return QString::fromStdString(formatForPeople(value, 2));
    }
    const QString text = QString::number(value, 'f', writtenDigits(map));
    if (!isOfWeights || room == CellRoom::wide) {
        return text;
    }
    return text.startsWith(QLatin1String("0.")) ? text.mid(1) : text.chopped(1);
}

}  // namespace

QRectF cellRect(const Heatmap& map, const PlotMapping& mapping, std::int64_t row, std::int64_t column) {
    const double x = map.columnStart + static_cast<double>(column) * map.columnStep;
    const double y = map.rowStart + static_cast<double>(row) * map.rowStep;
    return mapping.pixelRect(x, y, x + map.columnStep, y + map.rowStep);
}

QList<HatchDirection> hatchDirections(CellState state) {
    switch (state) {
        case CellState::masked:
            return {HatchDirection::up};
        case CellState::undefined:
            return {HatchDirection::up, HatchDirection::down};
        case CellState::aliased:
            return {HatchDirection::flat};
        case CellState::noKeys:
            return {HatchDirection::down};
        case CellState::shown:
            break;
    }
    return {};
}

QString cellText(const Heatmap& map, double value, CellRoom room) {
    if (value == 0.0 && map.map == ColorMapKind::diverging) {
        return QStringLiteral("0");
    }
    QString text = map.scale == AxisScale::log10 ? logText(value) : plainText(map, value, room);
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

QColor inkOn(QRgb ground) {
    const QColor exact = QColor::fromRgb(ground);
    const auto linear = [](float part) {
        return part <= 0.04045F ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    const double luminance =
        0.2126 * linear(exact.redF()) + 0.7152 * linear(exact.greenF()) + 0.0722 * linear(exact.blueF());
    constexpr double sameContrast = 0.195;  // with the dark and with white
    return luminance > sameContrast ? QColor(0x10, 0x14, 0x1A) : QColor(Qt::white);
}

QList<Tick> barTicks(const Heatmap& map, int wanted) {
    if (map.phaseTicks) {
        return {Tick{map.low, QStringLiteral("0"), {}, false},
                Tick{0.5 * (map.low + map.high), QStringLiteral("π"), {}, false},
                Tick{map.high, QStringLiteral("2π"), {}, false}};
    }
    Axis axis;
    axis.minimum = map.low;
    axis.maximum = map.high;
    axis.scale = map.scale;
    QList<Tick> ticks = axisTicks(axis, map.low, map.high, wanted);
    ticks.removeIf([](const Tick& tick) { return tick.minor; });
    return ticks;
}

}  // namespace phaseladder::ui
