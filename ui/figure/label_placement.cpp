#include "ui/figure/label_placement.h"

#include <algorithm>
#include <cmath>

#include "ui/figure/polyline_clip.h"

namespace phaseladder::ui {

namespace {

constexpr double crossingCost = 10.0;  // and the crossing's length in points
constexpr double boxCost = 1000.0;
constexpr double outsideCost = 4000.0;
constexpr int stepsAlong = 12;

double mixed(double from, double to, int step) {
    return from + (to - from) * step / stepsAlong;
}

}  // namespace

void Obstacles::addLine(const QPolygonF& points, double weight) {
    m_lines.append({points, points.boundingRect(), weight});
}

double Obstacles::cost(const QRectF& box) const {
    double total = 0.0;
    const QRectF inside = box.intersected(m_area);
    const double outside = box.width() * box.height() - inside.width() * inside.height();
    if (outside > 0.01) {
        total += outsideCost + outside;
    }
    for (const QRectF& other : m_boxes) {
        const QRectF shared = box.intersected(other);
        if (!shared.isEmpty()) {
            total += boxCost + shared.width() * shared.height();
        }
    }
    for (const Line& line : m_lines) {
        if (line.bounds.left() > box.right() || line.bounds.right() < box.left() ||
            line.bounds.top() > box.bottom() || line.bounds.bottom() < box.top()) {
            continue;
        }
        double length = 0.0;
        bool isCrossed = false;
        for (qsizetype index = 1; index < line.points.size(); ++index) {
            if (const auto part = clippedSegment(line.points[index - 1], line.points[index], box)) {
                isCrossed = true;
                length += std::hypot(part->second.x() - part->first.x(), part->second.y() - part->first.y());
            }
        }
        total += isCrossed ? line.weight * (crossingCost + length) : 0.0;
    }
    return total;
}

Placement bestPlacement(const Obstacles& obstacles, const QList<Candidate>& candidates) {
    Placement best;
    best.cost = -1.0;
    for (const Candidate& candidate : candidates) {
        const double cost = obstacles.cost(candidate.box) + candidate.dislike;
        if (best.cost < 0.0 || cost < best.cost) {
            best = {candidate, cost};
        }
    }
    return best;
}

QList<Candidate> besideHorizontalLine(const QRectF& area, double y, QSizeF size, double gap) {
    QList<Candidate> candidates;
    for (int step = 0; step <= stepsAlong; ++step) {
        const double left = mixed(area.left() + 2.0 * gap, area.right() - 2.0 * gap - size.width(), step);
        candidates.append({QRectF(QPointF(left, y - gap - size.height()), size), 0.06 * step});
        candidates.append({QRectF(QPointF(left, y + gap), size), 0.06 * step + 0.1});
    }
    return candidates;
}

QList<Candidate> besideVerticalLine(const QRectF& area, double x, QSizeF size, double gap) {
    QList<Candidate> candidates;
    const QSizeF turned = size.transposed();
    for (int step = 0; step <= stepsAlong; ++step) {
        const double top = mixed(area.top() + gap, area.bottom() - gap - size.height(), step);
        candidates.append({QRectF(QPointF(x + gap, top), size), 0.03 * step});
        candidates.append({QRectF(QPointF(x - gap - size.width(), top), size), 0.03 * step + 0.02});
        const double turnedTop = mixed(area.top() + gap, area.bottom() - gap - turned.height(), step);
        candidates.append({QRectF(QPointF(x + gap, turnedTop), turned), 0.03 * step + 0.5, true});
        candidates.append(
            {QRectF(QPointF(x - gap - turned.width(), turnedTop), turned), 0.03 * step + 0.52, true});
    }
    return candidates;
}

QList<Candidate> insideRegion(const QRectF& region, QSizeF size, double gap) {
    QList<Candidate> candidates;
    const bool fits = size.width() + 2.0 * gap <= region.width();
    const QSizeF turned = size.transposed();
    for (int step = 0; step <= stepsAlong; ++step) {
        const double bottom = mixed(region.bottom() - gap, region.top() + gap + size.height(), step);
        for (const double across : {0.5, 0.0, 1.0}) {
            const double left =
                fits ? region.left() + gap + across * (region.width() - 2.0 * gap - size.width())
                     : region.left() + (region.width() - size.width()) * across;
            const double dislike = 0.03 * step + (across == 0.5 ? 0.0 : 0.05) + (fits ? 0.0 : 0.5);
            candidates.append({QRectF(QPointF(left, bottom - size.height()), size), dislike});
        }
        if (!fits && turned.width() <= region.width()) {
            const double turnedBottom =
                mixed(region.bottom() - gap, region.top() + gap + turned.height(), step);
            candidates.append(
                {QRectF(QPointF(region.center().x() - 0.5 * turned.width(), turnedBottom - turned.height()),
                        turned),
                 0.03 * step + 0.1, true});
        }
    }
    return candidates;
}

QList<Candidate> legendPlaces(const QRectF& area, QSizeF size, double gap) {
    QList<Candidate> candidates;
    const double left = area.left() + gap;
    const double right = area.right() - gap - size.width();
    const double top = area.top() + gap;
    const double bottom = area.bottom() - gap - size.height();
    const auto add = [&](double x, double y, double dislike) {
        candidates.append({QRectF(QPointF(x, y), size), dislike});
    };
    add(right, bottom, 0.0);
    add(right, top, 0.01);
    add(left, top, 0.02);
    add(left, bottom, 0.03);
    for (int step = 1; step < stepsAlong; ++step) {
        add(mixed(right, left, step), bottom, 0.3);
        add(mixed(right, left, step), top, 0.31);
        add(right, mixed(bottom, top, step), 0.32);
        add(left, mixed(bottom, top, step), 0.33);
    }
    return candidates;
}

QList<Candidate> aroundPoint(const QRectF& area, QPointF point, QSizeF size, double gap) {
    QRectF box(QPointF(), size);
    QList<Candidate> candidates;
    const auto add = [&](QPointF center, double dislike) {
        box.moveCenter(center);
        box.moveLeft(std::clamp(box.left(), area.left(), std::max(area.left(), area.right() - size.width())));
        box.moveTop(std::clamp(box.top(), area.top(), std::max(area.top(), area.bottom() - size.height())));
        candidates.append({box, dislike});
    };
    const double up = 0.5 * size.height() + gap;
    const double aside = 0.5 * size.width() + gap;
    add(point, 0.0);
    add(point + QPointF(0.0, -up), 0.1);
    add(point + QPointF(0.0, up), 0.15);
    add(point + QPointF(aside, 0.0), 0.2);
    add(point + QPointF(-aside, 0.0), 0.25);
    for (const double x : {-aside, aside}) {
        add(point + QPointF(x, -up), 0.3);
        add(point + QPointF(x, up), 0.35);
    }
    return candidates;
}

}  // namespace phaseladder::ui
