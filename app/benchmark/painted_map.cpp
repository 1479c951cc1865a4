#include "app/benchmark/painted_map.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <utility>

#include "ui/figure/plot_mapping.h"

namespace phaseladder::app {

void PaintedMap::setValues(std::int64_t rows, std::int64_t columns, std::vector<double> values,
                           const std::vector<std::uint8_t>& masked, double high) {
    m_map.rows = rows;
    m_map.columns = columns;
    m_map.values = std::move(values);
    m_map.states.assign(masked.size(), CellState::shown);
    std::transform(masked.begin(), masked.end(), m_map.states.begin(), [](std::uint8_t isMasked) {
        return isMasked != 0 ? CellState::masked : CellState::shown;
    });
    setHigh(high);
    m_panel.x.minimum = m_panel.y.minimum = -0.5;
    m_panel.x.maximum = static_cast<double>(columns) - 0.5;
    m_panel.y.maximum = static_cast<double>(rows) - 0.5;
    m_panel.y.reversed = true;
    const QSize size(static_cast<int>(columns), static_cast<int>(rows));
    if (!isVisible() || size != this->size()) {
        resize(size);
        show();
        QCoreApplication::processEvents();  // until it is exposed nothing is painted
    }
}

void PaintedMap::setHigh(double high) {
    m_map.high = high;
    m_painter.startMap();
}

void PaintedMap::paintNow() {
    m_painter.startMap();
    repaint();
}

void PaintedMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ui::PlotRange all{m_panel.x.minimum, m_panel.x.maximum, m_panel.y.minimum, m_panel.y.maximum};
    m_painter.paint(painter, m_map, ui::PlotMapping(rect(), m_panel.x, m_panel.y, all), m_style);
}

}  // namespace phaseladder::app
