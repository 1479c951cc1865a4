#include "ui/figure/figure_layout.h"

#include <algorithm>
#include <cmath>

#include "ui/figure/axis_ticks.h"
#include "ui/figure/figure_text_runs.h"
#include "ui/figure/heatmap_layout.h"
#include "ui/figure/layout_check.h"
#include "ui/figure/panel_marks.h"

namespace phaseladder::ui {

namespace {

// In points. The outer padding is about the 0.015 in of tueplots.
constexpr double pagePad = 2.0;
constexpr double tickLength = 3.0;
constexpr double minorTickLength = 1.7;
constexpr double axisWidth = 0.7;
constexpr double labelGap = 2.5;
constexpr double panelGap = 7.0;
constexpr double smallestPlot = 12.0;

/// Ticks of one axis and how their labels are written.
struct AxisPlan {
    QList<Tick> ticks;
    bool turned = false;    // names read upwards
    double extent = 0.0;    // across the axis: widest label of y, height of labels of x
    double overhang = 0.0;  // of the last x label past the end of the plot
};

/// Everything about one panel that depends on the room it has.
struct Frame {
    const Panel* panel = nullptr;
    const Heatmap* map = nullptr;  // the one that gets the colour bar
    bool showsX = true;            // tick labels and title; not when the panel below has the same axis
    QList<LegendEntry> legend;     // empty: none
    bool legendAbove = false;
    AxisPlan x, y;
    QStringList yTitle;
    ColorBar bar;
    QRectF plot;
    double above = 0.0;  // panel title and legend rows
    double below = 0.0;  // labels and title of x
};

bool isNamed(const Axis& axis) {
    return !axis.labels.empty();
}

bool sameAxis(const Axis& a, const Axis& b) {
    return a.meaning == b.meaning && a.minimum == b.minimum && a.maximum == b.maximum && a.scale == b.scale &&
           a.reversed == b.reversed && a.title == b.title && a.labels == b.labels;
}

PlotMapping mappingOf(const Frame& frame) {
    const Axis& x = frame.panel->x;
    const Axis& y = frame.panel->y;
    return PlotMapping(frame.plot, x, y, PlotRange{x.minimum, x.maximum, y.minimum, y.maximum});
}

class Composer {
public:
    Composer(const Figure& figure, const PageOptions& options);
    LaidOutFigure compose();

private:
    void composeEmptyState();
    void planTitle();
    void planFrames();
    void planXAxis(Frame& frame, double width);
    void planYAxis(Frame& frame, double height);
    void planNames(AxisPlan& plan, const Axis& axis, double length, double cap, bool isX);
    void placeFrames();
    void shrinkToSquareCells(Frame& frame);
    void moveCrowdedLegendsAbove();

    void drawTitle();
    void drawFrame(const Frame& frame, int panel);
    void drawLegend(const Frame& frame, Obstacles& obstacles);
    void drawAxes(const Frame& frame);
    void drawPanelTitle(const Frame& frame);

    void line(const QPointF& from, const QPointF& to, const QColor& color, double width);
    void text(const QPointF& anchor, const QString& words, const TextStyle& style, Qt::Alignment alignment,
              double degrees = 0.0);

