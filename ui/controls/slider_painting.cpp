#include "ui/controls/slider_painting.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

constexpr double trackMargin = 9.0;
constexpr double trackWidth = 3.0;

void paintTicks(QPainter& painter, const QWidget& widget, const SliderMapping& mapping,
                const SliderGeometry& geometry) {
    QFont font = widget.font();
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(themeColors(currentTheme()).mutedText);
    const QFontMetricsF metrics(font);
    std::vector<std::pair<double, double>> taken;
    const auto place = [&](double tick) {
        if (tick < mapping.minimum || tick > mapping.maximum) {
            return;
        }
        const QString label = tickLabel(tick, mapping.scale);
        const double width = metrics.horizontalAdvance(label);
        const double left = std::clamp(geometry.x(mapping.fraction(tick)) - width / 2.0, 0.0,
                                       std::max(0.0, widget.width() - width));
        const bool touches =
            std::any_of(taken.begin(), taken.end(), [&](const std::pair<double, double>& other) {
                return left < other.second + 5.0 && left + width > other.first - 5.0;
            });
        if (!touches) {
            taken.emplace_back(left, left + width);
            painter.drawText(QPointF(left, geometry.trackY + 9.0 + metrics.ascent()), label);
        }
    };
    if (mapping.ticks.empty()) {
        return;
    }
    place(mapping.ticks.front());
    place(mapping.ticks.back());
    for (const double tick : mapping.ticks) {
        place(tick);
    }
}

}  // namespace

SliderGeometry SliderGeometry::of(const QWidget& widget) {
    return {trackMargin, std::max(trackMargin + 1.0, widget.width() - trackMargin), 10.0,
            widget.layoutDirection()};
}

double SliderGeometry::x(double fraction) const {
    return direction == Qt::RightToLeft ? right - fraction * (right - left)
                                        : left + fraction * (right - left);
}

double SliderGeometry::fractionOfWay(double pixels) const {
    return (direction == Qt::RightToLeft ? -pixels : pixels) / (right - left);
}

double SliderGeometry::fractionAt(double pointX) const {
    return direction == Qt::RightToLeft ? fractionOfWay(pointX - right) : fractionOfWay(pointX - left);
}

void paintTrack(QPainter& painter, const QWidget& widget, const SliderMapping& mapping, double filledFrom,
                double filledTo) {
    const ThemeColors& colors = themeColors(currentTheme());
    const SliderGeometry geometry = SliderGeometry::of(widget);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto line = [&](double from, double to, const QColor& color) {
        painter.setPen(QPen(color, trackWidth, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(geometry.x(from), geometry.trackY),
                         QPointF(geometry.x(to), geometry.trackY));
    };
    line(0.0, 1.0, colors.border);
    if (filledFrom != filledTo) {
        line(filledFrom, filledTo, widget.isEnabled() ? colors.accent : colors.mutedText);
    }
    paintTicks(painter, widget, mapping, geometry);
}

void paintHandle(QPainter& painter, const QWidget& widget, QPointF centre, HandleState state, bool hasFocus) {
    const ThemeColors& colors = themeColors(currentTheme());
    const QColor accent = widget.isEnabled() ? colors.accent : colors.mutedText;
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus || state == HandleState::held) {
        QColor ring = accent;
        ring.setAlphaF(hasFocus ? 0.35f : 0.2f);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ring);
        painter.drawEllipse(centre, handleRadius + 3.0, handleRadius + 3.0);
    }
    painter.setPen(QPen(accent, 2.0));
    painter.setBrush(state == HandleState::resting ? colors.panel : colors.accentTint);
    painter.drawEllipse(centre, handleRadius - 0.5, handleRadius - 0.5);
}

}  // namespace phaseladder::ui
