#include "ui/figure/heatmap_layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/figures/color_range.h"
#include "ui/figure/axis_plan.h"
#include "ui/figure/hatch_lines.h"
#include "ui/figure/map_cells.h"
#include "ui/figure/map_colors.h"

namespace phaseladder::ui {

namespace {

constexpr double largeCell =
    14.0;  // points: from here on a cell without a value carries one stroke of its own
constexpr double hatchSpacing = 3.0;
constexpr double hatchWidth = 0.5;
constexpr double smallestValueText = 5.0;  // points
constexpr double barGap = 6.0;
constexpr double barWidth = 7.0;
constexpr double tickLength = 2.5;
constexpr double labelGap = 2.0;

/// Neighbouring cells along one axis and where they lie on it; the cells at the border of the plot may be
/// cut.
struct CellSpan {
    std::int64_t first = 0;
    std::int64_t count = 0;
    double from = 0.0, to = 0.0;  // in axis units
};

QList<CellSpan> visibleSpans(double start, double step, std::int64_t cells, double minimum, double maximum) {
    const double slack = 1e-9 * step;
    const auto first = std::max<std::int64_t>(0, std::llround(std::floor((minimum - start + slack) / step)));
    const auto end = std::min<std::int64_t>(cells, std::llround(std::ceil((maximum - start - slack) / step)));
    const auto edge = [&](std::int64_t cell) { return start + static_cast<double>(cell) * step; };
    QList<CellSpan> spans;
    std::int64_t next = first;
    if (next < end && edge(next) < minimum - slack) {
        spans.append({next, 1, minimum, std::min(edge(next + 1), maximum)});
        ++next;
    }
    const bool lastIsCut = next < end && edge(end) > maximum + slack;
    const std::int64_t wholeEnd = lastIsCut ? end - 1 : end;
    if (next < wholeEnd) {
        spans.append({next, wholeEnd - next, edge(next), edge(wholeEnd)});
    }
    if (lastIsCut) {
        spans.append({end - 1, 1, edge(end - 1), maximum});
    }
    return spans;
}

void forEachCell(const QList<CellSpan>& rows, const QList<CellSpan>& columns, const auto& function) {
    for (const CellSpan& rowSpan : rows) {
        for (std::int64_t row = rowSpan.first; row < rowSpan.first + rowSpan.count; ++row) {
            for (const CellSpan& columnSpan : columns) {
                for (std::int64_t column = columnSpan.first; column < columnSpan.first + columnSpan.count;
                     ++column) {
                    function(row, column);
                }
            }
        }
    }
}

CellState stateAt(const Heatmap& map, std::int64_t row, std::int64_t column) {
    return map.stateAt(static_cast<std::size_t>(row * map.columns + column));
}

QImage cellImage(const Heatmap& map, const CellSpan& rows, const CellSpan& columns,
                 const PlotMapping& mapping, const FigureStyle& style) {
    const QList<QRgb> colors = levelColors(map.map, style);
    QImage image(static_cast<int>(columns.count), static_cast<int>(rows.count), QImage::Format_RGB32);
    for (std::int64_t row = 0; row < rows.count; ++row) {
        const std::int64_t line = mapping.y().reversed ? row : rows.count - 1 - row;
        auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(line)));
        for (std::int64_t column = 0; column < columns.count; ++column) {
            const std::int64_t dataRow = rows.first + row;
            const std::int64_t dataColumn = columns.first + column;
            const bool isShown = stateAt(map, dataRow, dataColumn) == CellState::shown;
            pixels[mapping.x().reversed ? columns.count - 1 - column : column] =
                isShown ? colors[colorLevel(
                              map, map.values[static_cast<std::size_t>(dataRow * map.columns + dataColumn)])]
                        : style.plotBackground.rgb();
        }
    }
    return image;
}

void addCellStrokes(QList<QPolygonF>& strokes, const QRectF& cell, CellState state) {
    const double reach = 0.18 * std::min(cell.width(), cell.height());
    for (const HatchDirection direction : hatchDirections(state)) {
        const QPointF half(reach, direction == HatchDirection::up     ? -reach
                                  : direction == HatchDirection::down ? reach
                                                                      : 0.0);
        strokes.append(QPolygonF({cell.center() - half, cell.center() + half}));
    }
}

