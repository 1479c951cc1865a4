#include "ui/figure/tile_layout.h"

#include <algorithm>
#include <optional>

#include "core/figures/map_tiles.h"

namespace phaseladder::ui {
namespace {

constexpr double smallestShare = 0.68, shareStep = 0.08;  // of the text's size
constexpr double labelGapShare = 0.2;                     // between a number and its map, likewise
constexpr double frameWidth = 1.4, frameGap = 1.0;

QString numberOf(std::int64_t tile) {
    return QString::number(tile);
}

/// The size in which all numbers fit above their maps, if any.
std::optional<TextStyle> labelStyle(const Heatmap& stack, const PlotMapping& mapping, const TextStyle& text) {
    const QRectF tile = tileRect(stack, 0, mapping);
    const MapTiles& tiles = *stack.tiles;
    for (double share = 1.0; share >= smallestShare; share -= shareStep) {
        TextStyle own = text;
        own.sizePoints = share * text.sizePoints;
        const bool isLow = capHeight(own) + labelGapShare * own.sizePoints + 1.0 <=
                           (tiles.labelRoom + 0.5 * tiles.gap) * tile.height();
        if (isLow && textWidth(numberOf(tileCount(stack) - 1), own) <= tile.width()) {
            return own;
        }
    }
    return std::nullopt;
}

}  // namespace

QRectF tileRect(const Heatmap& stack, std::int64_t tile, const PlotMapping& mapping) {
    const TilePlace place = tilePlace(*stack.tiles, tile);
    return mapping.pixelRect(place.x, place.y, place.x + 1.0, place.y + 1.0);
}

void addTileMarks(QList<Primitive>& primitives, const Heatmap& stack, const PlotMapping& mapping,
                  const FigureStyle& style, const TextStyle& text) {
    const std::optional<TextStyle> label = labelStyle(stack, mapping, text);
    const std::vector<int>& chosen = stack.tiles->chosen;
    const QRectF plot = mapping.rect().adjusted(-0.5, -0.5, 0.5, 0.5);
    for (std::int64_t tile = 0; tile < tileCount(stack); ++tile) {
        const QRectF rect = tileRect(stack, tile, mapping);
        const bool isChosen = std::ranges::find(chosen, static_cast<int>(tile)) != chosen.end();
        if (isChosen && plot.contains(rect)) {
            const QRectF frame = rect.adjusted(-frameGap, -frameGap, frameGap, frameGap);
            const QPolygonF outline({frame.topLeft(), frame.topRight(), frame.bottomRight(),
                                     frame.bottomLeft(), frame.topLeft()});
            primitives.append(Polyline{{outline}, style.accent, frameWidth, {}});
        }
        const double labelGap = label ? labelGapShare * label->sizePoints : 0.0;
        const QPointF anchor = rect.topLeft() - QPointF(0.0, labelGap + (isChosen ? frameGap : 0.0));
        if (label && plot.contains(anchor) && plot.contains(anchor - QPointF(0.0, capHeight(*label)))) {
            TextStyle own = *label;
            own.color = isChosen ? style.accent : own.color;
            for (const TextRun& run : textRuns(anchor, numberOf(tile), own)) {
                primitives.append(run);
            }
        }
    }
}

}  // namespace phaseladder::ui
