#include "ui/figure/panel_view.h"

#include <QEvent>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/figure/bar_layout.h"
#include "ui/figure/clock_layout.h"
#include "ui/figure/color_bar.h"
#include "ui/figure/legend_list.h"
#include "ui/figure/plot_accessible.h"
#include "ui/figure/text_advance.h"
#include "ui/theme.h"

// What a PanelView holds and how it is laid out; panel_view_input.cpp has the pointer and the keys,
// panel_view_grips.cpp what they move, panel_view_paint.cpp the painting.

namespace phaseladder::ui {
namespace {

constexpr double titleRoom = 18.0;
constexpr double leastPlotHeight = 16.0;  // pixels: below, the axis title would be cut

std::vector<const Heatmap*> mapsOf(const Panel& panel) {
    std::vector<const Heatmap*> maps;
    for (const Layer& layer : panel.layers) {
        if (const auto* map = std::get_if<Heatmap>(&layer)) {
            maps.push_back(map);
        }
    }
    return maps;
}

/// Where a map of square cells, or another plot with one scale for x and y, lies in the room for it. Cells
/// may be wider where names of tokens need it.
QRectF squareCellsRect(const QRectF& room, const Panel& panel, const PlotRange& full,
                       const FigureStyle& style) {
    const double columns = full.xMaximum - full.xMinimum, rows = full.yMaximum - full.yMinimum;
    double cellWidth = room.height() / rows;
    if (!panel.x.labels.empty()) {
        const QFont font = figureFont(style, 11);
        double widest = 0.0;
        for (std::size_t i = 0; i < std::min<std::size_t>(panel.x.labels.size(), 64); ++i) {
            widest = std::max(widest, textAdvance(font, QString::fromStdString(panel.x.labels[i])));
        }
        const double named = std::min(widest, 76.0) + 10.0;
        cellWidth = named * columns <= room.width() ? std::max(cellWidth, named) : cellWidth;
    }
    const double width = std::min(room.width(), cellWidth * columns);
    const double height = std::min(room.height(), width / columns * rows);
    return QRectF(std::floor(room.left() + (room.width() - width) / 2.0),
                  std::floor(room.top() + (panel.axesShown ? (room.height() - height) / 2.0 : 0.0)),
                  std::floor(width), std::floor(height));
}

}  // namespace

PanelView::PanelView(FigureLink* link, QWidget* parent)
    : QWidget(parent),
      m_link(link),
      m_panel(std::make_shared<const Panel>()),
      m_style(figureStyle(StyleKind::light)),
      m_legendList(new LegendList(&m_legend, this)) {
    installPlotAccessibility();
    setMouseTracking(true);
    setFocusPolicy(Qt::WheelFocus);
    setMinimumSize(40, 30);
    connect(&m_motion.clock(), &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&m_motion.clock(), &QVariantAnimation::stateChanged, this, &PanelView::invalidate);
    connect(m_legendList, &LegendList::toggled, this, &PanelView::toggleLegendEntry);
    connect(&m_gripGesture, &EditGesture::started, this, &PanelView::gripMoveStarted);
    connect(&m_gripGesture, &EditGesture::ended, this, &PanelView::gripMoveFinished);
    if (m_link) {
        connect(m_link, &FigureLink::marksChanged, this, qOverload<>(&QWidget::update));
    }
}

PanelView::~PanelView() {
    m_motion.stop();      // tells this view, while it is whole
    delete m_legendList;  // reads this view's legend
}

void PanelView::setPanel(std::shared_ptr<const Panel> panel, const QString& summary,
                         const std::optional<PlotRange>& whole) {
    if (reducedMotion() || !isVisible() || isZoomed() || whole.has_value()) {
        m_motion.stop();
    } else {
        m_motion.follow(*m_panel, *panel);
    }
    m_panel = std::move(panel);
    m_summary = summary;
    m_squareCells = m_panel->squareCells || whole.has_value();
    Axis x = m_panel->x, y = m_panel->y;
    if (whole.has_value()) {
        x.minimum = whole->xMinimum;
        x.maximum = whole->xMaximum;
        y.minimum = whole->yMinimum;
        y.maximum = whole->yMaximum;
    }
    m_axesOfPanel = {x, y};
    if (m_drag != Drag::grip) {  // under a held grip the axes stand still: it would run away with them
        m_navigation.setAxes(x, y);
    }
    m_annotations = annotationsOf(*m_panel, m_legend.hidden);
    takeGrips();
    m_legend.entries = legendEntries(*m_panel);
    m_legend.isBeside = m_panel->squareCells || hasBars(*m_panel) || !clocksOf(*m_panel).isEmpty();
    m_legend.rects.clear();
    m_legendList->refresh();
    m_maps.resize(mapsOf(*m_panel).size());
    std::ranges::for_each(m_maps, &MapPainter::startMap);
    setAccessibleDescription(summary);
    announceTable(this);
    layoutPlot();
    if (m_hover.has_value()) {
        setHover(hoverAt(*m_panel, mapping(), dataToWidget(m_hover->x, m_hover->y), m_legend.hidden),
                 m_pointedGrip);
    }
}

void PanelView::setFigureStyle(const FigureStyle& style) {
    m_style = style;
    layoutPlot();
}

void PanelView::setSideRoom(double left, double right) {
    if (left != m_leftRoom || right != m_rightRoom) {
        m_leftRoom = left;
        m_rightRoom = right;
        layoutPlot();
    }
}

void PanelView::setXShown(bool shown) {
    if (shown != m_xShown) {
        m_xShown = shown;
        layoutPlot();
    }
}

std::pair<double, double> PanelView::neededSideRoom() const {
    const std::vector<const Heatmap*> maps = mapsOf(*m_panel);
    const double beside = maps.empty() ? m_legend.planned(size(), m_style).width
                                       : colorBarWidth(*maps.front(), height() - 60.0, m_style);
    const PlotAxes axes = planAxes(*m_panel, m_navigation.range(), size(), 0.0, beside, m_xShown, m_style);
    return {axes.left, axes.right};
}

void PanelView::layoutPlot() {
    invalidate();
    m_legendPlan = m_legend.planned(size(), m_style);
    m_legendPlan.top = m_panel->title.empty() ? 0.0 : titleRoom;
    const double above = m_legendPlan.top + m_legendPlan.height;
    const auto [left, right] = neededSideRoom();
    const double leftRoom = m_panel->axesShown ? std::max(left, m_leftRoom) : left;
    const double rightRoom = m_panel->axesShown ? std::max(right, m_rightRoom) : right;
    QSizeF room(width(), height() - above);
    const auto plan = [&] {
        m_axes = planAxes(*m_panel, m_navigation.range(), room, leftRoom, rightRoom, m_xShown, m_style);
        return QRectF(m_axes.left, std::ceil(above + m_axes.top),
                      std::floor(std::max(30.0, room.width() - m_axes.left - m_axes.right)),
                      std::floor(std::max(leastPlotHeight, room.height() - m_axes.top - m_axes.bottom)));
    };
    m_plot = plan();
    m_plotRoom = m_plot.size();
    if (m_squareCells) {
        const QRectF narrow = squareCellsRect(m_plot, *m_panel, m_navigation.fullRange(), m_style);
        if (narrow.width() < m_plot.width()) {
            room.setWidth(narrow.width() + m_axes.left + m_axes.right);
            plan();
        }
        m_plot = narrow;
    }
}

PlotMapping PanelView::mapping() const {
    return {m_plot, m_panel->x, m_panel->y, m_navigation.range()};
}

QRectF PanelView::plotRect() const {
    return m_plot;
}

QPointF PanelView::dataToWidget(double x, double y) const {
    return mapping().pixel(x, y);
}

QString PanelView::readoutText() const {
    if (const std::optional<std::size_t> grip = shownGrip()) {
        return gripSentence(m_grips[*grip], *m_panel);
    }
    return m_hover.has_value() ? m_hover->sentence : QString();
}

bool PanelView::canChoose() const {
    return !shownGrip().has_value() && m_hover.has_value() && !m_hover->choices.isEmpty();
}

bool PanelView::canChooseSeveral() const {
    return canChoose() && !m_hover->ctrlChoices.isEmpty();
}

void PanelView::invalidate() {
    m_isContentStale = true;
    update();
}

void PanelView::afterNavigation(bool changed) {
    if (!changed) {
        return;
    }
    m_motion.stop();
    layoutPlot();
    Q_EMIT shownRangeChanged();
}

void PanelView::showRange(const PlotRange& range) {
    afterNavigation(m_navigation.zoomTo(range));
}

ShownX PanelView::shownX() const {
    const PlotRange& range = m_navigation.range();
    return {m_panel->x.meaning, m_panel->x.scale, range.xMinimum, range.xMaximum, m_navigation.isFullX()};
}

void PanelView::followX(const ShownX& shown) {
    if (shown.meaning == AxisMeaning::none || shown.meaning != m_panel->x.meaning ||
        shown.scale != m_panel->x.scale) {
        return;
    }
    afterNavigation(shown.isFull ? m_navigation.showAllX()
                                 : m_navigation.showX(shown.minimum, shown.maximum));
}

void PanelView::resetView() {
    afterNavigation(m_navigation.reset());
}

void PanelView::zoomBy(double factor) {
    m_navigation.endStep();
    const QPointF at =
        m_hover.has_value() ? mapping().fraction(dataToWidget(m_hover->x, m_hover->y)) : QPointF(0.5, 0.5);
    afterNavigation(m_navigation.zoomAt(at.x(), at.y(), factor, ZoomAxes::both, HistoryStep::separate));
}

void PanelView::viewBack() {
    afterNavigation(m_navigation.back());
}

void PanelView::viewForward() {
    afterNavigation(m_navigation.forward());
}

void PanelView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layoutPlot();
    Q_EMIT plotResized();
}

void PanelView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        layoutPlot();
    }
}

}  // namespace phaseladder::ui
