#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

#include "core/figures/figure.h"
#include "ui/figure/figure_style.h"
#include "ui/figure/map_painter.h"

namespace phaseladder::app {

/// A widget that a map fills, cell by pixel, drawn by the class that draws maps in the window.
class PaintedMap : public QWidget {
public:
    /// Values row by row, from 0 to `high`; the widget gets their size. A cell that is masked is hatched.
    void setValues(std::int64_t rows, std::int64_t columns, std::vector<double> values,
                   const std::vector<std::uint8_t>& masked, double high);
    void setHigh(double high);
    /// Turns the values into colours and paints them now.
    void paintNow();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Heatmap m_map;
    Panel m_panel;
    ui::FigureStyle m_style = ui::figureStyle(ui::StyleKind::light);
    ui::MapPainter m_painter;
};

}  // namespace phaseladder::app
