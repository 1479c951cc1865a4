#include <QAccessible>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/figure/clock_layout.h"
#include "ui/figure/curve_samples.h"
#include "ui/figure/panel_view.h"
#include "ui/figure/plot_accessible.h"

// What a PanelView does with the pointer and the keys.

namespace phaseladder::ui {
namespace {

constexpr double dragThreshold = 4.0;  // pixels before a press is a drag
constexpr double thinBox = 8.0;        // a box thinner than this zooms along its long side only
constexpr double keyZoom = 1.5;
constexpr double keyMove = 0.01, smallKeyMove = 0.001;  // of an axis, by which arrows move a grip
constexpr double boxSteps = 20.0;                       // of the arrows, over the height of a plot
constexpr double wheelZoomPerNotch = 1.25;
constexpr int wheelPauseMilliseconds = 600;  // after which the wheel starts a new step of the history

Qt::CursorShape gripCursor(const Grip& grip, bool isDragged) {
    if (const auto* rule = std::get_if<Rule>(&grip)) {
        return rule->orientation == Orientation::vertical ? Qt::SplitHCursor : Qt::SplitVCursor;
    }
    if (drawTogether(grip, grip)) {
        return Qt::SizeVerCursor;
    }
    return isDragged ? Qt::ClosedHandCursor : Qt::OpenHandCursor;
}

}  // namespace

void PanelView::hover(const QPointF& pixel) {
    setHover(hoverAt(*m_panel, mapping(), pixel, m_legend.hidden), gripAt(m_grips, mapping(), pixel));
}

void PanelView::setHover(std::optional<HoverReadout> readout, std::optional<std::size_t> grip) {
    const QString before = readoutText();
    const bool wasHovered = m_hover.has_value();
    m_hover = std::move(readout);
    m_pointedGrip = grip;
    if (m_link && m_hover.has_value()) {
        m_link->setMarks(m_hover->marks, this);
    } else if (m_link && wasHovered) {
        m_link->clearMarks();
    }
    if (readoutText() != before) {
        Q_EMIT readoutChanged(readoutText());
        QAccessibleValueChangeEvent event(this, readoutText());
        QAccessible::updateAccessibility(&event);
    }
    update();
}

void PanelView::wheelEvent(QWheelEvent* event) {
    // Shift turns the wheel sideways on some systems.
    const int notches = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    if (notches == 0 || !m_plot.adjusted(-60.0, -20.0, 20.0, 40.0).contains(event->position())) {
        event->ignore();
        return;
    }
    if (!m_sinceWheel.isValid() || m_sinceWheel.elapsed() > wheelPauseMilliseconds) {
        m_navigation.endStep();
    }
    m_sinceWheel.start();
    const QPointF at = mapping().fraction(event->position());
    const Qt::KeyboardModifiers modifiers = event->modifiers();
    const ZoomAxes axes = (modifiers & Qt::ShiftModifier)     ? ZoomAxes::x
                          : (modifiers & Qt::ControlModifier) ? ZoomAxes::y
                                                              : ZoomAxes::both;
    afterNavigation(m_navigation.zoomAt(std::clamp(at.x(), 0.0, 1.0), std::clamp(at.y(), 0.0, 1.0),
                                        std::pow(wheelZoomPerNotch, notches / 120.0), axes,
                                        HistoryStep::merged));
    hover(event->position());
    event->accept();
}

void PanelView::mousePressEvent(QMouseEvent* event) {
    m_press = m_last = event->position();
    m_hasChosen = false;
    const bool inPlot = m_plot.contains(m_press);
    if (event->button() == Qt::BackButton) {
        viewBack();
    } else if (event->button() == Qt::ForwardButton) {
        viewForward();
    } else if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceIsDown)) {
        m_drag = Drag::pan;
        m_navigation.endStep();
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() != Qt::LeftButton) {
        return;
    } else if (const qsizetype entry = m_legend.entryAt(m_press); entry >= 0) {
        toggleLegendEntry(entry, event->modifiers() & Qt::ControlModifier);
    } else if (const std::optional<std::size_t> grip = gripAt(m_grips, mapping(), m_press)) {
        letGripGo();
        m_drag = Drag::grip;
        m_dragGrip = grip;
        m_gripGesture.begin();
        updateCursor(m_press);
    } else if (inPlot) {
        m_drag = Drag::box;
    }
}

void PanelView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF now = event->position();
    switch (m_drag) {
        case Drag::none:
            updateCursor(now);
            hover(now);
            break;
        case Drag::pan: {
            const PlotMapping map = mapping();
            const QPointF moved = map.fraction(m_last) - map.fraction(now);
            afterNavigation(m_navigation.panBy(moved.x(), moved.y(), HistoryStep::merged));
            break;
        }
        case Drag::grip:
            Q_EMIT gripMoved(moveGrip(m_grips, *m_dragGrip, mapping(), now));
            Q_EMIT readoutChanged(readoutText());
            break;
        case Drag::box:
            break;
    }
    m_last = now;
    update();
}

