#include "ui/figure/map_painter.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "core/figures/color_range.h"
#include "core/figures/map_tiles.h"
#include "core/index.h"
#include "ui/figure/axes_painter.h"
#include "ui/figure/map_cells.h"
#include "ui/figure/text_advance.h"

namespace phaseladder::ui {
namespace {

constexpr int largestValue = 13, smallestValue = 8;  // pixels of the numbers in cells
constexpr double valuePad = 2.0;                     // pixels that a number leaves free beside it
constexpr std::size_t cellStateCount = static_cast<std::size_t>(CellState::noKeys) + 1;
constexpr double largeCell = 13.0;  // pixels from which each cell gets its own stroke instead of a pattern

/// Cells from first to last (half-open) that a range of an axis touches.
std::pair<std::int64_t, std::int64_t> touched(double start, double step, std::int64_t count, double low,
                                              double high) {
    const auto first = static_cast<std::int64_t>(std::floor((low - start) / step));
    const auto last = static_cast<std::int64_t>(std::ceil((high - start) / step));
    return {std::clamp<std::int64_t>(first, 0, count), std::clamp<std::int64_t>(last, 0, count)};
}

/// The strokes of a state across one tile or cell.
QList<QLineF> strokes(CellState state, const QPointF& center, double reach) {
    QList<QLineF> lines;
    for (const HatchDirection direction : hatchDirections(state)) {
        const QPointF half(reach, direction == HatchDirection::up     ? -reach
                                  : direction == HatchDirection::down ? reach
                                                                      : 0.0);
        lines.append(QLineF(center - half, center + half));
    }
    return lines;
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

double widestValue(const Heatmap& map, const QFont& font, CellRoom room) {
    double widest = 0.0;
    for (const double value : map.values) {
        if (std::isfinite(value)) {
            widest = std::max(widest, textAdvance(font, cellText(map, value, room)));
        }
    }
    return widest;
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

/// The cells of one map, of a stack those of a part of it, and which of them are seen.
struct MapPainter::Cells {
    const Heatmap& map;
    const MapPart& part;
    const PlotMapping& mapping;
    std::int64_t rowBegin, rowEnd, columnBegin, columnEnd;
    double width, height;  // of one cell, in pixels

    Cells(const Heatmap& cellsOf, const MapPart& partOf, const PlotMapping& mappingOf)
        : map(cellsOf), part(partOf), mapping(mappingOf) {
        const PlotRange& range = mapping.range();
        std::tie(rowBegin, rowEnd) =
            touched(part.rowStart, part.rowStep, part.rows, range.yMinimum, range.yMaximum);
        std::tie(columnBegin, columnEnd) =
            touched(part.columnStart, part.columnStep, map.columns, range.xMinimum, range.xMaximum);
        width = mapping.rect().width() * part.columnStep / (range.xMaximum - range.xMinimum);
        height = mapping.rect().height() * part.rowStep / (range.yMaximum - range.yMinimum);
    }

    [[nodiscard]] bool areLarge() const { return std::min(width, height) >= largeCell; }
    [[nodiscard]] std::size_t at(std::int64_t row, std::int64_t column) const {
        return index((part.firstRow + row) * map.columns + column);
    }
    [[nodiscard]] QRectF rect(std::int64_t row, std::int64_t column) const {
        const double x = part.columnStart + static_cast<double>(column) * part.columnStep;
        const double y = part.rowStart + static_cast<double>(row) * part.rowStep;
        return mapping.pixelRect(x, y, x + part.columnStep, y + part.rowStep);
    }
};

/// Which row and column of the map each pixel of the device shows: the one that its middle is in.
struct MapPainter::Grid {
    QRect rect;                              // in pixels of the device; empty: nothing is seen
    std::vector<std::size_t> rows, columns;  // from the top left; rows count from the first one of a stack
    bool isOneToOne = false;                 // each column is the one after that on its left

    Grid(const Cells& cells, double deviceRatio) {
        if (cells.rowBegin >= cells.rowEnd || cells.columnBegin >= cells.columnEnd) {
            return;
        }
        const MapPart& part = cells.part;
        const QRectF shown = cells.rect(cells.rowBegin, cells.columnBegin)
                                 .united(cells.rect(cells.rowEnd - 1, cells.columnEnd - 1))
                                 .intersected(cells.mapping.rect());
        if (shown.isEmpty()) {
            return;
        }
        const auto edge = [deviceRatio](double place) {
            return static_cast<int>(std::lround(place * deviceRatio));
        };
        rect = QRect(QPoint(edge(shown.left()), edge(shown.top())),
                     QPoint(edge(shown.right()) - 1, edge(shown.bottom()) - 1));
        columns = cellsAlong(rect.left(), rect.width(), part.columnStart, part.columnStep, cells.map.columns,
                             [&](double pixel) {
                                 return cells.mapping.data({pixel / deviceRatio, 0.0}).x();
                             });
        rows =
            cellsAlong(rect.top(), rect.height(), part.rowStart, part.rowStep, part.rows, [&](double pixel) {
                return cells.mapping.data({0.0, pixel / deviceRatio}).y();
            });
        std::ranges::for_each(rows, [&](std::size_t& row) { row += index(part.firstRow); });
        isOneToOne = followEachOther(columns);
    }
};

/// What the maps of a stack are drawn with.
struct MapPainter::Inks {
    QList<QRgb> colors;
    std::array<QRgb, colorLevelCount + 1> table{};
    std::array<QImage, cellStateCount> hatches;  // as wide as the widest picture; null: each cell has strokes

    Inks(const Heatmap& map, const FigureStyle& style) : colors(levelColors(map.map, style)) {
        std::ranges::copy(colors, table.begin());
        table[noColorLevel] = style.plotBackground.rgb();
    }

    void makeHatches(int width, const FigureStyle& style, double deviceRatio) {
        for (std::size_t state = 1; state < cellStateCount; ++state) {
            hatches[state] = hatchRows(static_cast<CellState>(state), width, style, deviceRatio);
        }
    }
    [[nodiscard]] bool hasHatches() const { return !hatches.back().isNull(); }
};

void MapPainter::paint(QPainter& painter, const Heatmap& map, const PlotMapping& mapping,
                       const FigureStyle& style) {
    if (map.rows == 0 || map.columns == 0) {
        return;
    }
    if (m_hasGaps.empty()) {
        m_hasGaps = setColorLevels(map, m_levels);
    }
    const double ratio = painter.device()->devicePixelRatioF();
    const std::vector<MapPart> parts = mapParts(map);
    std::vector<std::pair<Cells, Grid>> seen;
    QSize largest;
    for (const MapPart& part : parts) {
        const Cells cells(map, part, mapping);
        Grid grid(cells, ratio);
        if (!grid.rect.isEmpty()) {
            largest = largest.expandedTo(grid.rect.size());
            seen.emplace_back(cells, std::move(grid));
        }
    }
    if (seen.empty()) {
        return;
    }
    Inks inks(map, style);
    const bool areLarge = seen.front().first.areLarge();
    if (!areLarge && std::ranges::find(m_hasGaps, 1) != m_hasGaps.end()) {
        inks.makeHatches(largest.width(), style, ratio);
    }
    if (m_picture.size() != largest) {
        m_picture = QImage(largest, QImage::Format_RGB32);
    }
    painter.save();
    painter.setClipRect(mapping.rect());
    painter.scale(1.0 / ratio, 1.0 / ratio);  // a pixel of the picture is one of the device
    for (const auto& [cells, grid] : seen) {
        compose(cells, grid, inks);
        painter.drawImage(grid.rect.topLeft(), m_picture, QRect(QPoint(0, 0), grid.rect.size()));
    }
    painter.scale(ratio, ratio);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const auto& [cells, grid] : seen) {
        if (areLarge) {
            paintStrokes(painter, cells, style);
        }
        if (map.writeValues) {
            paintValues(painter, cells, inks, style);
        }
    }
    painter.restore();
}

/// Fills the picture from its left top corner on.
void MapPainter::compose(const Cells& cells, const Grid& grid, const Inks& inks) {
    const Heatmap& map = cells.map;
    const std::size_t width = grid.columns.size();
    uchar* const bits = m_picture.bits();
    const auto stride = m_picture.bytesPerLine();
    forRowPortions(grid.rect.height(), grid.rect.width(), [&](int begin, int end) {
        for (int y = begin; y < end; ++y) {
            auto* pixels = reinterpret_cast<QRgb*>(bits + y * stride);
            const std::size_t row = grid.rows[index(y)];
            const bool isHatched = inks.hasHatches() && m_hasGaps[row] != 0;
            if (!isHatched && y > begin && grid.rows[index(y - 1)] == row) {
                std::memcpy(pixels, bits + (y - 1) * stride, width * sizeof(QRgb));
                continue;
            }
            const std::size_t firstCell = row * index(map.columns);
            const ColorLevel* levels = m_levels.data() + firstCell;
            if (grid.isOneToOne) {
                levels += grid.columns.front();
                for (std::size_t x = 0; x < width; ++x) {
                    pixels[x] = inks.table[levels[x]];
                }
            } else {
                for (std::size_t x = 0; x < width; ++x) {
                    pixels[x] = inks.table[levels[grid.columns[x]]];
                }
            }
            if (isHatched) {
                std::array<const QRgb*, cellStateCount> lines{};
                for (std::size_t state = 1; state < cellStateCount; ++state) {
                    const QImage& hatch = inks.hatches[state];
                    lines[state] = reinterpret_cast<const QRgb*>(hatch.constScanLine(y % hatch.height()));
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
void MapPainter::paintStrokes(QPainter& painter, const Cells& cells, const FigureStyle& style) const {
    const double reach = std::min(std::min(cells.width, cells.height) * 0.18, 7.0);
    painter.setPen(QPen(style.hatch, 1.0));
    for (std::int64_t row = cells.rowBegin; row < cells.rowEnd; ++row) {
        for (std::int64_t column = cells.columnBegin; column < cells.columnEnd; ++column) {
            const CellState state = cells.map.stateAt(cells.at(row, column));
            painter.drawLines(strokes(state, cells.rect(row, column).center(), reach));
        }
    }
}

void MapPainter::paintValues(QPainter& painter, const Cells& cells, const Inks& inks,
                             const FigureStyle& style) const {
    const Heatmap& map = cells.map;
    int pixels = std::min(largestValue, static_cast<int>(std::min(cells.height * 0.5, cells.width * 0.4)));
    const bool isNarrow = cells.width < textAdvance(figureFont(style, pixels), QStringLiteral("0.00")) + 10.0;
    const CellRoom room = isNarrow ? CellRoom::narrow : CellRoom::wide;
    // All in one size: a number left out would look like a cell without one.
    while (pixels >= smallestValue &&
           widestValue(map, figureFont(style, pixels), room) > cells.width - valuePad) {
        --pixels;
    }
    if (pixels < smallestValue) {
        return;
    }
    const QFont font = figureFont(style, pixels);
    painter.setFont(font);
    for (std::int64_t row = cells.rowBegin; row < cells.rowEnd; ++row) {
        for (std::int64_t column = cells.columnBegin; column < cells.columnEnd; ++column) {
            const std::size_t cell = cells.at(row, column);
            if (m_levels[cell] == noColorLevel) {
                continue;
            }
            // Whole, in what is seen of the cell: a number that is cut reads as another one.
            const QRectF shown = cells.rect(row, column) & cells.mapping.rect();
            const QString text = cellText(map, map.values[cell], room);
            if (shown.height() >= pixels && shown.width() >= textAdvance(font, text) + valuePad) {
                painter.setPen(inkOn(inks.colors[m_levels[cell]]));
                painter.drawText(shown, Qt::AlignCenter | Qt::TextDontClip, text);
            }
        }
    }
}

}  // namespace phaseladder::ui
