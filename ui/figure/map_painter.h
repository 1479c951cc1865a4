#pragma once

#include <QImage>

#include "ui/figure/figure_style.h"
#include "ui/figure/plot_mapping.h"

class QPainter;

namespace phaseladder::ui {

/// A Heatmap ready to be drawn: one pixel of an indexed image a cell. A change of colours replaces the colour
/// table only. Masked, undefined and aliased cells are left transparent there and hatched, each in its own
/// way.
class MapPainter {
public:
    /// `panel` says which way the axes run.
    MapPainter(const Heatmap& map, const Panel& panel);

    /// Draws the visible cells with hard edges, the hatches, and the values where there is room.
    void paint(QPainter& painter, const Heatmap& map, const PlotMapping& mapping, const FigureStyle& style);

private:
    void paintImage(QPainter& painter, const QImage& image, const Heatmap& map,
                    const PlotMapping& mapping) const;
    void paintHatches(QPainter& painter, const Heatmap& map, const PlotMapping& mapping,
                      const FigureStyle& style);
    void paintValues(QPainter& painter, const Heatmap& map, const PlotMapping& mapping,
                     const FigureStyle& style) const;

    QImage m_indexes;       // Indexed8: 0 is no value, 1 to 255 are the range
    QImage m_states;        // Indexed8 of CellState, null when all cells are shown
    bool m_flipX, m_flipY;  // against the map's own order, which starts at the top left
};

/// Room that the colour bar takes at the right of a plot, with its gap, ticks and title.
[[nodiscard]] double colorBarWidth(const Heatmap& map, double plotHeight, const FigureStyle& style);
void paintColorBar(QPainter& painter, const Heatmap& map, const QRectF& plot, const FigureStyle& style);

}  // namespace phaseladder::ui
