#include "ui/figure/panel_marks.h"

#include <algorithm>
#include <cmath>

#include "core/figures/map_tiles.h"
#include "ui/figure/bar_layout.h"
#include "ui/figure/clock_layout.h"
#include "ui/figure/curve_points.h"
#include "ui/figure/curve_samples.h"
#include "ui/figure/heatmap_layout.h"
#include "ui/figure/polyline_clip.h"
#include "ui/figure/tile_layout.h"

namespace phaseladder::ui {

namespace {

constexpr double gridWidth = 0.5;
constexpr double columnsPerPoint = 8.0;  // curves are thinned to the columns of a 576 dpi page
constexpr double hatchSpacing = 4.0;
constexpr double smallestLabel = 0.8;  // of the text's size
constexpr double labelPad = 1.2;       // free room around the letters of a label
constexpr std::size_t manyPoints = 200;
constexpr double handleRadius = 2.4, handleRim = 0.8;

template <class Layer>
void forEach(const Panel& panel, const auto& function) {
    for (const auto& layer : panel.layers) {
        if (const auto* one = std::get_if<Layer>(&layer)) {
            function(*one);
        }
    }
}

/// The visible runs of a curve on the page, cut at the plot's border.
QList<QPolygonF> curveParts(const std::vector<double>& x, const std::vector<double>& y,
                            const PlotMapping& mapping) {
    const PlotMapping fine(
        QRectF(0.0, 0.0, columnsPerPoint * mapping.rect().width(), mapping.rect().height()), mapping.x(),
        mapping.y(), mapping.range());
    QList<QPolygonF> parts;
    for (const QList<QPointF>& run : curveRuns(x, y, fine)) {
        QPolygonF points;
        for (const QPointF& point : run) {
            points.append(mapping.scaledPixel(point));
        }
        parts.append(clippedPolyline(points, mapping.rect()));
    }
    return parts;
}

/// Outlines of an envelope: along the high line and back along the low one, broken where either has no value.
QList<QPolygonF> envelopeParts(const Envelope& envelope, const PlotMapping& mapping) {
    QList<QPolygonF> parts;
    QPolygonF high;
    QPolygonF low;
    const auto finishPart = [&] {
        std::reverse(low.begin(), low.end());
        const QPolygonF outline = clippedPolygon(high + low, mapping.rect());
        if (outline.size() > 2) {
            parts.append(outline);
        }
        high.clear();
        low.clear();
    };
    for (std::size_t index = 0; index < envelope.x.size(); ++index) {
        const QPointF top = mapping.pixel(envelope.x[index], envelope.high[index]);
        const QPointF bottom = mapping.pixel(envelope.x[index], envelope.low[index]);
        if (!std::isfinite(top.x()) || !std::isfinite(top.y()) || !std::isfinite(bottom.y())) {
            finishPart();
            continue;
        }
        high.append(top);
        low.append(bottom);
    }
    finishPart();
    return parts;
}

QRectF bandRect(const Band& band, const PlotMapping& mapping) {
    const PlotRange& range = mapping.range();
    const QRectF rect = band.orientation == Orientation::vertical
                            ? mapping.pixelRect(band.from, range.yMinimum, band.to, range.yMaximum)
                            : mapping.pixelRect(range.xMinimum, band.from, range.xMaximum, band.to);
    return rect.intersected(mapping.rect());
}

/// The line of a rule on the page, or nothing when it lies outside the shown range.
QPolygonF ruleLine(const Rule& rule, const PlotMapping& mapping) {
    const QRectF& rect = mapping.rect();
    const bool isFlat = rule.orientation == Orientation::horizontal;
    const double at = isFlat ? mapping.yPixel(rule.at) : mapping.xPixel(rule.at);
    const double low = isFlat ? rect.top() : rect.left();
    const double high = isFlat ? rect.bottom() : rect.right();
    if (!(at >= low - 1e-6 && at <= high + 1e-6)) {
        return {};
    }
    return isFlat ? QPolygonF({QPointF(rect.left(), at), QPointF(rect.right(), at)})
                  : QPolygonF({QPointF(at, rect.top()), QPointF(at, rect.bottom())});
}

void addPolyline(QList<Primitive>& primitives, const QList<QPolygonF>& parts, const RoleStyle& role) {
    if (!parts.isEmpty()) {
        primitives.append(Polyline{parts, role.line, role.widthPoints, role.dashes});
    }
}

void addPoints(QList<Primitive>& primitives, const Points& points, const PlotMapping& mapping,
               const RoleStyle& role) {
    const double radius = points.x.size() > manyPoints ? 1.1 : 2.0;
    const MarkerShape shape = role.marker == MarkerShape::none ? MarkerShape::circle : role.marker;
    for (std::size_t index = 0; index < points.x.size(); ++index) {
        const QPointF center = mapping.pixel(points.x[index], points.y[index]);
        if (mapping.rect().contains(center)) {
            primitives.append(Marker{center, shape, radius, role.line});
        }
    }
}

void addHandle(QList<Primitive>& primitives, const Handle& handle, const PlotMapping& mapping,
               const FigureStyle& style) {
    const QPointF center = mapping.pixel(handle.x, handle.y);
    if (mapping.rect().contains(center)) {
        primitives.append(
            Marker{center, MarkerShape::circle, handleRadius + handleRim, style.plotBackground});
        primitives.append(Marker{center, MarkerShape::circle, handleRadius, style.role(handle.role).line});
    }
}

void addClocks(QList<Primitive>& primitives, const Panel& panel, const PlotMapping& mapping,
               const FigureStyle& style, const TextStyle& text) {
    for (const Clock* clock : clocksOf(panel)) {
        addClock(primitives, *clock, mapping, style);
        const QRectF frame = clock->chosen ? clockFrame(*clock, panel, mapping, text) : QRectF();
        if (!frame.isEmpty()) {
            const QPolygonF outline({frame.topLeft(), frame.topRight(), frame.bottomRight(),
                                     frame.bottomLeft(), frame.topLeft()});
            primitives.append(Polyline{{outline}, style.accent, 1.2, {}});
        }
    }
    for (const TextRun& run : clockLabels(panel, mapping, text)) {
        primitives.append(run);
    }
}

void addBand(QList<Primitive>& primitives, const Band& band, const PlotMapping& mapping,
             const FigureStyle& style) {
    const QRectF rect = bandRect(band, mapping);
    if (rect.isEmpty()) {
        return;
    }
    const RoleStyle role = style.role(band.role);
    if (!band.hatched) {
        primitives.append(FilledRect{rect, role.tint});
        return;
    }
    QColor weak = role.tint;
    weak.setAlphaF(0.45F * weak.alphaF());
    primitives.append(FilledRect{rect, weak});
    primitives.append(HatchedRect{rect, role.tint, hatchSpacing});
}

void addGrid(QList<Primitive>& primitives, const PlotMapping& mapping, const QList<Tick>& xTicks,
             const QList<Tick>& yTicks, const FigureStyle& style) {
    const QRectF& rect = mapping.rect();
    QList<QPolygonF> lines;
    const auto add = [&](const QPointF& from, const QPointF& to) { lines.append(QPolygonF({from, to})); };
    for (const Tick& tick : xTicks) {
        const double x = mapping.xPixel(tick.value);
        if (!tick.minor && x > rect.left() + 0.5 && x < rect.right() + 0.1) {
            add({x, rect.top()}, {x, rect.bottom()});
        }
    }
    for (const Tick& tick : yTicks) {
        const double y = mapping.yPixel(tick.value);
        if (!tick.minor && y < rect.bottom() - 0.5 && y > rect.top() - 0.1) {
            add({rect.left(), y}, {rect.right(), y});
        }
    }
    if (!lines.isEmpty()) {
        primitives.append(Polyline{lines, style.grid, gridWidth, {}});
    }
}

/// A label in a placed box of letters and free room around them.
void addPlacedText(QList<Primitive>& primitives, const QString& words, const TextStyle& text,
                   const Candidate& candidate) {
    const QPointF center = candidate.box.center();
    const double half = 0.5 * capHeight(text);
    const QPointF anchor = candidate.turned ? center + QPointF(half, 0.0) : center + QPointF(0.0, half);
    for (const TextRun& run :
         textRuns(anchor, words, text, Qt::AlignHCenter, candidate.turned ? -90.0 : 0.0)) {
        primitives.append(run);
    }
}

}  // namespace

void addMarks(QList<Primitive>& primitives, const Panel& panel, const PlotMapping& mapping,
              const QList<Tick>& xTicks, const QList<Tick>& yTicks, const FigureStyle& style,
              const TextStyle& text) {
    forEach<Band>(panel, [&](const Band& band) { addBand(primitives, band, mapping, style); });
    if (mapOf(panel) == nullptr) {
        addGrid(primitives, mapping, xTicks, yTicks, style);
    }
    addClocks(primitives, panel, mapping, style, text);
    for (const Layer& layer : panel.layers) {
        if (const auto* map = std::get_if<Heatmap>(&layer)) {
            if (map->tiles) {
                for (const Heatmap& tile : placedMaps(*map)) {
                    addHeatmap(primitives, tile, mapping, style, text);
                }
                addTileMarks(primitives, *map, mapping, style, text);
            } else {
                addHeatmap(primitives, *map, mapping, style, text);
            }
        } else if (const auto* envelope = std::get_if<Envelope>(&layer)) {
            QColor fill = style.role(envelope->role).line;
            fill.setAlphaF(envelopeOpacity);
            for (const QPolygonF& outline : envelopeParts(*envelope, mapping)) {
                primitives.append(FilledPolygon{outline, fill});
            }
        } else if (const auto* bars = std::get_if<Bars>(&layer)) {
            addBars(primitives, *bars, mapping, style);
        } else if (const auto* curve = std::get_if<Curve>(&layer)) {
            addPolyline(primitives, curveParts(curve->x, curve->y, mapping), style.role(curve->role));
        } else if (const auto* points = std::get_if<Points>(&layer)) {
            addPoints(primitives, *points, mapping, style.role(points->role));
        } else if (const auto* rule = std::get_if<Rule>(&layer)) {
            if (const QPolygonF line = ruleLine(*rule, mapping); !line.isEmpty()) {
                addPolyline(primitives, {line}, style.role(rule->role));
            }
        } else if (const auto* handle = std::get_if<Handle>(&layer)) {
            addHandle(primitives, *handle, mapping, style);
        }
    }
    addBarGround(primitives, panel, mapping, style);
    for (const TextRun& run : barNumbers(panel, mapping, style, text)) {
        primitives.append(run);
    }
}

Obstacles panelObstacles(const Panel& panel, const PlotMapping& mapping, const FigureStyle& style,
                         const TextStyle& text) {
    Obstacles obstacles(mapping.rect());
    for (const TextRun& run : barNumbers(panel, mapping, style, text)) {
        obstacles.addBox(textBounds(run));
    }
    for (const Clock* clock : clocksOf(panel)) {
        obstacles.addBox(clockFrame(*clock, panel, mapping, text));
    }
    forEach<Bars>(panel, [&](const Bars& bars) {
        for (const QPolygonF& line : barObstacles(bars, mapping)) {
            obstacles.addLine(line);
        }
    });
    forEach<Handle>(panel, [&](const Handle& handle) {
        const QPointF reach(handleRadius + handleRim, handleRadius + handleRim);
        const QPointF center = mapping.pixel(handle.x, handle.y);
        obstacles.addBox(QRectF(center - reach, center + reach));
    });
    forEach<Curve>(panel, [&](const Curve& curve) {
        for (const QPolygonF& part : curveParts(curve.x, curve.y, mapping)) {
            obstacles.addLine(part);
        }
    });
    forEach<Envelope>(panel, [&](const Envelope& envelope) {
        for (const QPolygonF& outline : envelopeParts(envelope, mapping)) {
            obstacles.addLine(outline);
        }
    });
    forEach<Points>(panel, [&](const Points& points) {
        QList<Primitive> markers;
        addPoints(markers, points, mapping, style.role(points.role));
        for (const Primitive& marker : markers) {
            const QPointF& center = std::get<Marker>(marker).center;
            obstacles.addLine({center - QPointF(1.5, 0.0), center + QPointF(1.5, 0.0)});
        }
    });
    forEach<Rule>(panel, [&](const Rule& rule) { obstacles.addLine(ruleLine(rule, mapping)); });
    return obstacles;
}

int addLabels(QList<Primitive>& primitives, const Panel& panel, const PlotMapping& mapping,
              Obstacles& obstacles, const FigureStyle& style, const TextStyle& text) {
    const QRectF& plot = mapping.rect();
    const bool isOnMap = mapOf(panel) != nullptr;
    TextStyle smallest = text;
    smallest.sizePoints *= smallestLabel;
    int crowded = 0;
    // candidatesFor(size) gives the places for a label of a size; where none is free, a smaller label is
    // tried.
    const auto place = [&](const QString& words, const QColor& color, const auto& candidatesFor) {
        TextStyle own = text;
        own.color = color;
        Placement placement;
        for (const double share : {1.0, 0.9, smallestLabel}) {
            own.sizePoints = share * text.sizePoints;
            const QSizeF letters(textWidth(words, own), own.sizePoints);
            placement = bestPlacement(obstacles, candidatesFor(letters + 2.0 * QSizeF(labelPad, labelPad)));
            if (placement.isFree()) {
                break;
            }
        }
        crowded += placement.isFree() ? 0 : 1;
        if (isOnMap || !placement.isFree()) {
            QColor patch = style.plotBackground;
            patch.setAlphaF(0.82F);
            primitives.append(FilledRect{placement.candidate.box, patch});
        }
        addPlacedText(primitives, words, own, placement.candidate);
        obstacles.addBox(placement.candidate.box);
    };
    forEach<Text>(panel, [&](const Text& one) {
        const QPointF at = mapping.pixel(one.x, one.y);
        if (panel.axesShown && plot.contains(at)) {
            const QString words = elidedText(QString::fromStdString(one.text), smallest, plot.width());
            place(words, style.role(one.role).line,
                  [&](QSizeF size) { return aroundPoint(plot, at, size, 2.0); });
        }
    });
    forEach<Rule>(panel, [&](const Rule& rule) {
        const QPolygonF line = ruleLine(rule, mapping);
        if (rule.label.empty() || line.isEmpty()) {
            return;
        }
        const QString words = elidedText(QString::fromStdString(rule.label), smallest, 0.9 * plot.width());
        place(words, style.role(rule.role).line, [&](QSizeF size) {
            return rule.orientation == Orientation::horizontal
                       ? besideHorizontalLine(plot, line.first().y(), size, 0.8)
                       : besideVerticalLine(plot, line.first().x(), size, 1.2);
        });
    });
    forEach<Band>(panel, [&](const Band& band) {
        const QRectF region = bandRect(band, mapping);
        if (band.label.empty() || region.isEmpty()) {
            return;
        }
        const QString words = elidedText(QString::fromStdString(band.label), smallest, 0.9 * plot.width());
        // A category's colour on its own tint is too weak for words.
        const bool isCategory = band.role >= Role::category1 && band.role <= Role::category6;
        place(words, isCategory ? style.text : style.role(band.role).line,
              [&](QSizeF size) { return insideRegion(region, size, 2.0); });
    });
    return crowded;
}

}  // namespace phaseladder::ui
