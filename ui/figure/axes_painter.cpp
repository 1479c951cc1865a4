#include "ui/figure/axes_painter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/figure/text_advance.h"

namespace phaseladder::ui {
namespace {

constexpr double tickLength = 4.0;
constexpr double labelGap = 3.0;
constexpr double titleHeight = 17.0;
constexpr double longestName = 76.0, shortestName = 30.0;  // pixels of a token's name before it is elided
constexpr double mostForNames = 0.35;                      // of a panel's width or height
constexpr int labelPixels = 11;
constexpr int titlePixels = 12;
constexpr int smallestTitlePixels = 9;
constexpr double bareMargin = 6.0;  // pixels around a panel without axes

/// Pixels that a token's name may take, of a room across the axis.
double nameLimit(double room) {
    return std::clamp(mostForNames * room, shortestName, longestName);
}

QString elidedName(const QString& name, const QFont& font, double limit) {
    return textAdvance(font, name) <= limit ? name
                                            : QFontMetricsF(font).elidedText(name, Qt::ElideRight, limit);
}

double widestLabel(const QList<Tick>& ticks, const QFont& font) {
    double width = 0.0;
    for (const Tick& tick : ticks) {
        width = std::max(width, tickLabelWidth(tick, font));
    }
    return width;
}

/// The widest name of the whole axis, so that zooming does not move the plot.
double widestName(const Axis& axis, const QFont& font, double limit) {
    double width = 0.0;
    const std::size_t looked = std::min<std::size_t>(axis.labels.size(), 512);
    for (std::size_t i = 0; i < looked && width < limit; ++i) {
        width = std::max(width, textAdvance(font, QString::fromStdString(axis.labels[i])));
    }
    return std::min(width, limit);
}

QList<Tick> ticksOf(const Axis& axis, double minimum, double maximum, int wanted, const QFont& font,
                    double limit) {
    QList<Tick> ticks = axisTicks(axis, minimum, maximum, wanted);
    ticks.removeIf([&](const Tick& tick) { return tick.value < minimum || tick.value > maximum; });
    if (!axis.labels.empty()) {
        for (Tick& tick : ticks) {
            tick.label = elidedName(tick.label, font, limit);
        }
    }
    return ticks;
}

/// Labels of x that reach into the one before are left out; the ticks stay.
void dropTouchingLabels(QList<Tick>& ticks, const Axis& axis, const PlotRange& range, double width,
                        const QFont& font) {
    constexpr double apart = 5.0;
    const PlotMapping mapping(QRectF(0.0, 0.0, width, 1.0), axis, axis,
                              {range.xMinimum, range.xMaximum, range.xMinimum, range.xMaximum});
    double taken = -width;
    for (Tick& tick : ticks) {
        const double half = 0.5 * tickLabelWidth(tick, font), x = mapping.xPixel(tick.value);
        if (tick.label.isEmpty()) {
            continue;
        }
        if (x - half < taken + apart) {
            tick.label.clear();
            tick.superscript.clear();
        } else {
            taken = x + half;
        }
    }
}

double slantedHeight(double width, double height) {
    return (width + height) * M_SQRT1_2;
}

}  // namespace

QFont figureFont(const FigureStyle& style, int pixelSize) {
    QFont font(style.fontFamily);
    font.setPixelSize(pixelSize);
    return font;
}

double tickLabelWidth(const Tick& tick, const QFont& font) {
    double width = textAdvance(font, tick.label);
    if (!tick.superscript.isEmpty()) {
        QFont small(font);
        small.setPixelSize(std::max(8, font.pixelSize() * 3 / 4));
        width += textAdvance(small, tick.superscript) + 0.5;
    }
    return width;
}

void paintTickLabel(QPainter& painter, const Tick& tick, double x, double y, const QFont& font) {
    const QFontMetricsF metrics(font);
    const double baseline = std::round(y + metrics.capHeight() / 2.0);
    painter.setFont(font);
    painter.drawText(QPointF(x, baseline), tick.label);
    if (!tick.superscript.isEmpty()) {
        QFont small(font);
        small.setPixelSize(std::max(8, font.pixelSize() * 3 / 4));
        painter.setFont(small);
        painter.drawText(
            QPointF(x + textAdvance(font, tick.label) + 0.5, baseline - metrics.capHeight() * 0.5),
            tick.superscript);
    }
}

PlotAxes planAxes(const Panel& panel, const PlotRange& range, const QSizeF& size, double minimumLeft,
                  double minimumRight, bool showX, const FigureStyle& style) {
    const QFont font = figureFont(style, labelPixels);
    const double lineHeight = QFontMetricsF(font).height();
    PlotAxes axes;
    if (!panel.axesShown) {
        axes.xShown = false;
        axes.left = axes.top = axes.bottom = bareMargin;
        axes.right = std::max(bareMargin, minimumRight);
        return axes;
    }
    axes.xShown = showX;
    axes.xOnTop = panel.y.reversed && !panel.x.labels.empty();
    const double xTitle = panel.x.title.empty() ? 0.0 : titleHeight;

    const double xLimit = nameLimit(size.height()), yLimit = nameLimit(size.width());
    // Room above and below first: it says how many labels the y axis can have.
    const double names = panel.x.labels.empty() ? 0.0 : widestName(panel.x, font, xLimit);
    double xLabelHeight = lineHeight;
    const double guessedWidth = std::max(60.0, size.width() - std::max(minimumLeft, 60.0) - minimumRight);
    if (names > 0.0) {
        const double visible = std::max(1.0, range.xMaximum - range.xMinimum);
        axes.xSlanted = names + 6.0 > guessedWidth / visible && names > 1.6 * lineHeight;
        xLabelHeight = axes.xSlanted ? slantedHeight(names, lineHeight) : lineHeight;
    }
    const double xRoom = showX ? tickLength + labelGap + xLabelHeight + xTitle : tickLength + 4.0;
    axes.top = axes.xOnTop ? xRoom : lineHeight / 2.0 + 2.0;
    axes.bottom = axes.xOnTop ? lineHeight / 2.0 : xRoom;

    const double plotHeight = std::max(30.0, size.height() - axes.top - axes.bottom);
    const int wantedRows =
        std::max(2, static_cast<int>(plotHeight / (panel.y.labels.empty() ? 26.0 : lineHeight)));
    axes.y = ticksOf(panel.y, range.yMinimum, range.yMaximum, wantedRows, font, yLimit);
    double yWidth = widestName(panel.y, font, yLimit);
    if (panel.y.labels.empty()) {
        const QList<Tick> all = axisTicks(panel.y, panel.y.minimum, panel.y.maximum, wantedRows);
        yWidth = std::max(widestLabel(axes.y, font), widestLabel(all, font));
    }
    const double yTitle = panel.y.title.empty() ? 0.0 : titleHeight;
    axes.left = std::max(minimumLeft, std::ceil((tickLength + labelGap + yWidth + yTitle + 6.0) / 4.0) * 4.0);

    const double plotWidth = std::max(30.0, size.width() - axes.left - std::max(minimumRight, 12.0));
    double pixelsPerLabel = 60.0;
    if (!panel.x.labels.empty()) {
        pixelsPerLabel = axes.xSlanted ? lineHeight : names + 6.0;
    }
    axes.x = ticksOf(panel.x, range.xMinimum, range.xMaximum,
                     std::max(2, static_cast<int>(plotWidth / pixelsPerLabel)), font, xLimit);
    if (panel.x.labels.empty()) {
        dropTouchingLabels(axes.x, panel.x, range, plotWidth, font);
    }
    const double overhang =
        axes.xSlanted || axes.x.isEmpty() ? 0.0 : tickLabelWidth(axes.x.last(), font) / 2.0;
    axes.right = std::max({minimumRight, 12.0, std::ceil(overhang) + 2.0});
    return axes;
}

void paintAxes(QPainter& painter, const PlotAxes& axes, const PlotMapping& mapping,
               const FigureStyle& style) {
    const QRectF& rect = mapping.rect();
    const QFont font = figureFont(style, labelPixels);
    const QFontMetricsF metrics(font);
    const double direction = axes.xOnTop ? -1.0 : 1.0;
    const double xEdge = axes.xOnTop ? rect.top() : rect.bottom();

    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(style.axis, 1.0));
    for (const Tick& tick : axes.x) {
        if (mapping.x().labels.empty()) {
            const double x = std::floor(mapping.xPixel(tick.value)) + 0.5;
            painter.drawLine(QPointF(x, xEdge),
                             QPointF(x, xEdge + direction * (tick.minor ? 2.0 : tickLength)));
        }
    }
    for (const Tick& tick : axes.y) {
        if (mapping.y().labels.empty()) {
            const double y = std::floor(mapping.yPixel(tick.value)) + 0.5;
            painter.drawLine(QPointF(rect.left(), y),
                             QPointF(rect.left() - (tick.minor ? 2.0 : tickLength), y));
        }
    }

    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(style.mutedText);
    for (const Tick& tick : axes.y) {
        paintTickLabel(painter, tick, rect.left() - tickLength - labelGap - tickLabelWidth(tick, font),
                       mapping.yPixel(tick.value), font);
    }
    double labelHeight = metrics.height();
    for (const Tick& tick : axes.xShown ? axes.x : QList<Tick>()) {
        const double x = mapping.xPixel(tick.value);
        const double width = tickLabelWidth(tick, font);
        if (!axes.xSlanted) {
            paintTickLabel(painter, tick, x - width / 2.0,
                           xEdge + direction * (tickLength + labelGap + metrics.height() / 2.0), font);
            continue;
        }
        labelHeight = std::max(labelHeight, slantedHeight(width, metrics.height()));
        painter.save();
        painter.translate(x, xEdge + direction * (tickLength + labelGap));
        painter.rotate(-45.0);
        paintTickLabel(painter, tick, axes.xOnTop ? 0.0 : -width, 0.0, font);
        painter.restore();
    }

