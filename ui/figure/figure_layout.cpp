#include "ui/figure/figure_layout.h"

#include <algorithm>
#include <cmath>

#include "core/export/figure_text.h"
#include "ui/figure/axis_plan.h"
#include "ui/figure/content_texts.h"
#include "ui/figure/curve_samples.h"
#include "ui/figure/figure_text_runs.h"
#include "ui/figure/heatmap_layout.h"
#include "ui/figure/layout_check.h"
#include "ui/figure/legend_layout.h"
#include "ui/figure/page_frame.h"
#include "ui/figure/panel_arrangement.h"
#include "ui/figure/panel_marks.h"

namespace phaseladder::ui {

namespace {

// In points.
constexpr double panelGap = 7.0;
constexpr double titleGapShare = 0.4;  // between title and plot, of the text size
constexpr double smallestPlot = 12.0;
constexpr double smallestTitleShare = 0.8;
constexpr double mostOfPage = 0.3;  // that names of tokens may take

bool sameAxis(const Axis& a, const Axis& b) {
    return a.meaning == b.meaning && a.minimum == b.minimum && a.maximum == b.maximum && a.scale == b.scale &&
           a.reversed == b.reversed && a.title == b.title && a.labels == b.labels &&
           a.firstLabel == b.firstLabel;
}

/// Above the panels of a figure with several: the letter, where letters are wanted, and the words.
QString panelTitle(const Figure& figure, const PageOptions& options, std::size_t index) {
    if (figure.panels.size() == 1) {
        return {};
    }
    const QString words = QString::fromStdString(figure.panels[index].title);
    if (!options.showPanelLetters) {
        return words;
    }
    return (QString::fromStdString(panelLetter(index)) + QLatin1Char(' ') + words).trimmed();
}

class Composer {
public:
    Composer(const Figure& figure, const PageOptions& options);
    LaidOutFigure compose();

private:
    void composeEmptyState();
    void planTitle();
    void planFrames();
    void planAxes(PageFrame& frame);
    void placeFrames();
    void planMargins();
    void planHeights();
    [[nodiscard]] double topOfPlots() const;
    [[nodiscard]] double legendGap(const PageFrame& frame) const;
    void shrinkToSquareCells(PageFrame& frame);
    void moveCrowdedLegendsAbove();

    void drawTitle();
    void drawFrame(const PageFrame& frame, int panel);
    void drawLegend(const PageFrame& frame, Obstacles& obstacles);
    void drawPanelTitle(const PageFrame& frame);

    void text(const QPointF& anchor, const QString& words, const TextStyle& style, Qt::Alignment alignment,
              double degrees = 0.0);

