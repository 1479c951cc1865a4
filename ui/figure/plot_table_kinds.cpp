#include "ui/figure/plot_table_kinds.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/figures/map_tiles.h"
#include "ui/figure/clock_layout.h"
#include "ui/figure/readout_words.h"

namespace phaseladder::ui {
namespace {

const QString separator = QStringLiteral(" · ");

/// A hand without a label has that of its number.
QString handName(const Clock& clock, std::size_t index) {
    const std::string& label = clock.hands[index].label;
    return label.empty() ? QCoreApplication::translate("PlotTable", "hand %1").arg(index + 1)
                         : QString::fromStdString(label);
}

}  // namespace

QString MapTable::rowHeader(int row) const {
    if (map->tiles) {
        Axis ofTiles;
        ofTiles.meaning = map->tiles->meaning;
        const auto rowInTile = static_cast<double>(row % map->tiles->rows);
        return axisText(ofTiles, static_cast<double>(row / map->tiles->rows)) + separator +
               cellSpanText(map->tiles->y, map->rowStart + rowInTile * map->rowStep, map->rowStep);
    }
    return cellSpanText(panel->y, map->rowStart + row * map->rowStep, map->rowStep);
}

QString MapTable::columnHeader(int column) const {
    return cellSpanText(map->tiles ? map->tiles->x : panel->x, map->columnStart + column * map->columnStep,
                        map->columnStep);
}

QString MapTable::corner() const {
    return QCoreApplication::translate("PlotTable", "%1 by %2")
        .arg(splitTitle(map->tiles ? map->tiles->y.title : panel->y.title).name,
             splitTitle(map->tiles ? map->tiles->x.title : panel->x.title).name);
}

QString MapTable::text(int row, int column) const {
    return cellNumberText(*map, row, column);
}

QString MapTable::sentence(int row, int column) const {
    return rowHeader(row) + separator + columnHeader(column) + separator + cellValueText(*map, row, column);
}

std::optional<TablePlace> MapTable::placeOf(const HoverReadout& readout) const {
    if (!readout.cell.has_value()) {
        return std::nullopt;
    }
    if (map->tiles) {
        const std::optional<TileCell> cell = tileCellAt(*map, readout.x, readout.y);
        return cell ? std::optional(TablePlace{static_cast<int>(cell->tile * map->tiles->rows + cell->row),
                                               static_cast<int>(cell->column)})
                    : std::nullopt;
    }
    const auto index = [](double from, double start, double step) {
        return static_cast<int>(std::lround((from - start) / step));
    };
    return TablePlace{index(readout.cell->top(), map->rowStart, map->rowStep),
                      index(readout.cell->left(), map->columnStart, map->columnStep)};
}

std::optional<QRectF> MapTable::extent(int row, int column) const {
    if (map->tiles) {
        const TilePlace place = tilePlace(*map->tiles, row / map->tiles->rows);
        const double width = 1.0 / static_cast<double>(map->columns);
        const double height = 1.0 / static_cast<double>(map->tiles->rows);
        return QRectF(place.x + column * width,
                      place.y + static_cast<double>(row % map->tiles->rows) * height, width, height);
    }
    return QRectF(map->columnStart + column * map->columnStep, map->rowStart + row * map->rowStep,
                  map->columnStep, map->rowStep);
}

CurveTable::CurveTable(const Panel& itsPanel, const QSet<QString>& hiddenLabels)
    : panel(&itsPanel), curves(samplesOf(itsPanel, hiddenLabels)) {
    for (const Samples& curve : std::as_const(curves)) {
        std::ranges::copy_if(*curve.x, std::back_inserter(x), [](double one) { return std::isfinite(one); });
    }
    std::ranges::sort(x);
    const auto repeated = std::ranges::unique(x);
    x.erase(repeated.begin(), repeated.end());
}

QString CurveTable::rowHeader(int row) const {
    return axisText(panel->x, x[static_cast<std::size_t>(row)]);
}

QString CurveTable::columnHeader(int column) const {
    const Samples& curve = curves[column];
    if (!curve.label->empty()) {
        return QString::fromStdString(*curve.label);
    }
    if (!panel->y.labels.empty() && !curve.y->empty()) {
        const double top = curve.high != nullptr ? curve.high->front() : curve.y->front();
        return axisValueText(panel->y, (curve.y->front() + top) / 2.0);
    }
    const QString name = splitTitle(panel->y.title).name;
    return curves.size() == 1 ? name : QStringLiteral("%1 %2").arg(name).arg(column + 1);
}

QString CurveTable::corner() const {
    return splitTitle(panel->x.title).name;
}

std::optional<std::size_t> CurveTable::sampleAt(const Samples& samples, int row) const {
    const auto found = std::ranges::find(*samples.x, x[static_cast<std::size_t>(row)]);
    const auto index = static_cast<std::size_t>(found - samples.x->begin());
    if (found == samples.x->end() || !std::isfinite((*samples.y)[index])) {
        return std::nullopt;
    }
    return index;
}

QString CurveTable::text(int row, int column) const {
    const Samples& curve = curves[column];
    const std::optional<std::size_t> index = sampleAt(curve, row);
    if (!index.has_value()) {
        return {};
    }
    const double value = sampleValue(panel->y, (*curve.y)[*index]);
    return curve.high == nullptr ? shownNumber(value)
                                 : spanText(value, sampleValue(panel->y, (*curve.high)[*index]));
}

QString CurveTable::sentence(int row, int column) const {
    const QString header = rowHeader(row) + separator + columnHeader(column);
    const QString value = text(row, column);
    return value.isEmpty()
               ? header
               : header + QStringLiteral(" = ") + withUnit(value, splitTitle(panel->y.title).unit);
}

std::optional<TablePlace> CurveTable::placeOf(const HoverReadout& readout) const {
    const auto found = std::ranges::lower_bound(x, readout.x);
    if (found == x.end() || *found != readout.x) {
        return std::nullopt;
    }
    // The curve nearest to the crosshair, as it is drawn.
    std::optional<TablePlace> nearest;
    double least = 0.0;
    const int row = static_cast<int>(found - x.begin());
    for (int column = 0; column < columns(); ++column) {
        const std::optional<QRectF> point = extent(row, column);
        if (!point.has_value()) {
            continue;
        }
        const double distance =
            std::abs(scaledValue(panel->y, point->y()) - scaledValue(panel->y, readout.y));
        if (!nearest.has_value() || distance < least) {
            nearest = TablePlace{row, column};
            least = distance;
        }
    }
    return nearest;
}

std::optional<QRectF> CurveTable::extent(int row, int column) const {
    const Samples& curve = curves[column];
    const std::optional<std::size_t> index = sampleAt(curve, row);
    if (!index.has_value()) {
        return std::nullopt;
    }
    return QRectF(x[static_cast<std::size_t>(row)] + curve.offset, (*curve.y)[*index], 0.0, 0.0);
}

DialTable::DialTable(const Panel& panel, const QSet<QString>& hiddenLabels) : clocks(clocksOf(panel)) {
    for (const Clock* clock : std::as_const(clocks)) {
        for (std::size_t index = 0; index < clock->hands.size(); ++index) {
            const QString name = handName(*clock, index);
            if (!hands.contains(name) && !hiddenLabels.contains(name)) {
                hands.append(name);
            }
        }
    }
}

QString DialTable::rowHeader(int row) const {
    return clockName(*clocks[row]);
}

QString DialTable::columnHeader(int column) const {
    return hands[column];
}

QString DialTable::corner() const {
    return QCoreApplication::translate("PlotTable", "dial");
}

QString DialTable::text(int row, int column) const {
    const Clock& clock = *clocks[row];
    for (std::size_t index = 0; index < clock.hands.size(); ++index) {
        if (handName(clock, index) == hands[column]) {
            return handText(clock.hands[index]);
        }
    }
    return {};
}

QString DialTable::sentence(int row, int column) const {
    const QString header = rowHeader(row) + separator + columnHeader(column);
    const QString value = text(row, column);
    return value.isEmpty() ? header : header + QStringLiteral(" = ") + value;
}

std::optional<TablePlace> DialTable::placeOf(const HoverReadout& readout) const {
    const qsizetype row = clocks.indexOf(readout.clock);
    return row < 0 || hands.isEmpty() ? std::nullopt : std::optional(TablePlace{static_cast<int>(row), 0});
}

std::optional<QRectF> DialTable::extent(int row, int /*column*/) const {
    const Clock& clock = *clocks[row];
    return QRectF(clock.x - clock.radius, clock.y - clock.radius, 2.0 * clock.radius, 2.0 * clock.radius);
}

TextTable::TextTable(const Panel& panel) {
    for (const Layer& layer : panel.layers) {
        if (const auto* text = std::get_if<Text>(&layer)) {
            texts.append(text);
        }
    }
    std::ranges::stable_sort(texts, [&](const Text* one, const Text* other) {
        return one->y == other->y ? one->x < other->x : (one->y < other->y) == panel.y.reversed;
    });
}

QString TextTable::rowHeader(int row) const {
    return QCoreApplication::translate("PlotTable", "line %1").arg(row + 1);
}

QString TextTable::columnHeader(int /*column*/) const {
    return QCoreApplication::translate("PlotTable", "text");
}

QString TextTable::corner() const {
    return QCoreApplication::translate("PlotTable", "line");
}

QString TextTable::text(int row, int /*column*/) const {
    return QString::fromStdString(texts[row]->text);
}

std::optional<TablePlace> TextTable::placeOf(const HoverReadout& /*readout*/) const {
    return std::nullopt;
}

std::optional<QRectF> TextTable::extent(int row, int /*column*/) const {
    return QRectF(texts[row]->x, texts[row]->y, 0.0, 0.0);
}

}  // namespace phaseladder::ui
