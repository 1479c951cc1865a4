#include "ui/figure/page_frame.h"

#include <algorithm>

namespace phaseladder::ui {
namespace {

constexpr double minorTickShare = 0.55;  // of a tick's length
constexpr double axisWidth = 0.7;

void addLine(QList<Primitive>& primitives, const QPointF& from, const QPointF& to, const QColor& color,
             double width) {
    primitives.append(Polyline{{QPolygonF({from, to})}, color, width, {}});
}

void addText(QList<Primitive>& primitives, const QPointF& anchor, const QString& words,
             const TextStyle& style, Qt::Alignment alignment, double degrees = 0.0) {
    for (const TextRun& run : textRuns(anchor, words, style, alignment, degrees)) {
        primitives.append(run);
    }
}

void addXLabel(QList<Primitive>& primitives, const PageFrame& frame, const Tick& tick, double x) {
    const TextStyle& style = frame.x.text;
    const double top = frame.plot.bottom() + frame.x.tickLength + labelGap + 1.0;
    if (frame.x.turned) {
        addText(primitives, {x + 0.5 * capHeight(style), top}, tick.label, style, Qt::AlignRight, -90.0);
        return;
    }
    for (const TextRun& run : tickLabelRuns(tick, {x, top + capHeight(style)}, style, Qt::AlignHCenter)) {
        primitives.append(run);
    }
}

}  // namespace

double legendWidth(const PageFrame& frame) {
    return frame.cellRight - pagePad - frame.cellLeft - frame.left;
}

PlotMapping mappingOf(const PageFrame& frame) {
    const Axis& x = frame.panel->x;
    const Axis& y = frame.panel->y;
    return PlotMapping(frame.plot, x, y, PlotRange{x.minimum, x.maximum, y.minimum, y.maximum});
}

void addFrameAxes(QList<Primitive>& primitives, const PageFrame& frame, const FigureStyle& style,
                  const TextStyle& base) {
    if (!frame.panel->axesShown) {
        return;
    }
    const QRectF& plot = frame.plot;
    const Axis& xAxis = frame.panel->x;
    const Axis& yAxis = frame.panel->y;
    const PlotMapping mapping = mappingOf(frame);
    const bool isTokenMap = !xAxis.labels.empty() && !yAxis.labels.empty();
    if (!isTokenMap) {
        addLine(primitives, plot.bottomLeft(), plot.bottomRight(), style.axis, axisWidth);
        addLine(primitives, plot.topLeft(), plot.bottomLeft(), style.axis, axisWidth);
    }
    for (const Tick& tick : frame.x.ticks) {
        const double x = mapping.xPixel(tick.value);
        const double length = frame.x.tickLength * (tick.minor ? minorTickShare : 1.0);
        addLine(primitives, {x, plot.bottom()}, {x, plot.bottom() + length}, style.axis,
                tick.minor ? 0.4 : 0.6);
        if (!tick.minor && frame.showsX) {
            addXLabel(primitives, frame, tick, x);
        }
    }
    for (const Tick& tick : frame.y.ticks) {
        const double y = mapping.yPixel(tick.value);
        const double length = frame.y.tickLength * (tick.minor ? minorTickShare : 1.0);
        addLine(primitives, {plot.left() - length, y}, {plot.left(), y}, style.axis, tick.minor ? 0.4 : 0.6);
        const QPointF anchor(plot.left() - frame.y.tickLength - labelGap, y + 0.5 * capHeight(frame.y.text));
        for (const TextRun& run : tickLabelRuns(tick, anchor, frame.y.text, Qt::AlignRight)) {
            primitives.append(run);
        }
    }
    if (frame.showsX && !xAxis.title.empty()) {
        const double baseline = plot.bottom() + frame.below - 0.5 * (lineHeight(base) - capHeight(base));
        const QString title =
            elidedText(QString::fromStdString(xAxis.title), base, frame.cellRight - frame.cellLeft);
        const double half = 0.5 * textWidth(title, base);
        const double middle = std::clamp(plot.center().x(), frame.cellLeft + half, frame.cellRight - half);
        addText(primitives, {middle, baseline}, title, base, Qt::AlignHCenter);
    }
    const double line = lineHeight(frame.yTitleStyle);
    double x = plot.left() - frame.y.tickLength - labelGap - frame.y.extent - labelGap -
               line * static_cast<double>(frame.yTitle.size());
    for (const QString& words : frame.yTitle) {
        x += line;
        addText(primitives, {x - 0.5 * (line - capHeight(frame.yTitleStyle)), plot.center().y()}, words,
                frame.yTitleStyle, Qt::AlignHCenter, -90.0);
    }
}

}  // namespace phaseladder::ui