    const Figure& m_figure;
    const PageOptions& m_options;
    LaidOutFigure m_page;
    TextStyle m_base, m_small, m_panelTitle, m_title;
    QStringList m_titleLines;
    bool m_titleAtPlot = true;  // above the plot's left border, else at the page's
    QList<PageFrame> m_frames;
    std::vector<ArrangedRow> m_rows;
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
    planTitle();
    planFrames();
    placeFrames();
    moveCrowdedLegendsAbove();
    drawTitle();
    for (int index = 0; index < m_frames.size(); ++index) {
        drawFrame(m_frames[index], index);
    }
    m_page.check = checkLayout(m_page, m_crowdedLabels);
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
    m_page.check = checkLayout(m_page, 0);
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
    const QSizeF room(m_page.sizePoints.width(), m_page.sizePoints.height() - topOfPlots() - pagePad);
    m_rows = arrangePanels(m_figure.panels, room, m_base.sizePoints).rows;
    const auto count = m_figure.panels.size();
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        double left = 0.0;
        for (std::size_t at = 0; at < m_rows[row].panels.size(); ++at) {
            PageFrame frame;
            frame.row = row;
            frame.cellLeft = left;
            left += m_rows[row].widths[at];
            frame.cellRight = left;
            m_frames.append(frame);
        }
    }
    for (std::size_t index = 0; index < count; ++index) {
        PageFrame& frame = m_frames[static_cast<qsizetype>(index)];
        frame.panel = &m_figure.panels[index];
        frame.map = mapOf(*frame.panel);
        frame.showsX = frame.row + 1 >= m_rows.size() || m_rows[frame.row].panels.size() > 1 ||
                       m_rows[frame.row + 1].panels.size() > 1 || !m_figure.panels[index + 1].axesShown ||
                       !sameAxis(frame.panel->x, m_figure.panels[index + 1].x);
        frame.title = panelTitle(m_figure, m_options, index);
        if (m_options.showLegend) {
            frame.legend = legendEntries(*frame.panel);
        }
        frame.legendAbove = frame.map != nullptr;
    }
    // A legend that another panel's legend contains is not repeated.
    for (PageFrame& frame : m_frames) {
        const bool isRepeated = std::any_of(m_frames.begin(), m_frames.end(), [&](const PageFrame& other) {
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

void Composer::planAxes(PageFrame& frame) {
    if (!frame.panel->axesShown) {
        frame.below = frame.map == nullptr ? 0.0 : 0.5 * lineHeight(m_base);  // the colour bar's last number
        return;
    }
    const Axis& x = frame.panel->x;
    const Axis& y = frame.panel->y;
    frame.x = planXAxis(x, frame.plot.width(), mostOfPage * m_page.sizePoints.height(), m_base);
    frame.y = planYAxis(y, frame.plot.height(), mostOfPage * m_page.sizePoints.width(), m_base);
    frame.below = frame.showsX ? frame.x.tickLength + labelGap + 1.0 + frame.x.extent : frame.x.tickLength;
    if (frame.showsX && !x.title.empty()) {
        frame.below += labelGap + lineHeight(m_base);
    }
    const double titleRoom = std::max(frame.plot.height(), 3.0 * m_base.sizePoints);
    const QString title = QString::fromStdString(y.title).simplified();
    frame.yTitleStyle = m_base;
    for (const double share : {1.0, 0.9, 0.8}) {
        frame.yTitleStyle.sizePoints = share * m_base.sizePoints;
        frame.yTitle = wrappedText(title, frame.yTitleStyle, titleRoom, 2);
        if (frame.yTitle.join(QLatin1Char(' ')) == title) {
            break;
        }
    }
}

void Composer::shrinkToSquareCells(PageFrame& frame) {
    const Axis& x = frame.panel->x;
    const Axis& y = frame.panel->y;
    const double columns = x.maximum - x.minimum;
    const double rows = y.maximum - y.minimum;
    const double side = std::min(frame.plot.width() / columns, frame.plot.height() / rows);
    const QSizeF size(side * columns, side * rows);
    // Dials begin where their legend does.
    const double left =
        frame.panel->axesShown ? frame.plot.center().x() - 0.5 * size.width() : frame.plot.left();
    frame.plot = QRectF(QPointF(left, frame.plot.top()), size);
}

double Composer::topOfPlots() const {
    return pagePad + lineHeight(m_title) * static_cast<double>(m_titleLines.size()) +
           (m_titleLines.isEmpty() ? 0.5 * capHeight(m_base) : titleGapShare * m_base.sizePoints);
}

/// Between the rows of a legend and the plot. Above a square, which may be narrower than they are, they keep
/// off the topmost label of y.
double Composer::legendGap(const PageFrame& frame) const {
    const bool isSquare = frame.panel->squareCells && frame.panel->axesShown;
    return 2.0 + (isSquare ? 0.5 * capHeight(m_base) : 0.0);
}

/// Margins and plots depend on each other through the tick labels; three rounds settle them.
void Composer::placeFrames() {
    for (PageFrame& frame : m_frames) {
        const double width = frame.cellRight - frame.cellLeft;
        frame.plot = QRectF(frame.cellLeft + 0.25 * width, 0.0, 0.7 * width, m_rows[frame.row].plotHeight);
    }
    for (int round = 0; round < 4; ++round) {
        planMargins();
        planTitle();
        planHeights();
    }
}

/// Plans the axes for the plots as they are, and the margins; panels below each other share theirs.
void Composer::planMargins() {
    double sharedLeft = 0.0, sharedRight = 0.0;
    const auto isAlone = [this](const PageFrame& frame) { return m_rows[frame.row].panels.size() == 1; };
    for (PageFrame& frame : m_frames) {
        planAxes(frame);
        const double titleLines = static_cast<double>(frame.yTitle.size());
        const double titleRoom =
            frame.yTitle.isEmpty() ? 0.0 : labelGap + lineHeight(frame.yTitleStyle) * titleLines;
        const double besideAxis = frame.panel->axesShown ? labelGap : 0.0;
        frame.left = titleRoom + frame.y.extent + besideAxis + frame.y.tickLength;
        frame.bar = frame.map != nullptr ? planColorBar(*frame.map, frame.plot.height(), m_base) : ColorBar();
        frame.right = std::max(frame.bar.width, frame.showsX ? frame.x.overhang : 0.0);
        sharedLeft = frame.cellLeft == 0.0 ? std::max(sharedLeft, frame.left) : sharedLeft;
        sharedRight = isAlone(frame) ? std::max(sharedRight, frame.right) : sharedRight;
    }
    for (PageFrame& frame : m_frames) {
        frame.left = (frame.cellLeft == 0.0 ? sharedLeft : frame.left) + pagePad;
        frame.right = (isAlone(frame) ? sharedRight : frame.right) + pagePad;
        if (!frame.panel->axesShown) {
            frame.left = pagePad;
            frame.right = frame.bar.width + pagePad;
        }
    }
}

/// Shares the height that titles, labels and legends leave among the rows, as they were arranged.
void Composer::planHeights() {
    std::vector<double> above(m_rows.size(), 0.0), below(m_rows.size(), 0.0);
    for (PageFrame& frame : m_frames) {
        frame.above = frame.title.isEmpty() ? 0.0 : lineHeight(m_panelTitle) + 2.0;
        if (frame.legendAbove && !frame.legend.isEmpty()) {
            frame.above += legendRowsHeight(frame.legend, m_small, legendWidth(frame)) + legendGap(frame);
        }
        above[frame.row] = std::max(above[frame.row], frame.above);
        below[frame.row] = std::max(below[frame.row], frame.below);
    }
    double free = m_page.sizePoints.height() - topOfPlots() - pagePad -
                  panelGap * static_cast<double>(m_rows.size() - 1);
    double weights = 0.0;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        free -= above[row] + below[row] + (m_rows[row].isFixed ? m_rows[row].plotHeight : 0.0);
        weights += m_rows[row].isFixed ? 0.0 : m_rows[row].plotHeight;
    }
    std::vector<double> tops, heights;
    double top = topOfPlots();
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const double wanted = m_rows[row].plotHeight;
        heights.push_back(std::max(smallestPlot, m_rows[row].isFixed ? wanted : free * wanted / weights));
        tops.push_back(top + above[row]);
        top += above[row] + heights.back() + below[row] + panelGap;
    }
    for (PageFrame& frame : m_frames) {
        const double left = frame.cellLeft + frame.left;
        const double width = std::max(smallestPlot, frame.cellRight - frame.right - left);
        frame.plot = QRectF(left, tops[frame.row], width, heights[frame.row]);
        if (frame.panel->squareCells) {
            shrinkToSquareCells(frame);
        }
    }
}

/// A legend that finds no place off the curves moves above its plot.
void Composer::moveCrowdedLegendsAbove() {
    bool hasMoved = false;
    for (PageFrame& frame : m_frames) {
        if (frame.legend.isEmpty() || frame.legendAbove) {
            continue;
        }
        const QSizeF size = legendColumnSize(frame.legend, m_small);
        const Obstacles obstacles = panelObstacles(*frame.panel, mappingOf(frame), m_options.style, m_base);
        const Placement placement = bestPlacement(obstacles, legendPlaces(frame.plot, size, 4.0));
        frame.legendAbove = !placement.isFree();
        hasMoved = hasMoved || frame.legendAbove;
    }
    if (!hasMoved) {
        return;
    }
    // A legend that speaks for all panels stands above the first.
    for (PageFrame& frame : m_frames) {
        const bool speaksForAll =
            frame.legendAbove && std::all_of(m_frames.begin(), m_frames.end(), [&](const PageFrame& other) {
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

void Composer::drawPanelTitle(const PageFrame& frame) {
    if (frame.title.isEmpty()) {
        return;
    }
    // Above the plot; a longer one begins further left, is set smaller, and only then cut.
    const double room = frame.cellRight - frame.cellLeft - 2.0 * pagePad;
    TextStyle style = m_panelTitle;
    for (const double share : {1.0, 0.9, smallestTitleShare}) {
        style.sizePoints = share * m_panelTitle.sizePoints;
        if (textWidth(frame.title, style) <= room) {
            break;
        }
    }
    const QString words = elidedText(frame.title, style, room);
    const double x = std::min(frame.plot.left(), frame.cellRight - pagePad - textWidth(words, style));
    text({x, frame.plot.top() - frame.above + capHeight(m_panelTitle) + 1.0}, words, style, Qt::AlignLeft);
}

void Composer::drawFrame(const PageFrame& frame, int panel) {
    const FigureStyle& style = m_options.style;
    const PlotMapping mapping = mappingOf(frame);
    if (!m_options.transparent && style.plotBackground != style.background) {
        m_page.primitives.append(FilledRect{frame.plot, style.plotBackground});
    }
    PlotArea area{frame.plot, frame.panel->x,         frame.panel->y,
                  panel,      frame.panel->axesShown, m_page.primitives.size(),
                  0};
    addMarks(m_page.primitives, *frame.panel, mapping, frame.x.ticks, frame.y.ticks, style, m_base);
    if (!frame.panel->axesShown) {
        for (const TextRun& run : contentTexts(*frame.panel, mapping, style, m_base)) {
            m_page.primitives.append(run);
        }
    }
    area.clippedTo = m_page.primitives.size();
    m_page.plots.append(area);
    addFrameAxes(m_page.primitives, frame, style, m_base);
    Obstacles obstacles = panelObstacles(*frame.panel, mapping, style, m_base);
    drawLegend(frame, obstacles);
    m_crowdedLabels += addLabels(m_page.primitives, *frame.panel, mapping, obstacles, style, m_small);
    if (frame.map != nullptr) {
        addColorBar(m_page.primitives, frame.bar, *frame.map, frame.plot, style, m_base);
    }
    drawPanelTitle(frame);
}

void Composer::drawLegend(const PageFrame& frame, Obstacles& obstacles) {
    if (frame.legend.isEmpty()) {
        return;
    }
    if (frame.legendAbove) {
        const double width = legendWidth(frame);
        const double height = legendRowsHeight(frame.legend, m_small, width);
        const QRectF area(frame.cellLeft + frame.left, frame.plot.top() - height - legendGap(frame), width,
                          height);
        addLegendRows(m_page.primitives, frame.legend, area, m_options.style, m_small);
        return;
    }
    const QSizeF size = legendColumnSize(frame.legend, m_small);
    const Placement placement = bestPlacement(obstacles, legendPlaces(frame.plot, size, 4.0));
    addLegendColumn(m_page.primitives, frame.legend, placement.candidate.box.topLeft(), m_options.style,
                    m_small);
    obstacles.addBox(placement.candidate.box);
}

}  // namespace

LaidOutFigure layoutFigure(const Figure& figure, const PageOptions& options) {
    return Composer(figure, options).compose();
}

}  // namespace phaseladder::ui