void PanelView::mouseReleaseEvent(QMouseEvent* event) {
    m_last = event->position();
    switch (std::exchange(m_drag, Drag::none)) {
        case Drag::box:
            finishBox(event->modifiers());
            break;
        case Drag::pan:
            m_navigation.endStep();
            break;
        case Drag::grip:
            m_dragGrip.reset();
            m_gripGesture.end();
            m_navigation.setAxes(m_axesOfPanel.first, m_axesOfPanel.second);
            layoutPlot();
            hover(m_last);
            break;
        case Drag::none:
            break;
    }
    updateCursor(m_last);
    update();
}

void PanelView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_legend.entryAt(event->position()) >= 0) {
        mousePressEvent(event);  // a fast second click
    } else {
        if (m_link) {
            m_link->clearSelection();
        }
        if (std::exchange(m_hasChosen, false)) {
            Q_EMIT choiceTakenBack();
        }
        resetView();
        hover(event->position());
    }
}

void PanelView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    setHover(std::nullopt);
}

PlotRange PanelView::rangeBetween(const QPointF& from, const QPointF& to) const {
    const PlotMapping map = mapping();
    const QPointF a = map.data(from), b = map.data(to);
    PlotRange range = m_navigation.range();
    const bool isTall = std::abs(to.x() - from.x()) < thinBox && std::abs(to.y() - from.y()) >= thinBox;
    const bool isFlat = std::abs(to.y() - from.y()) < thinBox && std::abs(to.x() - from.x()) >= thinBox;
    if (!isTall) {
        range.xMinimum = std::max(range.xMinimum, std::min(a.x(), b.x()));
        range.xMaximum = std::min(range.xMaximum, std::max(a.x(), b.x()));
    }
    if (!isFlat) {
        range.yMinimum = std::max(range.yMinimum, std::min(a.y(), b.y()));
        range.yMaximum = std::min(range.yMaximum, std::max(a.y(), b.y()));
    }
    return range;
}

void PanelView::finishBox(Qt::KeyboardModifiers modifiers) {
    if (QLineF(m_press, m_last).length() < dragThreshold) {
        hover(m_press);
        select(modifiers);
    } else {
        showRange(rangeBetween(m_press, m_last));
        hover(m_last);
    }
}

void PanelView::select(Qt::KeyboardModifiers modifiers) {
    if (m_hover.has_value() && !m_hover->choices.isEmpty()) {
        // Copied: the panel may be another one then.
        const QList<ParameterChoice>& withKey = (modifiers & Qt::ControlModifier) ? m_hover->ctrlChoices
                                                : (modifiers & Qt::ShiftModifier) ? m_hover->shiftChoices
                                                                                  : m_hover->choices;
        const QList<ParameterChoice> choices = withKey.isEmpty() ? m_hover->choices : withKey;
        m_hasChosen = true;
        Q_EMIT placeChosen(choices);
        return;
    }
    if (!m_link) {
        return;
    }
    if (m_hover.has_value()) {
        m_link->select(m_hover->marks, this);
    } else {
        m_link->clearSelection();
    }
}

void PanelView::toggleLegendEntry(qsizetype index, bool alone) {
    const QString label = m_legend.entries[index].label;
    if (alone) {
        QSet<QString> others;
        for (const LegendEntry& entry : m_legend.entries) {
            if (entry.label != label) {
                others.insert(entry.label);
            }
        }
        m_legend.hidden = m_legend.hidden == others ? QSet<QString>() : others;
    } else if (!m_legend.hidden.remove(label)) {
        m_legend.hidden.insert(label);
    }
    m_annotations = annotationsOf(*m_panel, m_legend.hidden);
    invalidate();
    announceTable(this);
    if (m_hover.has_value()) {
        hover(dataToWidget(m_hover->x, m_hover->y));
    }
}

void PanelView::updateCursor(const QPointF& pixel) {
    if (m_spaceIsDown) {
        setCursor(Qt::OpenHandCursor);
    } else if (m_legend.entryAt(pixel) >= 0) {
        setCursor(Qt::PointingHandCursor);
    } else if (const std::optional<std::size_t> grip =
                   m_dragGrip.has_value() ? m_dragGrip : gripAt(m_grips, mapping(), pixel)) {
        setCursor(gripCursor(m_grips[*grip], m_dragGrip.has_value()));
    } else if (m_plot.contains(pixel)) {
        setCursor(Qt::CrossCursor);
    } else {
        unsetCursor();
    }
}

