#include "ui/figure/plot_table.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/figure/readout_words.h"

namespace phaseladder::ui {
namespace {

const QString separator = QStringLiteral(" · ");

QRectF cellExtent(const Heatmap& map, int row, int column) {
    return {map.columnStart + column * map.columnStep, map.rowStart + row * map.rowStep, map.columnStep,
            map.rowStep};
}

}  // namespace

PlotTable::PlotTable(std::shared_ptr<const Panel> panel, QSet<QString> hiddenLabels)
    : m_panel(std::move(panel)), m_hiddenLabels(std::move(hiddenLabels)), m_map(mapOf(*m_panel)) {
    if (m_map != nullptr) {
        return;
    }
    m_curves = samplesOf(*m_panel, m_hiddenLabels);
    for (const Samples& curve : std::as_const(m_curves)) {
        std::ranges::copy_if(*curve.x, std::back_inserter(m_x), [](double x) { return std::isfinite(x); });
    }
    std::ranges::sort(m_x);
    const auto repeated = std::ranges::unique(m_x);
    m_x.erase(repeated.begin(), repeated.end());
}

int PlotTable::rows() const {
    return static_cast<int>(m_map != nullptr ? m_map->rows : static_cast<std::int64_t>(m_x.size()));
}

int PlotTable::columns() const {
    return static_cast<int>(m_map != nullptr ? m_map->columns : m_curves.size());
}

QString PlotTable::rowHeader(int row) const {
    return m_map != nullptr ? cellSpanText(m_panel->y, m_map->rowStart + row * m_map->rowStep, m_map->rowStep)
                            : axisText(m_panel->x, m_x[static_cast<std::size_t>(row)]);
}

QString PlotTable::columnHeader(int column) const {
    if (m_map != nullptr) {
        return cellSpanText(m_panel->x, m_map->columnStart + column * m_map->columnStep, m_map->columnStep);
    }
    const Samples& curve = m_curves[column];
    if (!curve.label->empty()) {
        return QString::fromStdString(*curve.label);
    }
    if (!m_panel->y.labels.empty() && !curve.y->empty()) {
        const double top = curve.high != nullptr ? curve.high->front() : curve.y->front();
        return axisValueText(m_panel->y, (curve.y->front() + top) / 2.0);
    }
    const QString name = splitTitle(m_panel->y.title).name;
    return m_curves.size() == 1 ? name : QStringLiteral("%1 %2").arg(name).arg(column + 1);
}

QString PlotTable::corner() const {
    const QString x = splitTitle(m_panel->x.title).name, y = splitTitle(m_panel->y.title).name;
    return m_map != nullptr ? QCoreApplication::translate("PlotTable", "%1 by %2").arg(y, x) : x;
}

std::optional<std::size_t> PlotTable::sampleAt(const Samples& samples, int row) const {
    const auto found = std::ranges::find(*samples.x, m_x[static_cast<std::size_t>(row)]);
    const auto index = static_cast<std::size_t>(found - samples.x->begin());
    if (found == samples.x->end() || !std::isfinite((*samples.y)[index])) {
        return std::nullopt;
    }
    return index;
}

QString PlotTable::text(int row, int column) const {
    if (m_map != nullptr) {
        return cellNumberText(*m_map, row, column);
    }
    const Samples& curve = m_curves[column];
    const std::optional<std::size_t> index = sampleAt(curve, row);
    if (!index.has_value()) {
        return {};
    }
    const double value = sampleValue(m_panel->y, (*curve.y)[*index]);
    return curve.high == nullptr ? shownNumber(value)
                                 : spanText(value, sampleValue(m_panel->y, (*curve.high)[*index]));
}

QString PlotTable::sentence(int row, int column) const {
    const QString header = rowHeader(row) + separator + columnHeader(column);
    if (m_map != nullptr) {
        return header + separator + cellValueText(*m_map, row, column);
    }
    const QString value = text(row, column);
    return value.isEmpty()
               ? header
               : header + QStringLiteral(" = ") + withUnit(value, splitTitle(m_panel->y.title).unit);
}

std::optional<PlotTable::Place> PlotTable::placeOf(const HoverReadout& readout) const {
    if (m_map != nullptr) {
        if (!readout.cell.has_value()) {
            return std::nullopt;
        }
        const auto index = [](double from, double start, double step) {
            return static_cast<int>(std::lround((from - start) / step));
        };
        return Place{index(readout.cell->top(), m_map->rowStart, m_map->rowStep),
                     index(readout.cell->left(), m_map->columnStart, m_map->columnStep)};
    }
    const auto found = std::ranges::lower_bound(m_x, readout.x);
    if (found == m_x.end() || *found != readout.x) {
        return std::nullopt;
    }
    // The curve nearest to the crosshair, as it is drawn.
    std::optional<Place> nearest;
    double least = 0.0;
    const int row = static_cast<int>(found - m_x.begin());
    for (int column = 0; column < columns(); ++column) {
        const std::optional<QRectF> point = extent(row, column);
        if (!point.has_value()) {
            continue;
        }
        const double distance =
            std::abs(scaledValue(m_panel->y, point->y()) - scaledValue(m_panel->y, readout.y));
        if (!nearest.has_value() || distance < least) {
            nearest = Place{row, column};
            least = distance;
        }
    }
    return nearest;
}

std::optional<QRectF> PlotTable::extent(int row, int column) const {
    if (m_map != nullptr) {
        return cellExtent(*m_map, row, column);
    }
    const std::optional<std::size_t> index = sampleAt(m_curves[column], row);
    if (!index.has_value()) {
        return std::nullopt;
    }
    return QRectF(m_x[static_cast<std::size_t>(row)], (*m_curves[column].y)[*index], 0.0, 0.0);
}

}  // namespace phaseladder::ui