/// The parts of one hatch line that lie over cells of a state, joined across cells.
void addHatchParts(QList<QPolygonF>& strokes, const QLineF& line, CellState state, const Heatmap& map,
                   const PlotMapping& mapping) {
    const QPointF from = mapping.data(line.p1());
    const QPointF to = mapping.data(line.p2());
    std::vector<double> crossings{0.0, 1.0};
    const auto addCrossings = [&](double a, double b, double start, double step) {
        if (a == b) {
            return;
        }
        const double low = std::ceil((std::min(a, b) - start) / step);
        const double high = std::floor((std::max(a, b) - start) / step);
        for (double edge = low; edge <= high; edge += 1.0) {
            crossings.push_back(std::clamp((start + edge * step - a) / (b - a), 0.0, 1.0));
        }
    };
    addCrossings(from.x(), to.x(), map.columnStart, map.columnStep);
    addCrossings(from.y(), to.y(), map.rowStart, map.rowStep);
    std::sort(crossings.begin(), crossings.end());
    double begin = -1.0;  // of the part that is open
    for (std::size_t index = 0; index < crossings.size(); ++index) {
        bool isInside = false;
        if (index + 1 < crossings.size()) {
            const QPointF middle = from + (to - from) * (0.5 * (crossings[index] + crossings[index + 1]));
            const auto row = std::llround(std::floor((middle.y() - map.rowStart) / map.rowStep));
            const auto column = std::llround(std::floor((middle.x() - map.columnStart) / map.columnStep));
            isInside = row >= 0 && row < map.rows && column >= 0 && column < map.columns &&
                       stateAt(map, row, column) == state;
        }
        if (isInside && begin < 0.0) {
            begin = crossings[index];
        } else if (!isInside && begin >= 0.0) {
            strokes.append(QPolygonF({line.pointAt(begin), line.pointAt(crossings[index])}));
            begin = -1.0;
        }
    }
}

/// Cells without a value: one stroke each where they are large, else hatches across all of a kind.
void addHatches(QList<Primitive>& primitives, const Heatmap& map, const QList<CellSpan>& rows,
                const QList<CellSpan>& columns, const PlotMapping& mapping, const FigureStyle& style) {
    const QRectF cell = cellRect(map, mapping, 0, 0);
    const bool isLarge = std::min(cell.width(), cell.height()) >= largeCell;
    const QRectF shown = cell.united(cellRect(map, mapping, map.rows - 1, map.columns - 1)) &
                         mapping.rect();  // one map of a stack has a part of the plot
    QList<QPolygonF> strokes;
    bool isPresent[5] = {};
    forEachCell(rows, columns, [&](std::int64_t row, std::int64_t column) {
        const CellState state = stateAt(map, row, column);
        isPresent[static_cast<std::size_t>(state)] = true;
        if (isLarge && state != CellState::shown) {
            addCellStrokes(strokes, cellRect(map, mapping, row, column).intersected(mapping.rect()), state);
        }
    });
    for (const CellState state :
         {CellState::masked, CellState::undefined, CellState::aliased, CellState::noKeys}) {
        for (const HatchDirection direction : hatchDirections(state)) {
            if (isLarge || !isPresent[static_cast<std::size_t>(state)]) {
                continue;
            }
            for (const QLineF& line : hatchLines(shown, hatchSpacing, direction)) {
                addHatchParts(strokes, line, state, map, mapping);
            }
        }
    }
    if (!strokes.isEmpty()) {
        primitives.append(Polyline{strokes, style.hatch, hatchWidth, {}});
    }
}