    painter.setPen(style.mutedText);
    // A title too long for its room is set smaller, and only then cut.
    const auto fitTitle = [&](const std::string& words, double room) {
        const QString title = QString::fromStdString(words);
        int pixels = titlePixels;
        while (pixels > smallestTitlePixels && textAdvance(figureFont(style, pixels), title) > room) {
            --pixels;
        }
        painter.setFont(figureFont(style, pixels));
        return QFontMetricsF(painter.font()).elidedText(title, Qt::ElideRight, room);
    };
    const double xMiddle = axes.xOnTop ? rect.top() - axes.top + titleHeight / 2.0
                                       : xEdge + tickLength + labelGap + labelHeight + titleHeight / 2.0;
    if (axes.xShown) {
        // Below the plot's middle, or as near as the panel's ends allow.
        const double left = rect.left() - axes.left, right = rect.right() + axes.right;
        const QString title = fitTitle(mapping.x().title, right - left - 2.0);
        const double half = textAdvance(painter.font(), title) / 2.0 + 1.0;
        const double middle = std::clamp(rect.center().x(), left + half, std::max(left + half, right - half));
        painter.drawText(QRectF(middle - half, xMiddle - titleHeight / 2.0, 2.0 * half, titleHeight),
                         Qt::AlignCenter | Qt::TextDontClip, title);
    }
    painter.save();
    const QList<Tick>& ticks = axes.y;
    const double labelWidth = ticks.isEmpty() ? 0.0 : widestLabel(ticks, font);
    // Beside the plot's middle, or as near as the panel's ends allow.
    const double room = axes.top + rect.height() + axes.bottom;
    const QString title = fitTitle(mapping.y().title, room);
    const double half = std::min(room, textAdvance(painter.font(), title)) / 2.0;
    const double middle =
        std::clamp(rect.center().y(), rect.top() - axes.top + half, rect.bottom() + axes.bottom - half);
    painter.translate(rect.left() - tickLength - labelGap - labelWidth - 6.0 - titleHeight / 2.0, middle);
    painter.rotate(-90.0);
    painter.drawText(QRectF(-room / 2.0, -titleHeight / 2.0, room, titleHeight),
                     Qt::AlignCenter | Qt::TextDontClip, title);
    painter.restore();
}

}  // namespace phaseladder::ui
