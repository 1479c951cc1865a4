#include "ui/figure/plot_table.h"

#include <utility>

#include "ui/figure/clock_layout.h"

namespace phaseladder::ui {

PlotTable::Kind PlotTable::kindOf(const Panel& panel, const QSet<QString>& hiddenLabels) {
    if (const Heatmap* map = mapOf(panel)) {
        return MapTable(panel, *map);
    }
    if (!clocksOf(panel).isEmpty()) {
        return DialTable(panel, hiddenLabels);
    }
    const bool hasCurves = !samplesOf(panel, {}).isEmpty();
    return panel.axesShown || hasCurves ? Kind(CurveTable(panel, hiddenLabels)) : Kind(TextTable(panel));
}

PlotTable::PlotTable(std::shared_ptr<const Panel> panel, QSet<QString> hiddenLabels)
    : m_panel(std::move(panel)),
      m_hiddenLabels(std::move(hiddenLabels)),
      m_kind(kindOf(*m_panel, m_hiddenLabels)) {}

int PlotTable::rows() const {
    return std::visit([&](const auto& kind) { return kind.rows(); }, m_kind);
}

int PlotTable::columns() const {
    return std::visit([&](const auto& kind) { return kind.columns(); }, m_kind);
}

QString PlotTable::rowHeader(int row) const {
    return std::visit([&](const auto& kind) { return kind.rowHeader(row); }, m_kind);
}

QString PlotTable::columnHeader(int column) const {
    return std::visit([&](const auto& kind) { return kind.columnHeader(column); }, m_kind);
}

QString PlotTable::corner() const {
    return std::visit([&](const auto& kind) { return kind.corner(); }, m_kind);
}

QString PlotTable::text(int row, int column) const {
    return std::visit([&](const auto& kind) { return kind.text(row, column); }, m_kind);
}

QString PlotTable::sentence(int row, int column) const {
    return std::visit([&](const auto& kind) { return kind.sentence(row, column); }, m_kind);
}

std::optional<PlotTable::Place> PlotTable::placeOf(const HoverReadout& readout) const {
    return std::visit([&](const auto& kind) { return kind.placeOf(readout); }, m_kind);
}

std::optional<QRectF> PlotTable::extent(int row, int column) const {
    return std::visit([&](const auto& kind) { return kind.extent(row, column); }, m_kind);
}

}  // namespace phaseladder::ui
