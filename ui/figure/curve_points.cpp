#include "ui/figure/curve_points.h"

#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace phaseladder::ui {
namespace {

constexpr int pointsPerColumn = 4;

/// First, lowest, highest and last point of each pixel column, in the order of the run.
QList<QPointF> decimated(const QList<QPointF>& run, const PlotRange& range, int columns) {
    if (run.size() <= pointsPerColumn * columns) {
        return run;
    }
    const double scale = columns / (range.xMaximum - range.xMinimum);
    const auto columnOf = [&](const QPointF& point) {
        return std::floor((point.x() - range.xMinimum) * scale);
    };
    QList<QPointF> kept;
    for (qsizetype begin = 0; begin < run.size();) {
        qsizetype end = begin, lowest = begin, highest = begin;
        const double column = columnOf(run[begin]);
        for (; end < run.size() && columnOf(run[end]) == column; ++end) {
            lowest = run[end].y() < run[lowest].y() ? end : lowest;
            highest = run[end].y() > run[highest].y() ? end : highest;
        }
        qsizetype last = -1;
        for (const qsizetype index : {begin, std::min(lowest, highest), std::max(lowest, highest), end - 1}) {
            if (index > last) {
                kept.append(run[index]);
                last = index;
            }
        }
        begin = end;
    }
    return kept;
}

}  // namespace

QList<QList<QPointF>> curveRuns(const std::vector<double>& x, const std::vector<double>& y,
                                const PlotMapping& mapping) {
    const PlotRange& range = mapping.scaledRange();
    const int columns = std::max(1, static_cast<int>(mapping.rect().width()));
    QList<QList<QPointF>> runs;
    QList<QPointF> run;
    const auto finishRun = [&] {
        if (!run.isEmpty()) {
            runs.append(decimated(run, range, columns));
            run.clear();
        }
    };
    const auto isLeft = [&](double value) { return value < range.xMinimum; };
    const auto isRight = [&](double value) { return value > range.xMaximum; };
    const std::size_t count = std::min(x.size(), y.size());
    for (std::size_t i = 0; i < count; ++i) {
        const QPointF point(scaledValue(mapping.x(), x[i]), scaledValue(mapping.y(), y[i]));
        if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
            finishRun();
            continue;
        }
        // Of points outside, only those that begin or end a segment into the range are kept.
        if (!run.isEmpty() && isLeft(run.last().x()) && isLeft(point.x())) {
            run.last() = point;
        } else if (!run.isEmpty() && isRight(run.last().x()) && isRight(point.x())) {
            if (run.size() > 1) {
                finishRun();
                run.append(point);
            } else {
                run.last() = point;
            }
        } else {
            run.append(point);
        }
    }
    finishRun();
    runs.removeIf([&](const QList<QPointF>& points) {
        return std::ranges::all_of(points, [&](const QPointF& p) { return isLeft(p.x()); }) ||
               std::ranges::all_of(points, [&](const QPointF& p) { return isRight(p.x()); });
    });
    return runs;
}

QList<QPointF> withoutStraightPoints(const QList<QPointF>& run, const PlotMapping& mapping) {
    constexpr double tolerance = 0.1;       // pixels
    constexpr qsizetype longestChord = 64;  // points
    if (run.size() < 3) {
        return run;
    }
    QPolygonF pixels;
    for (const QPointF& point : run) {
        pixels.append(mapping.scaledPixel(point));
    }
    const auto isStraight = [&pixels](qsizetype from, qsizetype to) {
        const QPointF chord = pixels[to] - pixels[from];
        const double length = std::hypot(chord.x(), chord.y());
        for (qsizetype i = from + 1; i < to; ++i) {
            const QPointF offset = pixels[i] - pixels[from];
            const double along = QPointF::dotProduct(offset, chord);
            const double area = std::abs(offset.x() * chord.y() - offset.y() * chord.x());
            if (area > tolerance * length || along < 0.0 || along > length * length) {
                return false;
            }
        }
        return true;
    };
    QList<QPointF> kept{run.first()};
    for (qsizetype from = 0, next = 2; next < run.size(); ++next) {
        if (next - from > longestChord || !isStraight(from, next)) {
            from = next - 1;
            kept.append(run[from]);
        }
    }
    kept.append(run.last());
    return kept;
}

}  // namespace phaseladder::ui
