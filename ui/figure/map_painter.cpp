#include "ui/figure/map_painter.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/figures/color_range.h"
#include "core/number_text.h"
#include "ui/figure/axes_painter.h"
#include "ui/figure/text_advance.h"

namespace phaseladder::ui {
namespace {

constexpr double smallestInDecimals = 1e-3;          // a range below is written with powers of ten
constexpr int largestValue = 13, smallestValue = 8;  // pixels of the numbers in cells
constexpr int levels = 255;         // of the colour table; index 0 is kept for cells without a value
constexpr double largeCell = 13.0;  // pixels from which each cell gets its own stroke instead of a pattern
constexpr double barGap = 12.0, barWidth = 12.0, barTick = 4.0, barTitle = 18.0;

int levelOf(const Heatmap& map, double value) {
    const double share = map.high > map.low ? (value - map.low) / (map.high - map.low) : 0.0;
    return std::clamp(static_cast<int>(std::lround(share * (levels - 1))), 0, levels - 1);
}

QRgb levelColor(const QList<QRgb>& colors, int level) {
    return colors[static_cast<qsizetype>(level) * (colors.size() - 1) / (levels - 1)];
}

CellState stateOf(const Heatmap& map, std::size_t cell) {
    return map.states.empty() ? CellState::shown : map.states[cell];
}

/// Cells from first to last (half-open) that a range of an axis touches.
std::pair<std::int64_t, std::int64_t> touched(double start, double step, std::int64_t count, double low,
                                              double high) {
    const auto first = static_cast<std::int64_t>(std::floor((low - start) / step));
    const auto last = static_cast<std::int64_t>(std::ceil((high - start) / step));
    return {std::clamp<std::int64_t>(first, 0, count), std::clamp<std::int64_t>(last, 0, count)};
}

struct VisibleCells {
    std::int64_t rowBegin, rowEnd, columnBegin, columnEnd;
    double width, height;  // of one cell, in pixels
};

VisibleCells visibleCells(const Heatmap& map, const PlotMapping& mapping) {
    const PlotRange& range = mapping.range();
    const auto [rowBegin, rowEnd] =
        touched(map.rowStart, map.rowStep, map.rows, range.yMinimum, range.yMaximum);
    const auto [columnBegin, columnEnd] =
        touched(map.columnStart, map.columnStep, map.columns, range.xMinimum, range.xMaximum);
    return {rowBegin,
            rowEnd,
            columnBegin,
            columnEnd,
            mapping.rect().width() * map.columnStep / (range.xMaximum - range.xMinimum),
            mapping.rect().height() * map.rowStep / (range.yMaximum - range.yMinimum)};
}

QRectF cellRect(const Heatmap& map, const PlotMapping& mapping, std::int64_t row, std::int64_t column) {
    const double x = map.columnStart + static_cast<double>(column) * map.columnStep;
    const double y = map.rowStart + static_cast<double>(row) * map.rowStep;
    return mapping.pixelRect(x, y, x + map.columnStep, y + map.rowStep);
}

/// The strokes of a state across one tile or cell: one slant for masked, a cross for undefined, a bar for
/// aliased.
QList<QLineF> strokes(CellState state, const QPointF& center, double reach) {
    const QPointF up(reach, -reach), down(reach, reach), flat(reach, 0.0);
    switch (state) {
        case CellState::masked:
            return {QLineF(center - up, center + up)};
        case CellState::undefined:
            return {QLineF(center - up, center + up), QLineF(center - down, center + down)};
        case CellState::aliased:
            return {QLineF(center - flat, center + flat)};
        case CellState::shown:
            break;
    }
    return {};
}

/// A tile that repeats without seams, at the resolution of the device.
QBrush hatchBrush(CellState state, const QColor& color, double deviceRatio) {
    constexpr int side = 7;
    QImage tile(QSize(side, side) * deviceRatio, QImage::Format_ARGB32_Premultiplied);
    tile.setDevicePixelRatio(deviceRatio);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.0));
    for (int dx = -1; dx <= 1; ++dx) {
        for (int dy = -1; dy <= 1; ++dy) {
            const QPointF center(side * (0.5 + dx), side * (0.5 + dy));
            painter.drawLines(strokes(state, center, side / 2.0));
        }
    }
    painter.end();
    return QBrush(tile);
}

bool isLightColor(QRgb color) {
    return 0.2126 * qRed(color) + 0.7152 * qGreen(color) + 0.0722 * qBlue(color) > 118.0;
}

QString cellText(const Heatmap& map, double value, bool narrow) {
    if (map.low >= 0.0 && map.high < smallestInDecimals) {  // 0.00 would say nothing
        return QString::fromStdString(formatForPeople(value, 2));
    }
    if (map.low >= 0.0 && map.high <= 1.0) {
        const QString text = QString::number(value, 'f', value >= 0.995 ? 1 : 2);
        return narrow && text.startsWith(QLatin1String("0.")) ? text.mid(1) : text;
    }
    if (value == 0.0 && map.map == ColorMapKind::diverging) {
        return QStringLiteral("0");
    }
    return QString::number(value, 'f', writtenDigits(map)).replace(QLatin1Char('-'), QChar(0x2212));
}

