#include "ui/figure/hatch_lines.h"

#include <cmath>
#include <numbers>

#include "ui/figure/polyline_clip.h"

namespace phaseladder::ui {

QList<QLineF> hatchLines(const QRectF& rect, double spacing, HatchDirection direction) {
    QList<QLineF> lines;
    const auto add = [&](const QPointF& from, const QPointF& to) {
        if (const auto part = clippedSegment(from, to, rect); part && part->first != part->second) {
            lines.append(QLineF(part->first, part->second));
        }
    };
    if (direction == HatchDirection::flat) {
        for (double y = std::ceil(rect.top() / spacing) * spacing; y <= rect.bottom(); y += spacing) {
            add({rect.left(), y}, {rect.right(), y});
        }
        return lines;
    }
    // x + y is constant along a line that goes up, x − y along one that goes down.
    const double step = spacing * std::numbers::sqrt2;
    const double sign = direction == HatchDirection::up ? 1.0 : -1.0;
    const double low = rect.left() + std::min(sign * rect.top(), sign * rect.bottom());
    const double high = rect.right() + std::max(sign * rect.top(), sign * rect.bottom());
    for (double sum = std::ceil(low / step) * step; sum <= high; sum += step) {
        add({rect.left(), sign * (sum - rect.left())}, {rect.right(), sign * (sum - rect.right())});
    }
    return lines;
}

}  // namespace phaseladder::ui
