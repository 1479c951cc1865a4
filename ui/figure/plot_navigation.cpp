#include "ui/figure/plot_navigation.h"

#include <algorithm>
#include <cmath>

namespace phaseladder::ui {
namespace {

/// A range of one axis as it is drawn.
struct Span {
    double low = 0.0, high = 1.0;

    [[nodiscard]] double size() const { return high - low; }
};

Span scaledSpan(const Axis& axis, double minimum, double maximum) {
    return Span{scaledValue(axis, minimum), scaledValue(axis, maximum)};
}

double smallestSpan(const Axis& axis, double fullSize) {
    if (axis.scale == AxisScale::log10) {
        return std::min(fullSize, 0.05);
    }
    return axis.wholeNumbers ? std::min(fullSize, 2.0) : fullSize * 1e-4;
}

/// Puts a wanted span into the axis' limits; the ends of the full range come out exactly.
void limit(const Axis& axis, Span wanted, double& minimum, double& maximum) {
    const Span full = scaledSpan(axis, axis.minimum, axis.maximum);
    const double size = std::clamp(wanted.size(), smallestSpan(axis, full.size()), full.size());
    const double middle = (wanted.low + wanted.high) / 2.0;
    const double low = std::clamp(middle - size / 2.0, full.low, full.high - size);
    const double tolerance = full.size() * 1e-9;
    minimum = low - full.low <= tolerance ? axis.minimum : unscaledValue(axis, low);
    maximum = full.high - (low + size) <= tolerance ? axis.maximum : unscaledValue(axis, low + size);
}

bool sameKind(const Axis& a, const Axis& b) {
    return a.meaning == b.meaning && a.scale == b.scale;
}

/// The range to show on `next` when `minimum` to `maximum` was shown on `previous`.
void follow(const Axis& previous, const Axis& next, double& minimum, double& maximum) {
    const bool wasFull = minimum == previous.minimum && maximum == previous.maximum;
    const bool isApart = maximum <= next.minimum || minimum >= next.maximum;
    if (wasFull || isApart) {
        minimum = next.minimum;
        maximum = next.maximum;
    } else {
        limit(next, scaledSpan(next, minimum, maximum), minimum, maximum);
    }
}

}  // namespace

double scaledValue(const Axis& axis, double value) {
    return axis.scale == AxisScale::log10 ? std::log10(value) : value;
}

double unscaledValue(const Axis& axis, double scaled) {
    return axis.scale == AxisScale::log10 ? std::pow(10.0, scaled) : scaled;
}

void PlotNavigation::setAxes(const Axis& x, const Axis& y) {
    const PlotRange full{x.minimum, x.maximum, y.minimum, y.maximum};
    if (sameKind(m_x, x) && sameKind(m_y, y)) {
        follow(m_x, x, m_range.xMinimum, m_range.xMaximum);
        follow(m_y, y, m_range.yMinimum, m_range.yMaximum);
    } else {
        m_range = full;
        m_back.clear();
        m_forward.clear();
        m_stepIsOpen = false;
    }
    m_full = full;
    m_x = x;
    m_y = y;
}

double PlotNavigation::zoomFactor() const {
    const auto factor = [](const Axis& axis, double minimum, double maximum) {
        const double shown = scaledSpan(axis, minimum, maximum).size();
        return shown > 0.0 ? scaledSpan(axis, axis.minimum, axis.maximum).size() / shown : 1.0;
    };
    return std::max(factor(m_x, m_range.xMinimum, m_range.xMaximum),
                    factor(m_y, m_range.yMinimum, m_range.yMaximum));
}

bool PlotNavigation::change(const PlotRange& range, HistoryStep step) {
    if (range == m_range) {
        return false;
    }
    if (step == HistoryStep::separate || !m_stepIsOpen) {
        m_back.push_back(m_range);
        m_forward.clear();
    }
    m_stepIsOpen = step == HistoryStep::merged;
    m_range = range;
    return true;
}

bool PlotNavigation::zoomAt(double xFraction, double yFraction, double factor, ZoomAxes axes,
                            HistoryStep step) {
    PlotRange range = m_range;
    const auto zoom = [factor](const Axis& axis, double fraction, double& minimum, double& maximum) {
        const Span span = scaledSpan(axis, minimum, maximum);
        const Span full = scaledSpan(axis, axis.minimum, axis.maximum);
        const double size = std::clamp(span.size() / factor, smallestSpan(axis, full.size()), full.size());
        const double low = span.low + fraction * (span.size() - size);
        limit(axis, Span{low, low + size}, minimum, maximum);
    };
    if (axes != ZoomAxes::y) {
        zoom(m_x, xFraction, range.xMinimum, range.xMaximum);
    }
    if (axes != ZoomAxes::x) {
        zoom(m_y, yFraction, range.yMinimum, range.yMaximum);
    }
    return change(range, step);
}

PlotRange PlotNavigation::limited(PlotRange range) const {
    limit(m_x, scaledSpan(m_x, range.xMinimum, range.xMaximum), range.xMinimum, range.xMaximum);
    limit(m_y, scaledSpan(m_y, range.yMinimum, range.yMaximum), range.yMinimum, range.yMaximum);
    return range;
}

bool PlotNavigation::zoomTo(const PlotRange& range) {
    return change(limited(range), HistoryStep::separate);
}

bool PlotNavigation::panBy(double xFraction, double yFraction, HistoryStep step) {
    PlotRange range = m_range;
    const auto pan = [](const Axis& axis, double fraction, double& minimum, double& maximum) {
        const Span span = scaledSpan(axis, minimum, maximum);
        const double shift = fraction * span.size();
        limit(axis, Span{span.low + shift, span.high + shift}, minimum, maximum);
    };
    if (xFraction != 0.0) {
        pan(m_x, xFraction, range.xMinimum, range.xMaximum);
    }
    if (yFraction != 0.0) {
        pan(m_y, yFraction, range.yMinimum, range.yMaximum);
    }
    return change(range, step);
}

bool PlotNavigation::reset() {
    return change(m_full, HistoryStep::separate);
}

bool PlotNavigation::back() {
    if (m_back.empty()) {
        return false;
    }
    m_forward.push_back(m_range);
    m_range = limited(m_back.back());
    m_back.pop_back();
    m_stepIsOpen = false;
    return true;
}

bool PlotNavigation::forward() {
    if (m_forward.empty()) {
        return false;
    }
    m_back.push_back(m_range);
    m_range = limited(m_forward.back());
    m_forward.pop_back();
    m_stepIsOpen = false;
    return true;
}

bool PlotNavigation::showX(double minimum, double maximum) {
    if (maximum <= m_full.xMinimum || minimum >= m_full.xMaximum) {
        return false;
    }
    const PlotRange before = m_range;
    limit(m_x, scaledSpan(m_x, minimum, maximum), m_range.xMinimum, m_range.xMaximum);
    return !(m_range == before);
}

bool PlotNavigation::showAllX() {
    const bool wasFull = isFullX();
    m_range.xMinimum = m_full.xMinimum;
    m_range.xMaximum = m_full.xMaximum;
    return !wasFull;
}

}  // namespace phaseladder::ui