double widestValue(const Heatmap& map, const QFont& font, bool narrow) {
    double widest = 0.0;
    for (const double value : map.values) {
        if (std::isfinite(value)) {
            widest = std::max(widest, textAdvance(font, cellText(map, value, narrow)));
        }
    }
    return widest;
}

QList<Tick> barTicks(const Heatmap& map, double plotHeight) {
    if (map.phaseTicks) {
        return {Tick{map.low, QStringLiteral("0"), {}, false},
                Tick{(map.low + map.high) / 2.0, QStringLiteral("π"), {}, false},
                Tick{map.high, QStringLiteral("2π"), {}, false}};
    }
    Axis axis;
    axis.minimum = map.low;
    axis.maximum = map.high;
    QList<Tick> ticks = axisTicks(axis, map.low, map.high, std::max(2, static_cast<int>(plotHeight / 48.0)));
    ticks.removeIf([](const Tick& tick) { return tick.minor; });
    return ticks;
}

double barLabelWidth(const QList<Tick>& ticks, const QFont& font) {
    double width = 0.0;
    for (const Tick& tick : ticks) {
        width = std::max(width, tickLabelWidth(tick, font));
    }
    return width;
}

}  // namespace

MapPainter::MapPainter(const Heatmap& map, const Panel& panel)
    : m_flipX(panel.x.reversed), m_flipY(!panel.y.reversed) {
    const QSize size(static_cast<int>(map.columns), static_cast<int>(map.rows));
    m_indexes = QImage(size, QImage::Format_Indexed8);
    bool hasStates = false;
    for (std::int64_t row = 0; row < map.rows; ++row) {
        uchar* line = m_indexes.scanLine(static_cast<int>(m_flipY ? map.rows - 1 - row : row));
        for (std::int64_t column = 0; column < map.columns; ++column) {
            const auto cell = static_cast<std::size_t>(row * map.columns + column);
            const bool shown = stateOf(map, cell) == CellState::shown && std::isfinite(map.values[cell]);
            hasStates = hasStates || stateOf(map, cell) != CellState::shown;
            line[m_flipX ? map.columns - 1 - column : column] =
                shown ? static_cast<uchar>(1 + levelOf(map, map.values[cell])) : uchar{0};
        }
    }
    if (!hasStates) {
        return;
    }
    m_states = QImage(size, QImage::Format_Indexed8);
    for (std::int64_t row = 0; row < map.rows; ++row) {
        uchar* line = m_states.scanLine(static_cast<int>(m_flipY ? map.rows - 1 - row : row));
        for (std::int64_t column = 0; column < map.columns; ++column) {
            line[m_flipX ? map.columns - 1 - column : column] =
                static_cast<uchar>(map.states[static_cast<std::size_t>(row * map.columns + column)]);
        }
    }
}

void MapPainter::paint(QPainter& painter, const Heatmap& map, const PlotMapping& mapping,
                       const FigureStyle& style) {
    if (map.rows == 0 || map.columns == 0) {
        return;
    }
    const QList<QRgb> colors = colormapFor(map.map, style);
    QList<QRgb> table{qRgba(0, 0, 0, 0)};
    for (int level = 0; level < levels; ++level) {
        table.append(levelColor(colors, level));
    }
    m_indexes.setColorTable(table);

    painter.save();
    painter.setClipRect(mapping.rect());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintImage(painter, m_indexes, map, mapping);
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (!m_states.isNull()) {
        paintHatches(painter, map, mapping, style);
    }
    if (map.writeValues) {
        paintValues(painter, map, mapping, style);
    }
    painter.restore();
}

void MapPainter::paintImage(QPainter& painter, const QImage& image, const Heatmap& map,
                            const PlotMapping& mapping) const {
    const VisibleCells cells = visibleCells(map, mapping);
    const QRectF target = cellRect(map, mapping, cells.rowBegin, cells.columnBegin)
                              .united(cellRect(map, mapping, cells.rowEnd - 1, cells.columnEnd - 1));
    const auto left = m_flipX ? map.columns - cells.columnEnd : cells.columnBegin;
    const auto top = m_flipY ? map.rows - cells.rowEnd : cells.rowBegin;
    painter.drawImage(target, image,
                      QRectF(static_cast<double>(left), static_cast<double>(top),
                             static_cast<double>(cells.columnEnd - cells.columnBegin),
                             static_cast<double>(cells.rowEnd - cells.rowBegin)));
}