void PanelView::moveCrosshair(int xStep, int yStep) {
    if (!m_hover.has_value()) {
        hover(m_plot.center());
        if (const QList<const Clock*> clocks = clocksOf(*m_panel);
            !m_hover.has_value() && !clocks.isEmpty()) {
            hover(dataToWidget(clocks.first()->x, clocks.first()->y));
        }
        if (const Heatmap* map = mapOf(*m_panel); !m_hover.has_value() && map != nullptr && map->tiles) {
            hover(dataToWidget(0.5, 0.5));  // the centre may lie between maps
        }
        announceCrosshair(this);
        return;
    }
    if (xStep == 0 && m_keyBoxStart.has_value() && m_maps.empty() && m_panel->y.labels.empty()) {
        moveBoxCorner(yStep);
        return;
    }
    const int x = m_panel->x.reversed ? -xStep : xStep, y = m_panel->y.reversed ? -yStep : yStep;
    const QPointF next = neighbour(*m_panel, *m_hover, x, y);
    QPointF pixel = dataToWidget(next.x(), next.y());
    if (!m_plot.contains(pixel)) {
        const PlotMapping map = mapping();
        const QPointF from = map.fraction(dataToWidget(m_hover->x, m_hover->y)), to = map.fraction(pixel);
        afterNavigation(m_navigation.panBy(to.x() - from.x(), to.y() - from.y(), HistoryStep::merged));
        pixel = dataToWidget(next.x(), next.y());
    }
    hover(QPointF(std::clamp(pixel.x(), m_plot.left(), m_plot.right()),
                  std::clamp(pixel.y(), m_plot.top(), m_plot.bottom())));
    announceCrosshair(this);
}

/// A curve has no rows to step through: the corner of a box moves up and down by a part of the plot.
void PanelView::moveBoxCorner(int yStep) {
    const QPointF from = dataToWidget(m_hover->x, m_hover->y);
    const double y = from.y() - yStep * m_plot.height() / boxSteps;
    hover({from.x(), std::clamp(y, m_plot.top(), m_plot.bottom())});
}

void PanelView::keyPressEvent(QKeyEvent* event) {
    const auto step = [&](int x, int y) {
        const bool isShift = event->modifiers() & Qt::ShiftModifier;
        if (m_keyGrip.has_value()) {
            moveKeyGrip(x, y, isShift ? smallKeyMove : keyMove);
        } else if (isShift) {
            afterNavigation(m_navigation.panBy(0.1 * x, 0.1 * y, HistoryStep::merged));
        } else {
            moveCrosshair(x, y);
        }
    };
    const bool isAlt = event->modifiers() & Qt::AltModifier;
    switch (event->key()) {
        case Qt::Key_Left:
            isAlt ? viewBack() : step(-1, 0);
            break;
        case Qt::Key_Right:
            isAlt ? viewForward() : step(1, 0);
            break;
        case Qt::Key_Up:
            step(0, 1);
            break;
        case Qt::Key_Down:
            step(0, -1);
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoomBy(keyZoom);
            break;
        case Qt::Key_Minus:
            zoomBy(1.0 / keyZoom);
            break;
        case Qt::Key_Z:
            if (!m_hover.has_value()) {
                hover(m_plot.center());
            }
            if (m_hover.has_value()) {
                m_keyBoxStart = QPointF(m_hover->x, m_hover->y);
            }
            update();
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (const auto start = std::exchange(m_keyBoxStart, std::nullopt);
                start.has_value() && m_hover.has_value()) {
                showRange(
                    rangeBetween(dataToWidget(start->x(), start->y()), dataToWidget(m_hover->x, m_hover->y)));
            } else {
                select(event->modifiers());
            }
            break;
        case Qt::Key_H:
            holdNextGrip(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
            break;
        case Qt::Key_Escape:
            if (m_keyGrip.has_value()) {
                letGripGo();
                break;
            }
            m_keyBoxStart.reset();
            m_drag = m_drag == Drag::box ? Drag::none : m_drag;
            setHover(std::nullopt);
            if (m_link) {
                m_link->clearSelection();
            }
            break;
        case Qt::Key_Space:
            m_spaceIsDown = true;
            updateCursor(m_last);
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

void PanelView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceIsDown = false;
        updateCursor(m_last);
        return;
    }
    QWidget::keyReleaseEvent(event);
}

void PanelView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    const Qt::FocusReason reason = event->reason();
    m_focusIsByKeys =
        reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    update();
}

void PanelView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_spaceIsDown = false;
    m_keyBoxStart.reset();
    letGripGo();
    update();
}

}  // namespace phaseladder::ui
