#include "ui/figure/clock_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ui/figure/hatch_lines.h"
#include "ui/figure/polyline_clip.h"

namespace phaseladder::ui {
namespace {

constexpr double fullTurn = 2.0 * std::numbers::pi;
constexpr double circleWidth = 0.7;
constexpr double smallDial = 14.0;  // radius below which hands are thin and have no tips
constexpr double tickShare = 0.16;  // of the radius
constexpr double hatchSpacing = 3.0, hatchWidth = 0.7;
constexpr double labelGap = 2.5, labelPad = 3.0;
constexpr double smallestLabel = 0.8;  // of the text's size
constexpr double frameGap = 3.0, smallFrameGap = 1.5;

QPointF onCircle(const Dial& dial, double angle, double share = 1.0) {
    return dial.center + share * dial.radius * QPointF(std::cos(angle), -std::sin(angle));
}

/// Points along the circle, fine enough to look round at any size.
QPolygonF circlePart(const Dial& dial, double from, double sweep) {
    const int steps = std::max(
        2, static_cast<int>(std::ceil(std::abs(sweep) / fullTurn * std::max(32.0, 3.0 * dial.radius))));
    QPolygonF points;
    for (int step = 0; step <= steps; ++step) {
        points.append(onCircle(dial, from + sweep * step / steps));
    }
    return points;
}

QPolygonF sectorOf(const Dial& dial, const ClockArc& arc) {
    if (std::abs(arc.sweep) >= fullTurn) {
        return circlePart(dial, arc.from, fullTurn);
    }
    QPolygonF sector = circlePart(dial, arc.from, arc.sweep);
    sector.append(dial.center);
    return sector;
}

/// The parts of hatch lines inside a polygon of any shape.
QList<QPolygonF> hatchInside(const QPolygonF& polygon) {
    QList<QPolygonF> parts;
    for (const QLineF& line : hatchLines(polygon.boundingRect(), hatchSpacing, HatchDirection::up)) {
        std::vector<double> crossings;
        const QPointF along = line.p2() - line.p1();
        for (qsizetype index = 0; index < polygon.size(); ++index) {
            const QPointF from = polygon[index];
            const QPointF side = polygon[(index + 1) % polygon.size()] - from;
            const double turn = along.x() * side.y() - along.y() * side.x();
            const QPointF way = from - line.p1();
            const double onSide = (way.x() * along.y() - way.y() * along.x()) / turn;
            if (turn != 0.0 && onSide >= 0.0 && onSide < 1.0) {
                crossings.push_back((way.x() * side.y() - way.y() * side.x()) / turn);
            }
        }
        std::ranges::sort(crossings);
        for (std::size_t index = 0; index + 1 < crossings.size(); index += 2) {
            parts.append(QPolygonF({line.pointAt(crossings[index]), line.pointAt(crossings[index + 1])}));
        }
    }
    return parts;
}

void addLines(QList<Primitive>& primitives, const QList<QPolygonF>& lines, const QRectF& plot,
              const QColor& color, double width, const QList<qreal>& dashes = {}) {
    QList<QPolygonF> parts;
    for (const QPolygonF& line : lines) {
        parts.append(clippedPolyline(line, plot));
    }
    if (!parts.isEmpty()) {
        primitives.append(Polyline{parts, color, width, dashes});
    }
}

void addArc(QList<Primitive>& primitives, const ClockArc& arc, const Dial& dial, const QRectF& plot,
            const FigureStyle& style) {
    const RoleStyle role = style.role(arc.role);
    const QPolygonF sector = sectorOf(dial, arc);
    if (const QPolygonF inside = clippedPolygon(sector, plot); inside.size() > 2) {
        primitives.append(FilledPolygon{inside, role.tint});
    }
    if (arc.role == Role::beyond) {
        QColor line = role.line;
        line.setAlphaF(0.55F);
        addLines(primitives, hatchInside(sector), plot, line, hatchWidth);
    }
}

void addHand(QList<Primitive>& primitives, const ClockHand& hand, const Dial& dial, const QRectF& plot,
             const FigureStyle& style) {
    const RoleStyle role = style.role(hand.role);
    const bool isSmall = dial.radius < smallDial;
    const double width = isSmall ? role.widthPoints : 1.4 * role.widthPoints;
    const QPointF tip = onCircle(dial, hand.angle, hand.length);
    addLines(primitives, {QPolygonF({dial.center, tip})}, plot, role.line, width, role.dashes);
    if (!isSmall && plot.contains(tip)) {
        primitives.append(Marker{tip, MarkerShape::circle, 1.9, role.line});
    }
}

/// Labels of one size, and whether they all have room.
struct LabelPlan {
    TextStyle text;
    bool fits = false;
};

QRectF labelBox(const Clock& clock, const Dial& dial, const TextStyle& text) {
    const double width = textWidth(QString::fromStdString(clock.label), text);
    return {dial.center.x() - 0.5 * width, dial.center.y() + dial.radius + labelGap, width, capHeight(text)};
}

LabelPlan planLabels(const Panel& panel, const PlotMapping& mapping, const TextStyle& text) {
    const QList<const Clock*> clocks = clocksOf(panel);
    LabelPlan plan{text, false};
    for (const double share : {1.0, 0.9, smallestLabel}) {
        plan.text.sizePoints = share * text.sizePoints;
        QList<QRectF> labels, dials;
        for (const Clock* clock : clocks) {
            const Dial dial = dialOf(*clock, mapping);
            const double radius = dial.radius * (1.0 + 0.5 * tickShare);
            dials.append(QRectF(dial.center.x() - radius, dial.center.y() - dial.radius, 2.0 * radius,
                                2.0 * dial.radius));
            labels.append(
                clock->label.empty() || !mapping.rect().contains(dial.center)
                    ? QRectF()
                    : labelBox(*clock, dial, plan.text).adjusted(-labelPad, 0.0, labelPad, labelGap));
        }
        plan.fits = true;
        for (qsizetype one = 0; one < labels.size() && plan.fits; ++one) {
            for (qsizetype other = 0; other < labels.size() && plan.fits && !labels[one].isNull(); ++other) {
                plan.fits = other == one ||
                            (!labels[one].intersects(labels[other]) && !labels[one].intersects(dials[other]));
            }
            plan.fits = plan.fits &&
                        (labels[one].isNull() || labels[one].bottom() - labelGap <= mapping.rect().bottom());
        }
        if (plan.fits) {
            break;
        }
    }
    return plan;
}

}  // namespace

QList<const Clock*> clocksOf(const Panel& panel) {
    QList<const Clock*> clocks;
    for (const Layer& layer : panel.layers) {
        if (const auto* clock = std::get_if<Clock>(&layer)) {
            clocks.append(clock);
        }
    }
    return clocks;
}

Dial dialOf(const Clock& clock, const PlotMapping& mapping) {
    const QPointF center = mapping.pixel(clock.x, clock.y);
    const double across = std::abs(mapping.xPixel(clock.x + clock.radius) - center.x());
    const double up = std::abs(mapping.yPixel(clock.y + clock.radius) - center.y());
    return {center, std::min(across, up)};
}

const Clock* clockAt(const Panel& panel, const PlotMapping& mapping, const QPointF& pixel) {
    const Clock* nearest = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const Clock* clock : clocksOf(panel)) {
        const Dial dial = dialOf(*clock, mapping);
        const double distance = QLineF(dial.center, pixel).length();
        if (distance < least && distance <= 1.2 * dial.radius) {
            nearest = clock;
            least = distance;
        }
    }
    return nearest;
}

