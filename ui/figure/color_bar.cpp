#include "ui/figure/color_bar.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "core/figures/color_range.h"
#include "ui/figure/axes_painter.h"
#include "ui/figure/map_cells.h"
#include "ui/figure/map_colors.h"

namespace phaseladder::ui {
namespace {

constexpr double barGap = 12.0, barWidth = 12.0, barTick = 4.0, barTitle = 18.0;
constexpr double barTickSpacing = 48.0;  // pixels a labelled tick

QList<Tick> ticksAlong(const Heatmap& map, double plotHeight) {
    return barTicks(map, std::max(2, static_cast<int>(plotHeight / barTickSpacing)));
}

double barLabelWidth(const QList<Tick>& ticks, const QFont& font) {
    double width = 0.0;
    for (const Tick& tick : ticks) {
        width = std::max(width, tickLabelWidth(tick, font));
    }
    return width;
}

}  // namespace

double colorBarWidth(const Heatmap& map, double plotHeight, const FigureStyle& style) {
    const double labels = barLabelWidth(ticksAlong(map, plotHeight), figureFont(style, 11));
    return barGap + barWidth + barTick + 3.0 + std::ceil(labels) +
           (map.valueTitle.empty() ? 4.0 : barTitle + 2.0);
}

void paintColorBar(QPainter& painter, const Heatmap& map, const QRectF& plot, const FigureStyle& style) {
    const QRectF bar(std::round(plot.right() + barGap), plot.top(), barWidth, plot.height());
    const QList<QRgb> colors = levelColors(map.map, style);
    QImage gradient(1, colorLevelCount, QImage::Format_RGB32);
    for (int level = 0; level < colorLevelCount; ++level) {
        gradient.setPixel(0, colorLevelCount - 1 - level, colors[level]);
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(bar, gradient);

    const QFont font = figureFont(style, 11);
    const QList<Tick> ticks = ticksAlong(map, plot.height());
    for (const Tick& tick : ticks) {
        const double y = bar.bottom() - colorShare(map, tick.value) * bar.height();
        const double line = std::clamp(std::floor(y) + 0.5, bar.top() + 0.5, bar.bottom() - 0.5);
        painter.setPen(QPen(style.axis, 1.0));
        painter.drawLine(QPointF(bar.right(), line), QPointF(bar.right() + barTick, line));
        painter.setPen(style.mutedText);
        paintTickLabel(painter, tick, bar.right() + barTick + 3.0, y, font);
    }
    if (map.valueTitle.empty()) {
        return;
    }
    painter.save();
    painter.setFont(figureFont(style, 12));
    painter.translate(bar.right() + barTick + 3.0 + barLabelWidth(ticks, font) + 4.0 + barTitle / 2.0,
                      bar.center().y());
    painter.rotate(-90.0);
    painter.drawText(QRectF(-bar.height() / 2.0, -barTitle / 2.0, bar.height(), barTitle),
                     Qt::AlignCenter | Qt::TextDontClip, QString::fromStdString(map.valueTitle));
    painter.restore();
}

}  // namespace phaseladder::ui
