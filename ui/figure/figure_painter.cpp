#include "ui/figure/figure_painter.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>
#include <numbers>

#include "ui/figure/figure_text_runs.h"
#include "ui/figure/hatch_lines.h"

namespace phaseladder::ui {

namespace {

constexpr double hatchWidth = 0.7;

/// A font whose size on this device is exactly `points` of the painter's units: pixel sizes are whole
/// numbers, point sizes are not.
QFont deviceFont(const QFont& font, double points, const QPaintDevice* device) {
    QFont sized = font;
    if (points == std::round(points)) {
        sized.setPixelSize(static_cast<int>(points));
    } else {
        sized.setPointSizeF(points * 72.0 / device->logicalDpiY());
    }
    return sized;
}

QPen linePen(const QColor& color, double width, const QList<qreal>& dashes) {
    QPen pen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!dashes.isEmpty()) {
        pen.setDashPattern(dashes);
    }
    return pen;
}

struct PrimitivePainter {
    QPainter& painter;

    void operator()(const FilledRect& one) const { painter.fillRect(one.rect, one.color); }

    void operator()(const HatchedRect& one) const {
        painter.setPen(linePen(one.line, hatchWidth, {}));
        painter.drawLines(hatchLines(one.rect, one.spacing, HatchDirection::up));
    }

    void operator()(const Polyline& one) const {
        painter.setPen(linePen(one.color, one.width, one.dashes));
        painter.setBrush(Qt::NoBrush);
        for (const QPolygonF& part : one.parts) {
            painter.drawPolyline(part);
        }
    }

    void operator()(const FilledPolygon& one) const {
        painter.setPen(Qt::NoPen);
        painter.setBrush(one.color);
        painter.drawPolygon(one.points);
    }

    void operator()(const Marker& one) const {
        painter.setPen(Qt::NoPen);
        painter.setBrush(one.color);
        painter.drawPath(markerPath(one));
    }

    void operator()(const TextRun& one) const {
        painter.save();
        painter.translate(one.anchor);
        painter.rotate(one.degrees);
        painter.setPen(one.color);
        painter.setFont(deviceFont(one.font, one.sizePoints, painter.device()));
        painter.drawText(QPointF(-leftOfAnchor(one), 0.0), one.text);
        painter.restore();
    }

    void operator()(const CellImage& one) const {
        painter.save();
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.drawImage(one.rect, one.image);
        painter.restore();
    }
};

}  // namespace

QPainterPath markerPath(const Marker& marker) {
    const QPointF& center = marker.center;
    const double radius = marker.radius;
    QPainterPath path;
    switch (marker.shape) {
        case MarkerShape::none:
            break;
        case MarkerShape::circle:
            path.addEllipse(center, radius, radius);
            break;
        case MarkerShape::square: {
            const double half = 0.89 * radius;
            path.addRect(QRectF(center.x() - half, center.y() - half, 2.0 * half, 2.0 * half));
            break;
        }
        case MarkerShape::diamond:
        case MarkerShape::triangle: {
            const int corners = marker.shape == MarkerShape::diamond ? 4 : 3;
            QPolygonF outline;
            for (int corner = 0; corner <= corners; ++corner) {
                const double angle = 2.0 * std::numbers::pi * corner / corners;
                outline.append(center + 1.2 * radius * QPointF(std::sin(angle), -std::cos(angle)));
            }
            path.addPolygon(outline);
            break;
        }
    }
    return path;
}

void paintFigure(QPainter& painter, const LaidOutFigure& figure) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    for (const Primitive& primitive : figure.primitives) {
        std::visit(PrimitivePainter{painter}, primitive);
    }
}

}  // namespace phaseladder::ui