void MapPainter::paintHatches(QPainter& painter, const Heatmap& map, const PlotMapping& mapping,
                              const FigureStyle& style) {
    const VisibleCells cells = visibleCells(map, mapping);
    const double smaller = std::min(cells.width, cells.height);
    if (smaller >= largeCell) {
        painter.setPen(QPen(style.hatch, 1.0));
        for (std::int64_t row = cells.rowBegin; row < cells.rowEnd; ++row) {
            for (std::int64_t column = cells.columnBegin; column < cells.columnEnd; ++column) {
                const CellState state = stateOf(map, static_cast<std::size_t>(row * map.columns + column));
                painter.drawLines(strokes(state, cellRect(map, mapping, row, column).center(),
                                          std::min(smaller * 0.18, 7.0)));
            }
        }
        return;
    }
    // Small cells: a pattern over the whole map, cut out by an image that is opaque where the state is.
    const double deviceRatio = painter.device()->devicePixelRatioF();
    const QRectF visible = mapping.rect();
    QImage layer((visible.size() * deviceRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    layer.setDevicePixelRatio(deviceRatio);
    const PlotMapping local(QRectF(QPointF(0.0, 0.0), visible.size()), mapping.x(), mapping.y(),
                            mapping.range());
    for (const CellState state : {CellState::masked, CellState::undefined, CellState::aliased}) {
        QList<QRgb> table(4, qRgba(0, 0, 0, 0));
        table[static_cast<int>(state)] = qRgba(0, 0, 0, 255);
        m_states.setColorTable(table);
        layer.fill(Qt::transparent);
        QPainter layerPainter(&layer);
        paintImage(layerPainter, m_states, map, local);
        layerPainter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        layerPainter.fillRect(local.rect(), hatchBrush(state, style.hatch, deviceRatio));
        layerPainter.end();
        painter.drawImage(visible.topLeft(), layer);
    }
}

void MapPainter::paintValues(QPainter& painter, const Heatmap& map, const PlotMapping& mapping,
                             const FigureStyle& style) const {
    const VisibleCells cells = visibleCells(map, mapping);
    int pixels = std::min(largestValue, static_cast<int>(std::min(cells.height * 0.5, cells.width * 0.4)));
    const bool narrow = cells.width < textAdvance(figureFont(style, pixels), QStringLiteral("0.00")) + 10.0;
    // All in one size: a number left out would look like a cell without one.
    const double room = cells.width - 2.0;
    while (pixels >= smallestValue && widestValue(map, figureFont(style, pixels), narrow) > room) {
        --pixels;
    }
    if (pixels < smallestValue) {
        return;
    }
    painter.setFont(figureFont(style, pixels));
    for (std::int64_t row = cells.rowBegin; row < cells.rowEnd; ++row) {
        for (std::int64_t column = cells.columnBegin; column < cells.columnEnd; ++column) {
            const auto cell = static_cast<std::size_t>(row * map.columns + column);
            if (stateOf(map, cell) != CellState::shown || !std::isfinite(map.values[cell])) {
                continue;
            }
            const QString text = cellText(map, map.values[cell], narrow);
            const QRgb ground = m_indexes.color(1 + levelOf(map, map.values[cell]));
            painter.setPen(isLightColor(ground) ? QColor(0x10, 0x14, 0x1A) : QColor(0xFF, 0xFF, 0xFF));
            painter.drawText(cellRect(map, mapping, row, column), Qt::AlignCenter | Qt::TextDontClip, text);
        }
    }
}

double colorBarWidth(const Heatmap& map, double plotHeight, const FigureStyle& style) {
    const double labels = barLabelWidth(barTicks(map, plotHeight), figureFont(style, 11));
    return barGap + barWidth + barTick + 3.0 + std::ceil(labels) +
           (map.valueTitle.empty() ? 4.0 : barTitle + 2.0);
}

void paintColorBar(QPainter& painter, const Heatmap& map, const QRectF& plot, const FigureStyle& style) {
    const QRectF bar(std::round(plot.right() + barGap), plot.top(), barWidth, plot.height());
    const QList<QRgb> colors = colormapFor(map.map, style);
    QImage gradient(1, levels, QImage::Format_RGB32);
    for (int level = 0; level < levels; ++level) {
        gradient.setPixel(0, levels - 1 - level, levelColor(colors, level));
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(bar, gradient);

    const QFont font = figureFont(style, 11);
    const QList<Tick> ticks = barTicks(map, plot.height());
    for (const Tick& tick : ticks) {
        const double y = bar.bottom() - (tick.value - map.low) / (map.high - map.low) * bar.height();
        const double line = std::clamp(std::floor(y) + 0.5, bar.top() + 0.5, bar.bottom() - 0.5);
        painter.setPen(QPen(style.axis, 1.0));
        painter.drawLine(QPointF(bar.right(), line), QPointF(bar.right() + barTick, line));
        painter.setPen(style.mutedText);
        paintTickLabel(painter, tick, bar.right() + barTick + 3.0, y, font);
    }
    if (map.valueTitle.empty()) {
        return;
    }
    painter.save();
    painter.setFont(figureFont(style, 12));
    painter.translate(bar.right() + barTick + 3.0 + barLabelWidth(ticks, font) + 4.0 + barTitle / 2.0,
                      bar.center().y());
    painter.rotate(-90.0);
    painter.drawText(QRectF(-bar.height() / 2.0, -barTitle / 2.0, bar.height(), barTitle),
                     Qt::AlignCenter | Qt::TextDontClip, QString::fromStdString(map.valueTitle));
    painter.restore();
}

}  // namespace phaseladder::ui