void addClock(QList<Primitive>& primitives, const Clock& clock, const PlotMapping& mapping,
              const FigureStyle& style) {
    const Dial dial = dialOf(clock, mapping);
    const QRectF& plot = mapping.rect();
    if (!std::isfinite(dial.radius) || dial.radius <= 0.0) {
        return;
    }
    for (const ClockArc& arc : clock.arcs) {
        addArc(primitives, arc, dial, plot, style);
    }
    addLines(primitives, {circlePart(dial, 0.0, fullTurn)}, plot, style.axis, circleWidth);
    addLines(
        primitives,
        {QPolygonF({onCircle(dial, 0.0, 1.0 - 0.5 * tickShare), onCircle(dial, 0.0, 1.0 + 0.5 * tickShare)})},
        plot, style.axis, 1.4 * circleWidth);
    for (const ClockHand& hand : clock.hands) {
        addHand(primitives, hand, dial, plot, style);
    }
    if (dial.radius >= smallDial && !clock.hands.empty() && plot.contains(dial.center)) {
        primitives.append(Marker{dial.center, MarkerShape::circle, 1.3, style.text});
    }
}

void addArcSample(QList<Primitive>& primitives, Role role, const QRectF& rect, const FigureStyle& style) {
    const RoleStyle own = style.role(role);
    primitives.append(FilledRect{rect, own.tint});
    if (role == Role::beyond) {
        QColor line = own.line;
        line.setAlphaF(0.55F);
        addLines(primitives, hatchInside(QPolygonF(rect)), rect, line, hatchWidth);
    }
    const QPolygonF outline(
        {rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft(), rect.topLeft()});
    primitives.append(Polyline{{outline}, style.axis, 0.5, {}});
}

QList<TextRun> clockLabels(const Panel& panel, const PlotMapping& mapping, const TextStyle& text) {
    const LabelPlan plan = planLabels(panel, mapping, text);
    QList<TextRun> runs;
    for (const Clock* clock : plan.fits ? clocksOf(panel) : QList<const Clock*>()) {
        const Dial dial = dialOf(*clock, mapping);
        if (!clock->label.empty() && mapping.rect().contains(dial.center)) {
            const QRectF box = labelBox(*clock, dial, plan.text);
            runs.append(textRuns({box.center().x(), box.bottom()}, QString::fromStdString(clock->label),
                                 plan.text, Qt::AlignHCenter));
        }
    }
    return runs;
}

QRectF clockFrame(const Clock& clock, const Panel& panel, const PlotMapping& mapping, const TextStyle& text) {
    const Dial dial = dialOf(clock, mapping);
    const double radius = dial.radius * (1.0 + 0.5 * tickShare);
    QRectF frame(dial.center.x() - radius, dial.center.y() - radius, 2.0 * radius, 2.0 * radius);
    const LabelPlan plan = planLabels(panel, mapping, text);
    if (plan.fits && !clock.label.empty()) {
        frame = frame.united(labelBox(clock, dial, plan.text));
    }
    const double gap = dial.radius < smallDial ? smallFrameGap : frameGap;
    return frame.adjusted(-gap, -gap, gap, gap).intersected(mapping.rect());
}

}  // namespace phaseladder::ui
