#pragma once

#include <QPointF>
#include <QRectF>

#include "core/figures/figure.h"
#include "ui/figure/plot_navigation.h"

namespace phaseladder::ui {

/// Where data lies in a widget: one plot rectangle and the range that it shows. The axes are the panel's and
/// outlive it.
class PlotMapping {
public:
    PlotMapping(const QRectF& rect, const Axis& x, const Axis& y, const PlotRange& range);

    [[nodiscard]] const QRectF& rect() const { return m_rect; }
    [[nodiscard]] const Axis& x() const { return *m_x; }
    [[nodiscard]] const Axis& y() const { return *m_y; }
    [[nodiscard]] const PlotRange& range() const { return m_range; }
    /// The range as the axes are drawn (logarithms on log axes).
    [[nodiscard]] const PlotRange& scaledRange() const { return m_scaled; }

    [[nodiscard]] double xPixel(double x) const { return scaledXPixel(scaledValue(*m_x, x)); }
    [[nodiscard]] double yPixel(double y) const { return scaledYPixel(scaledValue(*m_y, y)); }
    [[nodiscard]] QPointF pixel(double x, double y) const { return {xPixel(x), yPixel(y)}; }
    /// From a point whose coordinates are already logarithms on log axes.
    [[nodiscard]] QPointF scaledPixel(const QPointF& point) const {
        return {scaledXPixel(point.x()), scaledYPixel(point.y())};
    }
    /// From a data rectangle; upright whichever way the axes run.
    [[nodiscard]] QRectF pixelRect(double x0, double y0, double x1, double y1) const;

    /// Fractions along the axes, from 0 at the shown minimum to 1 at the shown maximum, not clamped.
    [[nodiscard]] QPointF fraction(const QPointF& pixel) const;
    /// The data values under a pixel.
    [[nodiscard]] QPointF data(const QPointF& pixel) const;

private:
    [[nodiscard]] double scaledXPixel(double scaled) const;
    [[nodiscard]] double scaledYPixel(double scaled) const;

    QRectF m_rect;
    const Axis* m_x;
    const Axis* m_y;
    PlotRange m_range;
    PlotRange m_scaled;
};

}  // namespace phaseladder::ui
