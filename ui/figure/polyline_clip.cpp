#include "ui/figure/polyline_clip.h"

#include <algorithm>
#include <cmath>

namespace phaseladder::ui {

namespace {

bool isFinite(const QPointF& point) {
    return std::isfinite(point.x()) && std::isfinite(point.y());
}

/// Keeps the side of one edge for which `inside` (0 on the edge, above 0 inside) is not negative.
template <class Inside>
QPolygonF clippedAtEdge(const QPolygonF& polygon, const Inside& inside) {
    QPolygonF kept;
    for (qsizetype index = 0; index < polygon.size(); ++index) {
        const QPointF& from = polygon[index];
        const QPointF& to = polygon[(index + 1) % polygon.size()];
        const double fromInside = inside(from);
        const double toInside = inside(to);
        if (fromInside >= 0.0) {
            kept.append(from);
        }
        if ((fromInside >= 0.0) != (toInside >= 0.0)) {
            kept.append(from + (to - from) * (fromInside / (fromInside - toInside)));
        }
    }
    return kept;
}

}  // namespace

std::optional<std::pair<QPointF, QPointF>> clippedSegment(QPointF from, QPointF to, const QRectF& rect) {
    const QPointF step = to - from;
    double enter = 0.0;
    double leave = 1.0;
    // Each border as direction · t ≤ room.
    const double directions[] = {-step.x(), step.x(), -step.y(), step.y()};
    const double rooms[] = {from.x() - rect.left(), rect.right() - from.x(), from.y() - rect.top(),
                            rect.bottom() - from.y()};
    for (int border = 0; border < 4; ++border) {
        if (directions[border] == 0.0) {
            if (rooms[border] < 0.0) {
                return std::nullopt;
            }
            continue;
        }
        const double at = rooms[border] / directions[border];
        if (directions[border] < 0.0) {
            enter = std::max(enter, at);
        } else {
            leave = std::min(leave, at);
        }
    }
    if (enter > leave) {
        return std::nullopt;
    }
    return std::pair(from + step * enter, from + step * leave);
}

QList<QPolygonF> clippedPolyline(const QPolygonF& points, const QRectF& rect) {
    QList<QPolygonF> parts;
    QPolygonF part;
    const auto finishPart = [&] {
        if (part.size() > 1) {
            parts.append(part);
        }
        part.clear();
    };
    for (qsizetype index = 1; index < points.size(); ++index) {
        const QPointF& from = points[index - 1];
        const QPointF& to = points[index];
        if (!isFinite(from) || !isFinite(to)) {
            finishPart();
            continue;
        }
        const auto inside = clippedSegment(from, to, rect);
        if (!inside) {
            finishPart();
            continue;
        }
        if (part.isEmpty() || inside->first != from) {
            finishPart();
            part.append(inside->first);
        }
        part.append(inside->second);
        if (inside->second != to) {
            finishPart();
        }
    }
    finishPart();
    return parts;
}

QPolygonF clippedPolygon(const QPolygonF& polygon, const QRectF& rect) {
    QPolygonF kept = clippedAtEdge(polygon, [&](const QPointF& point) { return point.x() - rect.left(); });
    kept = clippedAtEdge(kept, [&](const QPointF& point) { return rect.right() - point.x(); });
    kept = clippedAtEdge(kept, [&](const QPointF& point) { return point.y() - rect.top(); });
    return clippedAtEdge(kept, [&](const QPointF& point) { return rect.bottom() - point.y(); });
}

}  // namespace phaseladder::ui
