#pragma once

#include <QImage>

#include <cstdint>
#include <optional>
#include <vector>

#include "ui/figure/figure_style.h"
#include "ui/figure/map_colors.h"
#include "ui/figure/plot_mapping.h"

class QPainter;

namespace phaseladder::ui {

/// Draws a Heatmap. Its cells become levels once; a picture is their colours, looked up pixel by pixel, so
/// that other colours or another part of the map cost no look at the values:
///
///   values (double)  ->  levels (16 bits a cell)  ->  picture (32 bits a pixel of the device)
///
/// Masked, undefined and aliased cells and rows without keys are hatched, each in its own way.
class MapPainter {
public:
    /// From now on draws another map; what is allocated is kept.
    void startMap() { m_hasGaps.clear(); }

    /// Draws the visible cells with hard edges, the hatches, and the values where there is room. `map` is the
    /// same until startMap().
    void paint(QPainter& painter, const Heatmap& map, const PlotMapping& mapping, const FigureStyle& style);

private:
    /// Which row and column of the map each pixel of the device shows: the one that its middle is in.
    struct Grid {
        QRect rect;                              // in pixels of the device
        std::vector<std::size_t> rows, columns;  // from the top left
        bool isOneToOne = false;                 // each column is the one after that on its left
    };
    [[nodiscard]] static Grid gridOf(const Heatmap& map, const PlotMapping& mapping, double deviceRatio);
    /// Fills the picture; hatches, at the resolution of the device, where a ratio is given.
    void compose(const Heatmap& map, const Grid& grid, const QList<QRgb>& colors, const FigureStyle& style,
                 std::optional<double> hatchRatio);
    void paintStrokes(QPainter& painter, const Heatmap& map, const PlotMapping& mapping,
                      const FigureStyle& style) const;
    void paintValues(QPainter& painter, const Heatmap& map, const PlotMapping& mapping,
                     const QList<QRgb>& colors, const FigureStyle& style) const;

    std::vector<ColorLevel> m_levels;     // of the map's cells, in its own order
    std::vector<std::uint8_t> m_hasGaps;  // of each row: whether a cell has no value; empty: no levels yet
    QImage m_picture;                     // of the visible cells, in pixels of the device
};

/// Room that the colour bar takes at the right of a plot, with its gap, ticks and title.
[[nodiscard]] double colorBarWidth(const Heatmap& map, double plotHeight, const FigureStyle& style);
void paintColorBar(QPainter& painter, const Heatmap& map, const QRectF& plot, const FigureStyle& style);

}  // namespace phaseladder::ui
