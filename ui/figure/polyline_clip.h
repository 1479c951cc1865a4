#pragma once

#include <QList>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include <optional>
#include <utility>

namespace phaseladder::ui {

/// The part of a segment inside a rectangle (Liang and Barsky 1984), or nothing.
[[nodiscard]] std::optional<std::pair<QPointF, QPointF>> clippedSegment(QPointF from, QPointF to,
                                                                        const QRectF& rect);

/// The parts of a polyline inside a rectangle, each at least one segment. Points that are not finite break
/// the line.
[[nodiscard]] QList<QPolygonF> clippedPolyline(const QPolygonF& points, const QRectF& rect);

/// The part of a polygon inside a rectangle (Sutherland and Hodgman 1974); empty when nothing is.
[[nodiscard]] QPolygonF clippedPolygon(const QPolygonF& polygon, const QRectF& rect);

}  // namespace phaseladder::ui
