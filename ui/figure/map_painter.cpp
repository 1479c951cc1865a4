#include "ui/figure/map_painter.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "core/figures/color_range.h"
#include "core/index.h"
#include "core/number_text.h"
#include "ui/figure/axes_painter.h"
#include "ui/figure/text_advance.h"

namespace phaseladder::ui {
namespace {

constexpr double smallestInDecimals = 1e-3;          // a range below is written with powers of ten
constexpr int largestValue = 13, smallestValue = 8;  // pixels of the numbers in cells
constexpr std::size_t cellStateCount = static_cast<std::size_t>(CellState::noKeys) + 1;
constexpr double largeCell = 13.0;  // pixels from which each cell gets its own stroke instead of a pattern
constexpr double barGap = 12.0, barWidth = 12.0, barTick = 4.0, barTitle = 18.0;

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

/// The strokes of a state across one tile or cell: a slant for masked, the other one for a row without keys,
/// a cross for undefined, a bar for aliased.
QList<QLineF> strokes(CellState state, const QPointF& center, double reach) {
    const QPointF up(reach, -reach), down(reach, reach), flat(reach, 0.0);
    switch (state) {
        case CellState::masked:
            return {QLineF(center - up, center + up)};
        case CellState::undefined:
            return {QLineF(center - up, center + up), QLineF(center - down, center + down)};
        case CellState::aliased:
            return {QLineF(center - flat, center + flat)};
        case CellState::noKeys:
            return {QLineF(center - down, center + down)};
        case CellState::shown:
            break;
    }
    return {};
}

/// As many rows of pixels of the device as a hatch needs to repeat itself, without seams.
QImage hatchRows(CellState state, int width, const FigureStyle& style, double deviceRatio) {
    constexpr int side = 7;
    QImage tile(QSize(side, side) * deviceRatio, QImage::Format_RGB32);
    tile.fill(style.plotBackground);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(static_cast<double>(tile.width()) / side, static_cast<double>(tile.height()) / side);
    painter.setPen(QPen(style.hatch, 1.0));
    for (int dx = -1; dx <= 1; ++dx) {
        for (int dy = -1; dy <= 1; ++dy) {
            const QPointF center(side * (0.5 + dx), side * (0.5 + dy));
            painter.drawLines(strokes(state, center, side / 2.0));
        }
    }
    painter.end();
    QImage rows(width, tile.height(), QImage::Format_RGB32);
    QPainter(&rows).fillRect(rows.rect(), QBrush(tile));
    return rows;
}

bool isLightColor(QRgb color) {
    return 0.2126 * qRed(color) + 0.7152 * qGreen(color) + 0.0722 * qBlue(color) > 118.0;
}

QString cellText(const Heatmap& map, double value, bool narrow) {
    if (map.scale == AxisScale::log10) {
        return logCellText(value);
    }
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
    axis.scale = map.scale;
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

/// The cells at the middles of pixels of the device, from the first one on; valueAt(0.5) is the axis value in
/// the middle of pixel 0.
std::vector<std::size_t> cellsAlong(int first, int count, double start, double step, std::int64_t cells,
                                    const auto& valueAt) {
    std::vector<std::size_t> found;
    found.reserve(static_cast<std::size_t>(count));
    for (int pixel = first; pixel < first + count; ++pixel) {
        const double cell = std::floor((valueAt(pixel + 0.5) - start) / step);
        found.push_back(static_cast<std::size_t>(std::clamp(cell, 0.0, static_cast<double>(cells - 1))));
    }
    return found;
}

bool followEachOther(const std::vector<std::size_t>& columns) {
    for (std::size_t pixel = 1; pixel < columns.size(); ++pixel) {
        if (columns[pixel] != columns[pixel - 1] + 1) {
            return false;
        }
    }
    return true;
}

/// Draws hatches over the pixels of one line whose cells have no value; `lines` holds one line for each
/// state. columnAt(x) is the column of a pixel; levels and states (or null) are those of its row.
void hatchLine(QRgb* pixels, std::size_t width, const auto& columnAt, const ColorLevel* levels,
               const CellState* states, const std::array<const QRgb*, cellStateCount>& lines) {
    const auto stateAt = [&](std::size_t x) {
        return states == nullptr ? CellState::shown : states[columnAt(x)];
    };
    for (std::size_t x = 0; x < width;) {
        if (levels[columnAt(x)] != noColorLevel) {
            ++x;
            continue;
        }
        const std::size_t begin = x;
        const CellState state = stateAt(x);
        if (state == CellState::shown) {  // a cell that should be shown and has no level is no number
            while (x < width && stateAt(x) == state && levels[columnAt(x)] == noColorLevel) {
                ++x;
            }
        } else {
            while (x < width && stateAt(x) == state) {
                ++x;
            }
        }
        const CellState drawn = state == CellState::shown ? CellState::undefined : state;
        const QRgb* line = lines[static_cast<std::size_t>(drawn)];
        std::copy(line + begin, line + x, pixels + begin);
    }
}

}  // namespace

void MapPainter::paint(QPainter& painter, const Heatmap& map, const PlotMapping& mapping,
                       const FigureStyle& style) {
    if (map.rows == 0 || map.columns == 0) {
        return;
    }
    if (m_hasGaps.empty()) {
        m_hasGaps = setColorLevels(map, m_levels);
    }
    const double ratio = painter.device()->devicePixelRatioF();
    const QList<QRgb> colors = levelColors(map.map, style);
    const Grid grid = gridOf(map, mapping, ratio);
    if (grid.rect.isEmpty()) {
        return;
    }
    const VisibleCells cells = visibleCells(map, mapping);
    const bool areLarge = std::min(cells.width, cells.height) >= largeCell;
    compose(map, grid, colors, style, areLarge ? std::nullopt : std::optional(ratio));
    painter.save();
    painter.setClipRect(mapping.rect());
    painter.scale(1.0 / ratio, 1.0 / ratio);  // a pixel of the picture is one of the device
    painter.drawImage(grid.rect.topLeft(), m_picture, m_picture.rect());
    painter.scale(ratio, ratio);
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (areLarge) {
        paintStrokes(painter, map, mapping, style);
    }
    if (map.writeValues) {
        paintValues(painter, map, mapping, colors, style);
    }
    painter.restore();
}

MapPainter::Grid MapPainter::gridOf(const Heatmap& map, const PlotMapping& mapping, double deviceRatio) {
    const VisibleCells cells = visibleCells(map, mapping);
    const QRectF shown = cellRect(map, mapping, cells.rowBegin, cells.columnBegin)
                             .united(cellRect(map, mapping, cells.rowEnd - 1, cells.columnEnd - 1))
                             .intersected(mapping.rect());
    Grid grid;
    if (cells.rowBegin >= cells.rowEnd || cells.columnBegin >= cells.columnEnd || shown.isEmpty()) {
        return grid;
    }
    const auto edge = [deviceRatio](double place) {
        return static_cast<int>(std::lround(place * deviceRatio));
    };
    grid.rect = QRect(QPoint(edge(shown.left()), edge(shown.top())),
                      QPoint(edge(shown.right()) - 1, edge(shown.bottom()) - 1));
    grid.columns = cellsAlong(grid.rect.left(), grid.rect.width(), map.columnStart, map.columnStep,
                              map.columns, [&](double pixel) {
                                  return mapping.data({pixel / deviceRatio, 0.0}).x();
                              });
    grid.rows = cellsAlong(grid.rect.top(), grid.rect.height(), map.rowStart, map.rowStep, map.rows,
                           [&](double pixel) {
                               return mapping.data({0.0, pixel / deviceRatio}).y();
                           });
    grid.isOneToOne = followEachOther(grid.columns);
    return grid;
}

void MapPainter::compose(const Heatmap& map, const Grid& grid, const QList<QRgb>& colors,
                         const FigureStyle& style, std::optional<double> hatchRatio) {
    if (m_picture.size() != grid.rect.size()) {
        m_picture = QImage(grid.rect.size(), QImage::Format_RGB32);
    }
    const bool hasGaps = std::ranges::find(m_hasGaps, 1) != m_hasGaps.end();
    std::array<QImage, cellStateCount> hatches;
    for (std::size_t state = 1; hatchRatio && hasGaps && state < cellStateCount; ++state) {
        hatches[state] = hatchRows(static_cast<CellState>(state), m_picture.width(), style, *hatchRatio);
    }
    std::array<QRgb, colorLevelCount + 1> table{};
    std::ranges::copy(colors, table.begin());
    table[noColorLevel] = style.plotBackground.rgb();
    const std::size_t width = grid.columns.size();
    uchar* const bits = m_picture.bits();
    const auto stride = m_picture.bytesPerLine();
    forRowPortions(m_picture.height(), m_picture.width(), [&](int begin, int end) {
        for (int y = begin; y < end; ++y) {
            auto* pixels = reinterpret_cast<QRgb*>(bits + y * stride);
            const std::size_t row = grid.rows[index(y)];
            const bool isHatched = hatchRatio && m_hasGaps[row] != 0;
            if (!isHatched && y > begin && grid.rows[index(y - 1)] == row) {
                std::memcpy(pixels, bits + (y - 1) * stride, width * sizeof(QRgb));
                continue;
            }
            const std::size_t firstCell = row * index(map.columns);
            const ColorLevel* levels = m_levels.data() + firstCell;
            if (grid.isOneToOne) {
                levels += grid.columns.front();
                for (std::size_t x = 0; x < width; ++x) {
                    pixels[x] = table[levels[x]];
                }
            } else {
                for (std::size_t x = 0; x < width; ++x) {
                    pixels[x] = table[levels[grid.columns[x]]];
                }
            }
            if (isHatched) {
                std::array<const QRgb*, cellStateCount> lines{};
                for (std::size_t state = 1; state < cellStateCount; ++state) {
                    lines[state] = reinterpret_cast<const QRgb*>(
                        hatches[state].constScanLine(y % hatches[state].height()));
                }
                const CellState* states = map.states.empty() ? nullptr : map.states.data() + firstCell;
                const ColorLevel* ofRow = m_levels.data() + firstCell;
                const std::size_t first = grid.columns.front();
                if (grid.isOneToOne) {
                    hatchLine(
                        pixels, width, [first](std::size_t x) { return first + x; }, ofRow, states, lines);
                } else {
                    hatchLine(
                        pixels, width, [&](std::size_t x) { return grid.columns[x]; }, ofRow, states, lines);
                }
            }
        }
    });
}

/// In large cells one stroke, or a cross, each.
void MapPainter::paintStrokes(QPainter& painter, const Heatmap& map, const PlotMapping& mapping,
                              const FigureStyle& style) const {
    const VisibleCells cells = visibleCells(map, mapping);
    const double reach = std::min(std::min(cells.width, cells.height) * 0.18, 7.0);
    painter.setPen(QPen(style.hatch, 1.0));
    for (std::int64_t row = cells.rowBegin; row < cells.rowEnd; ++row) {
        for (std::int64_t column = cells.columnBegin; column < cells.columnEnd; ++column) {
            const CellState state = map.stateAt(static_cast<std::size_t>(row * map.columns + column));
            painter.drawLines(strokes(state, cellRect(map, mapping, row, column).center(), reach));
        }
    }
}

void MapPainter::paintValues(QPainter& painter, const Heatmap& map, const PlotMapping& mapping,
                             const QList<QRgb>& colors, const FigureStyle& style) const {
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
            if (m_levels[cell] == noColorLevel) {
                continue;
            }
            painter.setPen(isLightColor(colors[m_levels[cell]]) ? QColor(0x10, 0x14, 0x1A)
                                                                : QColor(0xFF, 0xFF, 0xFF));
            painter.drawText(cellRect(map, mapping, row, column), Qt::AlignCenter | Qt::TextDontClip,
                             cellText(map, map.values[cell], narrow));
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
    const QList<QRgb> colors = levelColors(map.map, style);
    QImage gradient(1, colorLevelCount, QImage::Format_RGB32);
    for (int level = 0; level < colorLevelCount; ++level) {
        gradient.setPixel(0, colorLevelCount - 1 - level, colors[level]);
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(bar, gradient);

    const QFont font = figureFont(style, 11);
    const QList<Tick> ticks = barTicks(map, plot.height());
    for (const Tick& tick : ticks) {
        const double y = bar.bottom() - colorShare(map, tick.value) * bar.height();
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
