#pragma once

#include <QList>
#include <QPolygonF>
#include <QRectF>

namespace phaseladder::ui {

/// What a label must keep off: curves and lines, and the boxes of other labels.
class Obstacles {
public:
    explicit Obstacles(const QRectF& area) : m_area(area) {}

    void addLine(const QPolygonF& points, double weight = 1.0);
    void addBox(const QRectF& box) { m_boxes.append(box); }

    /// 0 for a box that touches nothing; each crossing costs more than any preference, another label and the
    /// area's border most.
    [[nodiscard]] double cost(const QRectF& box) const;

private:
    struct Line {
        QPolygonF points;
        QRectF bounds;
        double weight;
    };

    QRectF m_area;
    QList<Line> m_lines;
    QList<QRectF> m_boxes;
};

/// A place for a label with how little it is liked (below 1) when several are free.
struct Candidate {
    QRectF box;
    double dislike = 0.0;
    bool turned = false;  ///< reads upwards
};

struct Placement {
    Candidate candidate;
    double cost = 0.0;

    /// Nothing is crossed.
    [[nodiscard]] bool isFree() const { return cost < 1.0; }
};

/// The cheapest of at least one candidate.
[[nodiscard]] Placement bestPlacement(const Obstacles& obstacles, const QList<Candidate>& candidates);

/// Places for a label beside a line across the area: along it, on both sides, `gap` away.
[[nodiscard]] QList<Candidate> besideHorizontalLine(const QRectF& area, double y, QSizeF size, double gap);
[[nodiscard]] QList<Candidate> besideVerticalLine(const QRectF& area, double x, QSizeF size, double gap);

/// Places inside a region of the area: from the bottom up, the middle first; turned where the text is wider
/// than the region.
[[nodiscard]] QList<Candidate> insideRegion(const QRectF& region, QSizeF size, double gap);

/// Places for a legend: the four corners first, then along the borders.
[[nodiscard]] QList<Candidate> legendPlaces(const QRectF& area, QSizeF size, double gap);

/// Places around a point: on it, above, below, at the right, at the left.
[[nodiscard]] QList<Candidate> aroundPoint(const QRectF& area, QPointF point, QSizeF size, double gap);

}  // namespace phaseladder::ui
