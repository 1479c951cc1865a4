#include "ui/figure/plot_mapping.h"

namespace phaseladder::ui {

PlotMapping::PlotMapping(const QRectF& rect, const Axis& x, const Axis& y, const PlotRange& range)
    : m_rect(rect),
      m_x(&x),
      m_y(&y),
      m_range(range),
      m_scaled{scaledValue(x, range.xMinimum), scaledValue(x, range.xMaximum), scaledValue(y, range.yMinimum),
               scaledValue(y, range.yMaximum)} {}

double PlotMapping::scaledXPixel(double scaled) const {
    const double fraction = (scaled - m_scaled.xMinimum) / (m_scaled.xMaximum - m_scaled.xMinimum);
    return m_x->reversed ? m_rect.right() - fraction * m_rect.width()
                         : m_rect.left() + fraction * m_rect.width();
}

double PlotMapping::scaledYPixel(double scaled) const {
    const double fraction = (scaled - m_scaled.yMinimum) / (m_scaled.yMaximum - m_scaled.yMinimum);
    return m_y->reversed ? m_rect.top() + fraction * m_rect.height()
                         : m_rect.bottom() - fraction * m_rect.height();
}

QRectF PlotMapping::pixelRect(double x0, double y0, double x1, double y1) const {
    return QRectF(pixel(x0, y0), pixel(x1, y1)).normalized();
}

QPointF PlotMapping::fraction(const QPointF& pixel) const {
    const double x = (pixel.x() - m_rect.left()) / m_rect.width();
    const double y = (pixel.y() - m_rect.top()) / m_rect.height();
    return {m_x->reversed ? 1.0 - x : x, m_y->reversed ? y : 1.0 - y};
}

QPointF PlotMapping::data(const QPointF& pixel) const {
    const QPointF at = fraction(pixel);
    return {unscaledValue(*m_x, m_scaled.xMinimum + at.x() * (m_scaled.xMaximum - m_scaled.xMinimum)),
            unscaledValue(*m_y, m_scaled.yMinimum + at.y() * (m_scaled.yMaximum - m_scaled.yMinimum))};
}

}  // namespace phaseladder::ui
