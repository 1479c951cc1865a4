#include "ui/figure/hover_readout.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/figures/map_tiles.h"
#include "ui/figure/clock_layout.h"
#include "ui/figure/curve_samples.h"
#include "ui/figure/readout_words.h"

namespace phaseladder::ui {
namespace {

constexpr qsizetype mostValues = 6;  // curves named in one sentence
const QString separator = QStringLiteral(" · ");

std::map<AxisMeaning, double> marksOf(const Panel& panel, double x, std::optional<double> y) {
    std::map<AxisMeaning, double> marks;
    if (panel.x.meaning != AxisMeaning::none) {
        marks[panel.x.meaning] = x;
    }
    if (y.has_value() && panel.y.meaning != AxisMeaning::none && panel.y.meaning != AxisMeaning::value) {
        marks[panel.y.meaning] = *y;
    }
    return marks;
}

QList<ParameterChoice> choicesOf(const Panel& panel, double x, std::optional<double> y) {
    QList<ParameterChoice> choices;
    for (const auto& [axis, place] : {std::pair(&panel.y, y), std::pair(&panel.x, std::optional(x))}) {
        if (place.has_value() && !axis->choice.parameterId.empty()) {
            choices.append({QString::fromStdString(axis->choice.parameterId),
                            static_cast<double>(axis->choice.valueAt(*place))});
        }
    }
    return choices;
}

std::int64_t cellIndex(double value, double start, double step) {
    return static_cast<std::int64_t>(std::floor((value - start) / step));
}

/// Middle of a cell; a whole number where the cell is one of several pooled ones.
double cellMiddle(const Axis& axis, double start, double step) {
    const double middle = start + step / 2.0;
    return axis.wholeNumbers || !axis.labels.empty() ? std::floor(middle + 1e-9) : middle;
}

/// "head 3 · dog → man · weight 0.31": a cell of one map of a stack.
std::optional<HoverReadout> tileReadout(const Heatmap& stack, const QPointF& at) {
    const std::optional<TileCell> cell = tileCellAt(stack, at.x(), at.y());
    if (!cell) {
        return std::nullopt;
    }
    const MapTiles& tiles = *stack.tiles;
    const TilePlace place = tilePlace(tiles, cell->tile);
    const double width = 1.0 / static_cast<double>(stack.columns);
    const double height = 1.0 / static_cast<double>(tiles.rows);
    const double left = stack.columnStart + static_cast<double>(cell->column) * stack.columnStep;
    const double top = stack.rowStart + static_cast<double>(cell->row) * stack.rowStep;
    const int number = static_cast<int>(cell->tile);
    HoverReadout readout;
    readout.tile = QRectF(place.x, place.y, 1.0, 1.0);
    readout.cell = QRectF(place.x + static_cast<double>(cell->column) * width,
                          place.y + static_cast<double>(cell->row) * height, width, height);
    readout.x = readout.cell->center().x();
    readout.y = readout.cell->center().y();
    readout.marks = {{tiles.meaning, number},
                     {tiles.x.meaning, cellMiddle(tiles.x, left, stack.columnStep)},
                     {tiles.y.meaning, cellMiddle(tiles.y, top, stack.rowStep)}};
    readout.marks.erase(AxisMeaning::none);
    if (!tiles.parameterId.empty()) {
        readout.choices = {{QString::fromStdString(tiles.parameterId), static_cast<double>(number)}};
    }
    if (const QString list = QString::fromStdString(tiles.listParameterId); !list.isEmpty()) {
        readout.choices.append({list, std::vector<double>()});
        readout.ctrlChoices = {{list, toggledList(tiles, number)}};
        readout.shiftChoices = {{list, rangeList(tiles, number)}};
    }
    Axis ofTiles;
    ofTiles.meaning = tiles.meaning;
    ofTiles.wholeNumbers = true;
    readout.sentence = axisText(ofTiles, number) + separator + cellSpanText(tiles.y, top, stack.rowStep) +
                       QStringLiteral(" → ") + cellSpanText(tiles.x, left, stack.columnStep) + separator +
                       cellValueText(stack, cell->tile * tiles.rows + cell->row, cell->column);
    return readout;
}

/// The same place in the map beside, above or below; itself at the border.
QPointF neighbourTile(const Heatmap& stack, const QPointF& from, int xStep, int yStep) {
    const std::optional<TileCell> cell = tileCellAt(stack, from.x(), from.y());
    const MapTiles& tiles = *stack.tiles;
    const std::int64_t next = cell ? cell->tile + xStep + yStep * tiles.across : -1;
    const bool isInRow = cell && (xStep == 0 || next / tiles.across == cell->tile / tiles.across);
    if (next < 0 || next >= tileCount(stack) || !isInRow) {
        return from;
    }
    const TilePlace here = tilePlace(tiles, cell->tile), there = tilePlace(tiles, next);
    return from + QPointF(there.x - here.x, there.y - here.y);
}

std::optional<HoverReadout> cellReadout(const Panel& panel, const Heatmap& map, const QPointF& at) {
    const std::int64_t row = cellIndex(at.y(), map.rowStart, map.rowStep);
    const std::int64_t column = cellIndex(at.x(), map.columnStart, map.columnStep);
    if (row < 0 || column < 0 || row >= map.rows || column >= map.columns) {
        return std::nullopt;
    }
    const double top = map.rowStart + static_cast<double>(row) * map.rowStep;
    const double left = map.columnStart + static_cast<double>(column) * map.columnStep;
    HoverReadout readout;
    readout.x = cellMiddle(panel.x, left, map.columnStep);
    readout.y = cellMiddle(panel.y, top, map.rowStep);
    readout.cell = QRectF(left, top, map.columnStep, map.rowStep);
    readout.marks = marksOf(panel, readout.x, readout.y);
    readout.choices = choicesOf(panel, readout.x, readout.y);

    const QString x = cellSpanText(panel.x, left, map.columnStep);
    const QString y = cellSpanText(panel.y, top, map.rowStep);
    const bool isAttention =
        panel.x.meaning == AxisMeaning::keyToken && panel.y.meaning == AxisMeaning::queryToken;
    readout.sentence = isAttention ? y + QStringLiteral(" → ") + x : x + separator + y;
    readout.sentence += separator + cellValueText(map, row, column);
    return readout;
}

/// "pair 17 · live 1.5708 rad (90°), base 0.3927 rad (22.5°)".
HoverReadout clockReadout(const Panel& panel, const Clock& clock, const QSet<QString>& hiddenLabels) {
    HoverReadout readout;
    readout.x = clock.x;
    readout.y = clock.y;
    readout.clock = &clock;
    readout.marks = clock.meaning == AxisMeaning::none
                        ? marksOf(panel, clock.x, clock.y)
                        : std::map<AxisMeaning, double>{{clock.meaning, clock.value}};
    if (!clock.parameterId.empty()) {
        readout.choices = {{QString::fromStdString(clock.parameterId), clock.value}};
    }
    QStringList hands;
    for (const ClockHand& hand : clock.hands) {
        const QString label = QString::fromStdString(hand.label);
        if (!hiddenLabels.contains(label) || label.isEmpty()) {
            hands.append((label + QLatin1Char(' ') + handText(hand)).trimmed());
        }
    }
    readout.sentence = clockName(clock);
    if (!hands.isEmpty()) {
        readout.sentence += separator + hands.join(QStringLiteral(", "));
    }
    return readout;
}

/// The dial nearest along an axis; the same place where there is none.
QPointF neighbourDial(const Panel& panel, const QPointF& from, int xStep, int yStep) {
    QPointF nearest = from;
    double least = std::numeric_limits<double>::infinity();
    for (const Clock* clock : clocksOf(panel)) {
        const QPointF way = QPointF(clock->x, clock->y) - from;
        const double along = way.x() * xStep + way.y() * yStep;
        const double aside = std::abs(way.x() * yStep) + std::abs(way.y() * xStep);
        if (along > 0.0 && along + 3.0 * aside < least) {
            least = along + 3.0 * aside;
            nearest = {clock->x, clock->y};
        }
    }
    return nearest;
}

struct Nearest {
    std::size_t index = 0;
    double distance = std::numeric_limits<double>::infinity();  // pixels along x
};

Nearest nearestSample(const Samples& samples, const PlotMapping& mapping, double xPixel) {
    Nearest nearest;
    for (std::size_t i = 0; i < samples.x->size(); ++i) {
        const double distance = std::abs(mapping.xPixel((*samples.x)[i]) - xPixel);
        if (distance < nearest.distance && std::isfinite((*samples.y)[i])) {
            nearest = {i, distance};
        }
    }
    return nearest;
}

/// "pair 3 = 0.54": the lane that the crosshair is in, and its curve there.
QString laneText(const Panel& panel, const QList<Samples>& all, double xPixel, const HoverReadout& at,
                 const PlotMapping& mapping) {
    const QString name = axisValueText(panel.y, at.y);
    for (const Samples& samples : all) {
        const Nearest nearest = nearestSample(samples, mapping, xPixel);
        if (samples.high != nullptr || nearest.distance > 1.0) {
            continue;
        }
        const double drawn = (*samples.y)[nearest.index];
        if (std::round(drawn) == std::round(at.y)) {
            return name + QStringLiteral(" = ") + shownNumber(sampleValue(panel.y, drawn));
        }
    }
    return name;
}

std::optional<HoverReadout> curveReadout(const Panel& panel, const PlotMapping& mapping, const QPointF& pixel,
                                         const QSet<QString>& hiddenLabels) {
    const QList<Samples> all = samplesOf(panel, hiddenLabels);
    Nearest best;
    const Samples* bestSamples = nullptr;
    for (const Samples& samples : all) {
        const Nearest nearest = nearestSample(samples, mapping, pixel.x());
        if (nearest.distance < best.distance) {
            best = nearest;
            bestSamples = &samples;
        }
    }
    if (bestSamples == nullptr) {
        return std::nullopt;
    }
    HoverReadout readout;
    readout.x = (*bestSamples->x)[best.index];
    readout.y = mapping.data(pixel).y();
    readout.marks = marksOf(panel, readout.x, std::nullopt);
    readout.choices = choicesOf(panel, readout.x, std::nullopt);
    const double snapped = mapping.xPixel(readout.x);
    const AxisName yName = splitTitle(panel.y.title);
    QStringList values;
    for (const Samples& samples : all) {
        const Nearest nearest = nearestSample(samples, mapping, snapped);
        if (nearest.distance > 1.0) {
            continue;
        }
        const double y = (*samples.y)[nearest.index];
        QString text = shownNumber(y);
        readout.dots.append({(*samples.x)[nearest.index] + samples.offset, y, samples.role});
        if (samples.high != nullptr) {
            const double high = (*samples.high)[nearest.index];
            text = spanText(y, high);
            readout.dots.append({(*samples.x)[nearest.index], high, samples.role});
        }
        const QString label = QString::fromStdString(*samples.label);
        values.append(all.size() == 1 || label.isEmpty() ? text : label + QStringLiteral(" = ") + text);
    }
    if (values.size() > mostValues) {
        values = values.mid(0, mostValues);
        values.append(QStringLiteral("…"));
    }
    readout.sentence = axisText(panel.x, readout.x) + separator;
    if (!panel.y.labels.empty()) {
        readout.sentence += laneText(panel, all, snapped, readout, mapping);
        return readout;
    }
    const QString joined = values.join(QStringLiteral(", "));
    const QString head = yName.name + (values.size() > 1 ? QStringLiteral(": ") : QStringLiteral(" "));
    readout.sentence += withUnit(((yName.name.isEmpty() ? QString() : head) + joined).trimmed(), yName.unit);
    return readout;
}

}  // namespace

std::optional<HoverReadout> hoverAt(const Panel& panel, const PlotMapping& mapping, const QPointF& pixel,
                                    const QSet<QString>& hiddenLabels) {
    if (!mapping.rect().adjusted(-0.5, -0.5, 0.5, 0.5).contains(pixel)) {
        return std::nullopt;
    }
    if (const Heatmap* map = mapOf(panel); map != nullptr && map->tiles) {
        return tileReadout(*map, mapping.data(pixel));
    }
    if (const Heatmap* map = mapOf(panel)) {
        return cellReadout(panel, *map, mapping.data(pixel));
    }
    if (const Clock* clock = clockAt(panel, mapping, pixel)) {
        return clockReadout(panel, *clock, hiddenLabels);
    }
    return curveReadout(panel, mapping, pixel, hiddenLabels);
}

QPointF neighbour(const Panel& panel, const HoverReadout& from, int xStep, int yStep) {
    if (const Heatmap* map = mapOf(panel); map != nullptr && map->tiles) {
        return neighbourTile(*map, {from.x, from.y}, xStep, yStep);
    }
    if (const Heatmap* map = mapOf(panel); map != nullptr && from.cell.has_value()) {
        const auto moved = [](double start, double step, std::int64_t count, double cellStart, int by) {
            const std::int64_t index = cellIndex(cellStart + step / 2.0, start, step) + by;
            return start + (static_cast<double>(std::clamp<std::int64_t>(index, 0, count - 1)) + 0.5) * step;
        };
        return {moved(map->columnStart, map->columnStep, map->columns, from.cell->left(), xStep),
                moved(map->rowStart, map->rowStep, map->rows, from.cell->top(), yStep)};
    }
    if (from.clock != nullptr) {
        return neighbourDial(panel, {from.x, from.y}, xStep, yStep);
    }
    double next = from.x;
    for (const Samples& samples : samplesOf(panel, {})) {
        for (std::size_t i = 0; i < samples.x->size(); ++i) {
            const double x = (*samples.x)[i];
            const bool isFurther = xStep > 0 ? x > from.x : x < from.x;
            const bool isNearer = next == from.x || std::abs(x - from.x) < std::abs(next - from.x);
            next = xStep != 0 && isFurther && isNearer && std::isfinite((*samples.y)[i]) ? x : next;
        }
    }
    if (!panel.y.labels.empty()) {
        return {next,
                std::clamp(std::round(from.y) + yStep, 0.0, static_cast<double>(panel.y.labels.size() - 1))};
    }
    return {next, from.y};
}

QList<HoverReadout::Dot> dotsAt(const Panel& panel, const PlotMapping& mapping, double x,
                                const QSet<QString>& hiddenLabels) {
    QList<HoverReadout::Dot> dots;
    for (const Samples& samples : samplesOf(panel, hiddenLabels)) {
        const Nearest nearest = nearestSample(samples, mapping, mapping.xPixel(x));
        if (samples.high == nullptr && nearest.distance <= 1.0) {
            dots.append(
                {(*samples.x)[nearest.index] + samples.offset, (*samples.y)[nearest.index], samples.role});
        }
    }
    return dots;
}

}  // namespace phaseladder::ui