void addValues(QList<Primitive>& primitives, const Heatmap& map, const QList<CellSpan>& rows,
               const QList<CellSpan>& columns, const PlotMapping& mapping, const FigureStyle& style,
               const TextStyle& text) {
    const QRectF cell = cellRect(map, mapping, 0, 0);
    TextStyle own = text;
    own.sizePoints = std::min(0.95 * text.sizePoints, 0.5 * cell.height());
    double widest = 0.0;
    for (const double value : map.values) {
        widest = std::isfinite(value) ? std::max(widest, textWidth(cellText(map, value), own)) : widest;
    }
    own.sizePoints *= std::min(1.0, 0.84 * cell.width() / std::max(widest, 1.0));
    if (own.sizePoints < smallestValueText) {
        return;
    }
    const QList<QRgb> colors = levelColors(map.map, style);
    forEachCell(rows, columns, [&](std::int64_t row, std::int64_t column) {
        const QRectF rect = cellRect(map, mapping, row, column);
        if (stateAt(map, row, column) != CellState::shown ||
            !mapping.rect().adjusted(-0.1, -0.1, 0.1, 0.1).contains(rect)) {
            return;
        }
        const double value = map.values[static_cast<std::size_t>(row * map.columns + column)];
        own.color = inkOn(colors[colorLevel(map, value)]);
        const QPointF anchor(rect.center().x(), rect.center().y() + 0.5 * capHeight(own));
        for (const TextRun& run : textRuns(anchor, cellText(map, value), own, Qt::AlignHCenter)) {
            primitives.append(run);
        }
    });
}

}  // namespace

void addHeatmap(QList<Primitive>& primitives, const Heatmap& map, const PlotMapping& mapping,
                const FigureStyle& style, const TextStyle& text) {
    if (map.rows <= 0 || map.columns <= 0) {
        return;
    }
    const PlotRange& range = mapping.range();
    const QList<CellSpan> rows =
        visibleSpans(map.rowStart, map.rowStep, map.rows, range.yMinimum, range.yMaximum);
    const QList<CellSpan> columns =
        visibleSpans(map.columnStart, map.columnStep, map.columns, range.xMinimum, range.xMaximum);
    for (const CellSpan& rowSpan : rows) {
        for (const CellSpan& columnSpan : columns) {
            primitives.append(
                CellImage{mapping.pixelRect(columnSpan.from, rowSpan.from, columnSpan.to, rowSpan.to),
                          cellImage(map, rowSpan, columnSpan, mapping, style)});
        }
    }
    addHatches(primitives, map, rows, columns, mapping, style);
    if (map.writeValues) {
        addValues(primitives, map, rows, columns, mapping, style, text);
    }
}

ColorBar planColorBar(const Heatmap& map, double height, const TextStyle& text) {
    ColorBar bar;
    bar.ticks = barTicks(map, std::clamp(static_cast<int>(height / (3.0 * text.sizePoints)), 2, 6));
    double widest = 0.0;
    for (const Tick& tick : bar.ticks) {
        widest = std::max(widest, tickLabelWidth(tick, text));
    }
    bar.width = barGap + barWidth + tickLength + labelGap + widest;
    if (!map.valueTitle.empty()) {
        bar.width += labelGap + lineHeight(text);
    }
    return bar;
}

void addColorBar(QList<Primitive>& primitives, const ColorBar& bar, const Heatmap& map, const QRectF& plot,
                 const FigureStyle& style, const TextStyle& text) {
    const QList<QRgb> colors = levelColors(map.map, style);
    QImage gradient(1, static_cast<int>(colors.size()), QImage::Format_RGB32);
    for (int level = 0; level < gradient.height(); ++level) {
        gradient.setPixel(0, gradient.height() - 1 - level, colors[level]);
    }
    const QRectF rect(plot.right() + barGap, plot.top(), barWidth, plot.height());
    primitives.append(CellImage{rect, gradient});
    primitives.append(Polyline{
        {QPolygonF({rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft(), rect.topLeft()})},
        style.axis,
        0.4,
        {}});
    for (const Tick& tick : bar.ticks) {
        const double y = rect.bottom() - colorShare(map, tick.value) * rect.height();
        primitives.append(
            Polyline{{QPolygonF({QPointF(rect.right(), y), QPointF(rect.right() + tickLength, y)})},
                     style.axis,
                     0.6,
                     {}});
        const QPointF anchor(rect.right() + tickLength + labelGap, y + 0.5 * capHeight(text));
        for (const TextRun& run : tickLabelRuns(tick, anchor, text, Qt::AlignLeft)) {
            primitives.append(run);
        }
    }
    if (!map.valueTitle.empty()) {
        const double x = plot.right() + bar.width - 0.25 * text.sizePoints;
        const QString title = elidedText(QString::fromStdString(map.valueTitle), text, rect.height());
        for (const TextRun& run : textRuns({x, rect.center().y()}, title, text, Qt::AlignHCenter, -90.0)) {
            primitives.append(run);
        }
    }
}

}  // namespace phaseladder::ui
