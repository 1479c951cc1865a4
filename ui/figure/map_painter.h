#pragma once

#include <QImage>

#include <cstdint>
#include <vector>

#include "ui/figure/figure_style.h"
#include "ui/figure/map_colors.h"
#include "ui/figure/plot_mapping.h"

class QPainter;

namespace phaseladder::ui {

/// Draws a Heatmap, of a stack all its maps. Its cells become levels once; a picture is their colours, looked
/// up pixel by pixel, so that other colours or another part of the map cost no look at the values:
///
///   values (double)  ->  levels (16 bits a cell)  ->  picture (32 bits a pixel of the device)
///
/// Masked, undefined and aliased cells and rows without keys are hatched, each in its own way. Colours and
/// hatches are made once for all maps of a stack.
class MapPainter {
public:
    /// From now on draws another map; what is allocated is kept.
    void startMap() { m_hasGaps.clear(); }

    /// Draws the visible cells with hard edges, the hatches, and the values where there is room. `map` is the
    /// same until startMap().
    void paint(QPainter& painter, const Heatmap& map, const PlotMapping& mapping, const FigureStyle& style);

private:
    struct Cells;
    struct Grid;
    struct Inks;
    void compose(const Cells& cells, const Grid& grid, const Inks& inks);
    void paintStrokes(QPainter& painter, const Cells& cells, const FigureStyle& style) const;
    void paintValues(QPainter& painter, const Cells& cells, const Inks& inks, const FigureStyle& style) const;

    std::vector<ColorLevel> m_levels;     // of the map's cells, in its own order
    std::vector<std::uint8_t> m_hasGaps;  // of each row: whether a cell has no value; empty: no levels yet
    QImage m_picture;                     // of the visible cells of one map, in pixels of the device
};

}  // namespace phaseladder::ui