    const Figure& m_figure;
    const PageOptions& m_options;
    LaidOutFigure m_page;
    TextStyle m_base, m_small, m_panelTitle, m_title;
    QStringList m_titleLines;
    bool m_titleAtPlot = true;  // above the plot's left border, else at the page's
    QList<Frame> m_frames;
    int m_crowdedLabels = 0;
};

Composer::Composer(const Figure& figure, const PageOptions& options) : m_figure(figure), m_options(options) {
    const FigureStyle& style = options.style;
    m_base = {style.fontFamily, options.fontPoints, false, style.text};
    m_small = m_base;
    m_small.sizePoints *= 0.9;
    m_panelTitle = m_base;
    m_panelTitle.strong = true;
    m_title = m_panelTitle;
    m_title.sizePoints *= 1.15;
    m_page.sizePoints = options.sizePoints;
    m_page.title = options.title.isEmpty() ? QString::fromStdString(figure.title) : options.title;
}

void Composer::line(const QPointF& from, const QPointF& to, const QColor& color, double width) {
    m_page.primitives.append(Polyline{{QPolygonF({from, to})}, color, width, {}});
}

void Composer::text(const QPointF& anchor, const QString& words, const TextStyle& style,
                    Qt::Alignment alignment, double degrees) {
    for (const TextRun& run : textRuns(anchor, words, style, alignment, degrees)) {
        m_page.primitives.append(run);
    }
}

LaidOutFigure Composer::compose() {
    const FigureStyle& style = m_options.style;
    if (!m_options.transparent) {
        m_page.primitives.append(FilledRect{QRectF(QPointF(), m_page.sizePoints), style.background});
    }
    if (m_figure.panels.empty()) {
        planTitle();
        composeEmptyState();
        return m_page;
    }
    planFrames();
    placeFrames();
    moveCrowdedLegendsAbove();
    drawTitle();
    for (int index = 0; index < m_frames.size(); ++index) {
        drawFrame(m_frames[index], index);
    }
    m_page.problems = layoutProblems(m_page, m_crowdedLabels);
    return m_page;
}

void Composer::composeEmptyState() {
    drawTitle();
    TextStyle style = m_base;
    style.color = m_options.style.mutedText;
    const double width = 0.8 * m_page.sizePoints.width();
    const QStringList lines = wrappedText(QString::fromStdString(m_figure.emptyState), style, width, 6);
    double y = 0.5 * (m_page.sizePoints.height() - lineHeight(style) * static_cast<double>(lines.size()));
    for (const QString& words : lines) {
        y += lineHeight(style);
        text({0.5 * m_page.sizePoints.width(), y}, words, style, Qt::AlignHCenter);
    }
    m_page.problems = layoutProblems(m_page, 0);
}

/// One line above the plot where it fits, else from the page's border, a little smaller, then in up to three
/// lines.
void Composer::planTitle() {
    m_titleLines.clear();
    if (!m_options.showTitle || m_page.title.isEmpty()) {
        return;
    }
    const double page = m_page.sizePoints.width() - 2.0 * pagePad;
    const double plotLeft = m_frames.isEmpty() ? pagePad : m_frames.first().plot.left();
    m_title.sizePoints = 1.15 * m_options.fontPoints;
    const double fullWidth = textWidth(m_page.title, m_title);
    m_titleAtPlot = plotLeft + fullWidth <= page + pagePad;
    if (fullWidth > page) {
        m_title.sizePoints = m_options.fontPoints;
    }
    m_titleLines = wrappedText(m_page.title, m_title, page, 3);
}

void Composer::planFrames() {
    const auto count = m_figure.panels.size();
    for (std::size_t index = 0; index < count; ++index) {
        Frame frame;
        frame.panel = &m_figure.panels[index];
        for (const Layer& layer : frame.panel->layers) {
            if (const auto* map = std::get_if<Heatmap>(&layer); map != nullptr && frame.map == nullptr) {
                frame.map = map;
            }
        }
        frame.showsX = index + 1 == count || !sameAxis(frame.panel->x, m_figure.panels[index + 1].x);
        frame.legend = legendEntries(*frame.panel);
        frame.legendAbove = frame.map != nullptr;
        m_frames.append(frame);
    }
    // A legend that another panel's legend contains is not repeated.
    for (Frame& frame : m_frames) {
        const bool isRepeated = std::any_of(m_frames.begin(), m_frames.end(), [&](const Frame& other) {
            return &other != &frame &&
                   (other.legend.size() > frame.legend.size() ||
                    (other.legend.size() == frame.legend.size() && &other < &frame)) &&
                   std::all_of(frame.legend.begin(), frame.legend.end(),
                               [&](const LegendEntry& entry) { return other.legend.contains(entry); });
        });
        if (frame.legend.size() < 2 || isRepeated) {
            frame.legend.clear();
        }
    }
}

void Composer::planNames(AxisPlan& plan, const Axis& axis, double length, double cap, bool isX) {
    const double cell = length / (axis.maximum - axis.minimum);
    const int all = static_cast<int>(axis.labels.size());
    const auto widestOf = [&](const QList<Tick>& ticks) {
        double widest = 0.0;
        for (const Tick& tick : ticks) {
            widest = std::max(widest, tickLabelWidth(tick, m_base));
        }
        return widest;
    };
    plan.ticks = axisTicks(axis, axis.minimum, axis.maximum, std::max(all, 1));
    const double line = 1.1 * m_base.sizePoints;
    plan.turned = isX && widestOf(plan.ticks) + 0.5 * m_base.sizePoints > cell;
    if ((plan.turned || !isX) && line > cell) {
        plan.ticks =
            axisTicks(axis, axis.minimum, axis.maximum, std::max(1, static_cast<int>(length / line)));
    }
    for (Tick& tick : plan.ticks) {
        tick.label = elidedText(tick.label, m_base, cap);
    }
    plan.extent = isX && !plan.turned ? capHeight(m_base) : widestOf(plan.ticks);
}

void Composer::planXAxis(Frame& frame, double width) {
    const Axis& axis = frame.panel->x;
    frame.x = {};
    if (isNamed(axis)) {
        planNames(frame.x, axis, width, 0.3 * m_page.sizePoints.height(), true);
    } else {
        for (int wanted = std::max(2, static_cast<int>(width / (2.5 * m_base.sizePoints))); wanted >= 2;
             --wanted) {
            frame.x.ticks = axisTicks(axis, axis.minimum, axis.maximum, wanted);
            double end = -1e9;
            bool fits = true;
            QList<Tick> labelled = frame.x.ticks;
            labelled.removeIf([](const Tick& tick) { return tick.minor; });
            std::sort(labelled.begin(), labelled.end(),
                      [](const Tick& a, const Tick& b) { return a.value < b.value; });
            for (const Tick& tick : labelled) {
                const double center = axisFraction(axis, axis.minimum, axis.maximum, tick.value) * width;
                const double half = 0.5 * tickLabelWidth(tick, m_base);
                fits = fits && center - half >= end;
                end = center + half + 0.7 * m_base.sizePoints;
            }
            if (fits) {
                break;
            }
        }
        frame.x.extent = capHeight(m_base);
    }
    for (const Tick& tick : frame.x.ticks) {
        if (!tick.minor && !frame.x.turned) {
            double fraction = axisFraction(axis, axis.minimum, axis.maximum, tick.value);
            fraction = axis.reversed ? 1.0 - fraction : fraction;
            const double end = fraction * width + 0.5 * tickLabelWidth(tick, m_base);
            frame.x.overhang = std::max(frame.x.overhang, end - width);
        }
    }
    const double ticks = isNamed(axis) ? 0.0 : tickLength;
    frame.below = frame.showsX ? ticks + labelGap + 1.0 + frame.x.extent : tickLength;
    if (frame.showsX && !axis.title.empty()) {
        frame.below += labelGap + lineHeight(m_base);
    }
}

void Composer::planYAxis(Frame& frame, double height) {
    const Axis& axis = frame.panel->y;
    frame.y = {};
    if (isNamed(axis)) {
        planNames(frame.y, axis, height, 0.3 * m_page.sizePoints.width(), false);
    } else {
        const int wanted = std::clamp(static_cast<int>(height / (2.2 * m_base.sizePoints)), 2, 8);
        frame.y.ticks = axisTicks(axis, axis.minimum, axis.maximum, wanted);
        for (const Tick& tick : frame.y.ticks) {
            frame.y.extent = std::max(frame.y.extent, tickLabelWidth(tick, m_base));
        }
    }
    frame.yTitle =
        wrappedText(QString::fromStdString(axis.title), m_base, std::max(height, 3.0 * m_base.sizePoints), 2);
}

void Composer::shrinkToSquareCells(Frame& frame) {
    const Axis& x = frame.panel->x;
    const Axis& y = frame.panel->y;
    const double columns = x.maximum - x.minimum;
    const double rows = y.maximum - y.minimum;
    const double side = std::min(frame.plot.width() / columns, frame.plot.height() / rows);
    const QSizeF size(side * columns, side * rows);
    const QPointF center = frame.plot.center();
    frame.plot = QRectF(QPointF(center.x() - 0.5 * size.width(), frame.plot.top()), size);
}

/// Margins and plots depend on each other through the tick labels; three rounds settle them.
void Composer::placeFrames() {
    QSizeF room(0.75 * m_page.sizePoints.width(),
                0.6 * m_page.sizePoints.height() / static_cast<double>(m_frames.size()));
    for (Frame& frame : m_frames) {
        frame.plot = QRectF(QPointF(0.25 * m_page.sizePoints.width(), 0.0), room);
    }
    for (int round = 0; round < 4; ++round) {
        double left = 0.0;
        double right = 0.0;
        double weights = 0.0;
        double used = 0.0;
        for (Frame& frame : m_frames) {
            planXAxis(frame, frame.plot.width());
            planYAxis(frame, frame.plot.height());
            const double yTicks = isNamed(frame.panel->y) ? 0.0 : tickLength;
            const double titleRoom =
                frame.yTitle.isEmpty()
                    ? 0.0
                    : labelGap + lineHeight(m_base) * static_cast<double>(frame.yTitle.size());
            left = std::max(left, titleRoom + frame.y.extent + labelGap + yTicks);
            frame.bar =
                frame.map != nullptr ? planColorBar(*frame.map, frame.plot.height(), m_base) : ColorBar();
            right = std::max({right, frame.bar.width, frame.showsX ? frame.x.overhang : 0.0});
            frame.above =
                frame.panel->title.empty() || m_frames.size() == 1 ? 0.0 : lineHeight(m_panelTitle) + 2.0;
            if (frame.legendAbove && !frame.legend.isEmpty()) {
                frame.above += legendRowsHeight(frame.legend, m_small, frame.plot.width()) + 2.0;
            }
            used += frame.above + frame.below;
            weights += frame.map != nullptr && m_frames.size() > 1 ? 1.5 : 1.0;
        }
        left += pagePad;
        right += pagePad;
        planTitle();
        double top = pagePad + lineHeight(m_title) * static_cast<double>(m_titleLines.size()) +
                     (m_titleLines.isEmpty() ? 0.5 * capHeight(m_base) : 3.0);
        const double free = m_page.sizePoints.height() - top - pagePad - used -
                            panelGap * static_cast<double>(m_frames.size() - 1);
        const double width = std::max(smallestPlot, m_page.sizePoints.width() - left - right);
        for (Frame& frame : m_frames) {
            const double weight = frame.map != nullptr && m_frames.size() > 1 ? 1.5 : 1.0;
            const double height = std::max(smallestPlot, free * weight / weights);
            frame.plot = QRectF(left, top + frame.above, width, height);
            top += frame.above + height + frame.below + panelGap;
            if (frame.panel->squareCells) {
                shrinkToSquareCells(frame);
            }
        }
    }
}

/// A legend that finds no place off the curves moves above its plot.
void Composer::moveCrowdedLegendsAbove() {
    bool hasMoved = false;
    for (Frame& frame : m_frames) {
        if (frame.legend.isEmpty() || frame.legendAbove) {
            continue;
        }
        const QSizeF size = legendColumnSize(frame.legend, m_small);
        const Obstacles obstacles = panelObstacles(*frame.panel, mappingOf(frame), m_options.style);
        const Placement placement = bestPlacement(obstacles, legendPlaces(frame.plot, size, 4.0));
        frame.legendAbove = !placement.isFree();
        hasMoved = hasMoved || frame.legendAbove;
    }
    if (!hasMoved) {
        return;
    }
    // A legend that speaks for all panels stands above the first.
    for (Frame& frame : m_frames) {
        const bool speaksForAll =
            frame.legendAbove && std::all_of(m_frames.begin(), m_frames.end(), [&](const Frame& other) {
                const QList<LegendEntry> entries = legendEntries(*other.panel);
                return !entries.isEmpty() &&
                       std::all_of(entries.begin(), entries.end(),
                                   [&](const LegendEntry& entry) { return frame.legend.contains(entry); });
            });
        if (speaksForAll) {
            m_frames.first().legendAbove = true;
            std::swap(m_frames.first().legend, frame.legend);
        }
    }
    placeFrames();
}

void Composer::drawTitle() {
    const double x = m_titleAtPlot && !m_frames.isEmpty() ? m_frames.first().plot.left() : pagePad;
    double y = pagePad;
    for (const QString& words : m_titleLines) {
        text({x, y + 0.5 * (lineHeight(m_title) + capHeight(m_title))}, words, m_title, Qt::AlignLeft);
        y += lineHeight(m_title);
    }
}

void Composer::drawPanelTitle(const Frame& frame) {
    if (frame.panel->title.empty() || m_frames.size() == 1) {
        return;
    }
    const double width = m_page.sizePoints.width() - pagePad - frame.plot.left();
    const QString words = elidedText(QString::fromStdString(frame.panel->title), m_panelTitle, width);
    text({frame.plot.left(), frame.plot.top() - frame.above + capHeight(m_panelTitle) + 1.0}, words,
         m_panelTitle, Qt::AlignLeft);
}

void Composer::drawFrame(const Frame& frame, int panel) {
    const FigureStyle& style = m_options.style;
    const PlotMapping mapping = mappingOf(frame);
    if (!m_options.transparent && style.plotBackground != style.background) {
        m_page.primitives.append(FilledRect{frame.plot, style.plotBackground});
    }
    PlotArea area{frame.plot, frame.panel->x, frame.panel->y, panel, m_page.primitives.size(), 0};
    addMarks(m_page.primitives, *frame.panel, mapping, frame.x.ticks, frame.y.ticks, style, m_base);
    area.clippedTo = m_page.primitives.size();
    m_page.plots.append(area);
    drawAxes(frame);
    Obstacles obstacles = panelObstacles(*frame.panel, mapping, style);
    drawLegend(frame, obstacles);
    m_crowdedLabels += addLabels(m_page.primitives, *frame.panel, mapping, obstacles, style, m_small);
    if (frame.map != nullptr) {
        addColorBar(m_page.primitives, frame.bar, *frame.map, frame.plot, style, m_base);
    }
    drawPanelTitle(frame);
}

void Composer::drawLegend(const Frame& frame, Obstacles& obstacles) {
    if (frame.legend.isEmpty()) {
        return;
    }
    if (frame.legendAbove) {
        const double height = legendRowsHeight(frame.legend, m_small, frame.plot.width());
        addLegendRows(m_page.primitives, frame.legend,
                      QRectF(frame.plot.left(), frame.plot.top() - height - 2.0, frame.plot.width(), height),
                      m_options.style, m_small);
        return;
    }
    const QSizeF size = legendColumnSize(frame.legend, m_small);
    const Placement placement = bestPlacement(obstacles, legendPlaces(frame.plot, size, 4.0));
    addLegendColumn(m_page.primitives, frame.legend, placement.candidate.box.topLeft(), m_options.style,
                    m_small);
    obstacles.addBox(placement.candidate.box);
}

void Composer::drawAxes(const Frame& frame) {
    const FigureStyle& style = m_options.style;
    const QRectF& plot = frame.plot;
    const Axis& xAxis = frame.panel->x;
    const Axis& yAxis = frame.panel->y;
    const PlotMapping mapping = mappingOf(frame);
    if (!(isNamed(xAxis) && isNamed(yAxis))) {
        line(plot.bottomLeft(), plot.bottomRight(), style.axis, axisWidth);
        line(plot.topLeft(), plot.bottomLeft(), style.axis, axisWidth);
    }
    const double half = 0.5 * capHeight(m_base);
    const double xTick = isNamed(xAxis) ? 0.0 : tickLength;
    for (const Tick& tick : frame.x.ticks) {
        const double x = mapping.xPixel(tick.value);
        if (xTick > 0.0) {
            line({x, plot.bottom()}, {x, plot.bottom() + (tick.minor ? minorTickLength : tickLength)},
                 style.axis, tick.minor ? 0.4 : 0.6);
        }
        if (tick.minor || !frame.showsX) {
            continue;
        }
        const double top = plot.bottom() + xTick + labelGap + 1.0;
        if (frame.x.turned) {
            text({x + half, top}, tick.label, m_base, Qt::AlignRight, -90.0);
        } else {
            for (const TextRun& run : tickLabelRuns(tick, {x, top + 2.0 * half}, m_base, Qt::AlignHCenter)) {
                m_page.primitives.append(run);
            }
        }
    }
    const double yTick = isNamed(yAxis) ? 0.0 : tickLength;
    for (const Tick& tick : frame.y.ticks) {
        const double y = mapping.yPixel(tick.value);
        if (yTick > 0.0) {
            line({plot.left() - (tick.minor ? minorTickLength : tickLength), y}, {plot.left(), y}, style.axis,
                 tick.minor ? 0.4 : 0.6);
        }
        if (!tick.minor) {
            const QPointF anchor(plot.left() - yTick - labelGap, y + half);
            for (const TextRun& run : tickLabelRuns(tick, anchor, m_base, Qt::AlignRight)) {
                m_page.primitives.append(run);
            }
        }
    }
    if (frame.showsX && !xAxis.title.empty()) {
        const double baseline = plot.bottom() + frame.below - 0.5 * (lineHeight(m_base) - capHeight(m_base));
        const QString title =
            elidedText(QString::fromStdString(xAxis.title), m_base, m_page.sizePoints.width());
        text({plot.center().x(), baseline}, title, m_base, Qt::AlignHCenter);
    }
    double x = plot.left() - yTick - labelGap - frame.y.extent - labelGap -
               lineHeight(m_base) * static_cast<double>(frame.yTitle.size());
    for (const QString& words : frame.yTitle) {
        x += lineHeight(m_base);
        text({x - 0.5 * (lineHeight(m_base) - capHeight(m_base)), plot.center().y()}, words, m_base,
             Qt::AlignHCenter, -90.0);
    }
}

}  // namespace

LaidOutFigure layoutFigure(const Figure& figure, const PageOptions& options) {
    return Composer(figure, options).compose();
}

}  // namespace phaseladder::ui
