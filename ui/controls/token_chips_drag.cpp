#include <QMouseEvent>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

#include "ui/controls/token_chips.h"
#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

constexpr int liftDistance = 4;
constexpr int edgeWidth = 28;

}  // namespace

bool TokenChips::isLifted(int token) const {
    return m_drag.isLifted &&
           std::find(m_drag.tokens.begin(), m_drag.tokens.end(), token) != m_drag.tokens.end();
}

double TokenChips::blockLeft() const {
    return contentX(m_drag.pointerX) - m_drag.grabOffset;
}

void TokenChips::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    if (count() == 0) {
        Q_EMIT textWanted();
        return;
    }
    const int position = m_layout.positionAt(contentX(event->position().x()));
    if (position < 0) {
        m_selectedTokens.clear();
        selectionMoved();
        return;
    }
    selectByPress(position, event->modifiers());
    m_drag = Drag{};
    m_drag.isPressed = true;
    m_drag.press = event->position().toPoint();
    m_drag.pressedToken = m_layout.tokenAt(position);
    m_drag.pointerX = event->position().x();
}

void TokenChips::mouseMoveEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    if (!m_drag.isPressed) {
        setHovered(m_layout.positionAt(contentX(point.x())));
        return;
    }
    if (!m_drag.isLifted && (point - m_drag.press).manhattanLength() >= liftDistance) {
        lift();
    }
    if (m_drag.isLifted) {
        const bool isAtEdge = point.x() < edgeWidth || point.x() > viewport()->width() - edgeWidth;
        if (!isAtEdge || horizontalScrollBar()->maximum() == 0) {
            m_edgeScroll.stop();
        } else if (!m_edgeScroll.isActive()) {
            m_edgeScroll.start();
        }
        dragTo(point);
    }
}

void TokenChips::lift() {
    setHovered(-1);
    m_drag.isLifted = true;
    m_drag.oldOrder = m_layout.order();
    m_drag.positions = selectedPositions();
    const int pressed = m_layout.positionOf(m_drag.pressedToken);
    m_drag.grabOffset = contentX(m_drag.press.x()) - m_layout.left(pressed);
    for (const int position : m_drag.positions) {
        const int token = m_layout.tokenAt(position);
        m_drag.tokens.push_back(token);
        m_drag.grabOffset += position < pressed ? m_layout.width(token) + chipGap : 0.0;
    }
    viewport()->setCursor(Qt::ClosedHandCursor);
    m_add->hide();
}

void TokenChips::dragTo(const QPoint& point) {
    m_drag.pointerX = point.x();
    const int target = m_layout.dropTarget(m_drag.tokens, blockLeft());
    if (target != m_drag.target) {
        m_drag.target = target;
        const SharedList<int> order = movedBlock(m_drag.oldOrder, m_drag.positions, target);
        showOrder(order);
        m_add->hide();
        Q_EMIT orderPreviewed(QList<int>(order.begin(), order.end()));
    }
    viewport()->update();
}

void TokenChips::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_drag.isPressed) {
        return;
    }
    const bool wasLifted = m_drag.isLifted;
    const int token = m_drag.pressedToken;
    endDrag(true);
    const bool isPlainClick = !wasLifted && event->modifiers() == Qt::NoModifier;
    if (isPlainClick) {
        m_selectedTokens = {token};
        selectionMoved();
        Q_EMIT tokenChosen(m_layout.positionOf(token));
    }
}

void TokenChips::endDrag(bool isDropped) {
    const Drag drag = std::exchange(m_drag, Drag{});
    m_edgeScroll.stop();
    viewport()->setCursor(Qt::ArrowCursor);
    if (!drag.isLifted) {
        return;
    }
    const SharedList<int> newOrder = m_layout.order();
    // The lifted chips glide from the pointer to their place.
    double left = contentX(drag.pointerX) - drag.grabOffset;
    const bool isChanged = isDropped && newOrder != drag.oldOrder;
    if (isDropped) {
        m_motionFrom.clear();
    } else {
        showOrder(drag.oldOrder);
    }
    for (const int token : drag.tokens) {
        m_motionFrom.insert_or_assign(token, left);
        left += m_layout.width(token) + chipGap;
    }
    if (!reducedMotion()) {
        m_motion.stop();
        m_motion.start();
    }
    placeAddButton();
    viewport()->update();
    Q_EMIT orderPreviewed({});
    if (isChanged) {
        const int anchorToken = drag.oldOrder[static_cast<std::size_t>(m_anchor)];
        Q_EMIT orderChosen(newOrder);
        m_anchor = m_layout.positionOf(anchorToken);
        setCurrentPosition(m_layout.positionOf(drag.pressedToken));
    }
}

void TokenChips::mouseDoubleClickEvent(QMouseEvent* event) {
    const int position = m_layout.positionAt(contentX(event->position().x()));
    if (event->button() == Qt::LeftButton && position >= 0) {
        editChip(position);
    }
}

}  // namespace phaseladder::ui
