#include "ui/controls/token_chips.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

constexpr int edgeWidth = 28;
constexpr int edgeStep = 14;
constexpr int scrollBarHeight = 10;
constexpr qsizetype longestToolTip = 2000;

}  // namespace

TokenChips::TokenChips(QWidget* parent) : QAbstractScrollArea(parent), m_add(new QToolButton(viewport())) {
    setObjectName(QStringLiteral("tokenChips"));
    setAccessibleName(tr("Tokens in their order"));
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setFixedHeight(chipHeight + 2 + scrollBarHeight);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    m_add->setObjectName(QStringLiteral("strip_add"));
    m_add->setIcon(themedIcon(QStringLiteral("plus"), IconColor::muted));
    m_add->setIconSize(QSize(14, 14));
    m_add->setFixedSize(chipHeight - 2, chipHeight - 2);
    m_add->setToolTip(tr("Add a token (Insert)"));
    m_add->setAccessibleName(tr("Add a token"));
    m_add->setCursor(Qt::PointingHandCursor);
    connect(m_add, &QToolButton::clicked, this, [this] { addChip(count()); });
    m_edgeScroll.setInterval(std::chrono::milliseconds(30));
    connect(&m_edgeScroll, &QTimer::timeout, this, [this] {
        const int step = m_drag.pointerX < edgeWidth ? -edgeStep : edgeStep;
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + step);
        dragTo(QPoint(static_cast<int>(m_drag.pointerX), 0));
    });
    m_motion.setDuration(160);
    m_motion.setStartValue(0.0);
    m_motion.setEndValue(1.0);
    m_motion.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_motion, &QVariantAnimation::valueChanged, this, [this] { viewport()->update(); });
}

void TokenChips::setContent(const std::vector<std::string>& tokens, const std::vector<int>& order) {
    if (m_drag.isPressed) {
        endDrag(false);
    }
    if (tokens != m_tokens) {
        finishEditor(false);
        m_tokens = tokens;
        m_selectedTokens.clear();
        m_motionFrom.clear();
        m_layout.setTokens(chipTexts(tokens), font());
        m_layout.setOrder(order);
        updateScrollBar();
        viewport()->update();
    } else {
        showOrder(order);
    }
    m_current = std::clamp(m_current, 0, std::max(0, count() - 1));
    m_anchor = std::clamp(m_anchor, 0, std::max(0, count() - 1));
}

void TokenChips::showOrder(const std::vector<int>& order) {
    if (order == m_layout.order()) {
        return;
    }
    m_motionFrom.clear();
    if (!reducedMotion() && isVisible()) {
        const int from = m_layout.firstEndingAfter(contentX(-200));
        const int to = std::min(count() - 1, m_layout.firstEndingAfter(contentX(viewport()->width() + 200)));
        std::unordered_map<int, double> lefts;
        for (int position = from; position <= to; ++position) {
            lefts.emplace(m_layout.tokenAt(position), drawnLeft(position) + contentX(0));
        }
        m_motionFrom = std::move(lefts);
        m_layout.setOrder(order);
        m_motion.stop();
        m_motion.start();
    } else {
        m_layout.setOrder(order);
    }
    updateScrollBar();
    viewport()->update();
}

void TokenChips::setMarked(int position) {
    if (m_marked != position) {
        m_marked = position;
        viewport()->update();
    }
}

double TokenChips::contentX(double viewportX) const {
    return viewportX + horizontalScrollBar()->value();
}

double TokenChips::drawnLeft(int position) const {
    const double target = m_layout.left(position);
    const auto from = m_motionFrom.find(m_layout.tokenAt(position));
    const bool isMoving = m_motion.state() == QAbstractAnimation::Running && from != m_motionFrom.end();
    const double share = isMoving ? m_motion.currentValue().toDouble() : 1.0;
    return (isMoving ? from->second + share * (target - from->second) : target) - contentX(0);
}

QRect TokenChips::chipRect(int position) const {
    const double left = m_layout.left(position) - contentX(0);
    return {static_cast<int>(left), 1, static_cast<int>(m_layout.width(m_layout.tokenAt(position))),
            chipHeight};
}

void TokenChips::updateScrollBar() {
    const int content = static_cast<int>(m_layout.totalWidth()) + m_add->width() + 2;
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(40);
    horizontalScrollBar()->setRange(0, std::max(0, content - viewport()->width()));
    placeAddButton();
}

void TokenChips::placeAddButton() {
    m_add->setVisible(count() > 0);
    m_add->move(static_cast<int>(m_layout.totalWidth() - contentX(0)), 2);
}

void TokenChips::ensureVisible(int position) {
    const QRect chip = chipRect(position);
    if (chip.left() < 0) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + chip.left() - chipGap);
    } else if (chip.right() > viewport()->width()) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + chip.right() - viewport()->width() +
                                        chipGap);
    }
}

void TokenChips::setCurrentPosition(int position) {
    if (count() == 0) {
        return;
    }
    m_current = std::clamp(position, 0, count() - 1);
    ensureVisible(m_current);
    announce();
    viewport()->update();
}

void TokenChips::announce() {
    const QString word = m_layout.texts()[static_cast<std::size_t>(m_layout.tokenAt(m_current))].word;
    setAccessibleDescription(tr("%1, position %2 of %3").arg(word).arg(m_current + 1).arg(count()));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

std::vector<int> TokenChips::selectedPositions() const {
    if (count() == 0) {
        return {};
    }
    if (!m_selectedTokens.contains(m_layout.tokenAt(m_current))) {
        return {m_current};
    }
    std::vector<int> positions;
    for (const int token : m_selectedTokens) {
        positions.push_back(m_layout.positionOf(token));
    }
    std::sort(positions.begin(), positions.end());
    return positions;
}

void TokenChips::selectByPress(int position, Qt::KeyboardModifiers modifiers) {
    const int token = m_layout.tokenAt(position);
    if ((modifiers & Qt::ShiftModifier) != Qt::NoModifier) {
        m_selectedTokens.clear();
        for (int at = std::min(m_anchor, position); at <= std::max(m_anchor, position); ++at) {
            m_selectedTokens.insert(m_layout.tokenAt(at));
        }
    } else if ((modifiers & Qt::ControlModifier) != Qt::NoModifier) {
        if (m_selectedTokens.erase(token) == 0) {
            m_selectedTokens.insert(token);
        }
        m_anchor = position;
    } else {
        if (!m_selectedTokens.contains(token)) {
            m_selectedTokens = {token};
        }
        m_anchor = position;
    }
    setCurrentPosition(position);
}

void TokenChips::moveSelection(int step, bool toEnd) {
    if (count() == 0) {
        return;
    }
    const std::vector<int> positions = selectedPositions();
    const int token = m_layout.tokenAt(m_current);
    const int rest = count() - static_cast<int>(positions.size());
    const int target = toEnd ? (step < 0 ? 0 : rest) : std::clamp(positions.front() + step, 0, rest);
    const std::vector<int> order = movedBlock(m_layout.order(), positions, target);
    if (order != m_layout.order()) {
        Q_EMIT orderChosen(order);
        setCurrentPosition(m_layout.positionOf(token));
    }
}

bool TokenChips::isChipKey(const QKeyEvent& event) const {
    const bool withAlt = event.modifiers().testFlag(Qt::AltModifier);
    switch (event.key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Home:
        case Qt::Key_End:
            return !event.modifiers().testFlag(Qt::ControlModifier);
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
        case Qt::Key_F2:
        case Qt::Key_Insert:
        case Qt::Key_Plus:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return !withAlt && !event.modifiers().testFlag(Qt::ControlModifier);
        case Qt::Key_Escape:
            return m_drag.isLifted || m_selectedTokens.size() > 1;
        default:
            return event.matches(QKeySequence::Paste) || event.matches(QKeySequence::SelectAll);
    }
}

void TokenChips::keyPressEvent(QKeyEvent* event) {
    if (!isChipKey(*event)) {
        event->ignore();
        return;
    }
    if (event->matches(QKeySequence::Paste)) {
        Q_EMIT wordsInserted(count() == 0 ? 0 : m_current + 1, QApplication::clipboard()->text());
        return;
    }
    if (event->matches(QKeySequence::SelectAll)) {
        m_selectedTokens = std::set<int>(m_layout.order().begin(), m_layout.order().end());
        viewport()->update();
        return;
    }
    if (count() == 0) {
        Q_EMIT textWanted();
        return;
    }
    const bool moves = event->modifiers().testFlag(Qt::AltModifier);
    const bool extends = event->modifiers().testFlag(Qt::ShiftModifier);
    const int before = layoutDirection() == Qt::RightToLeft ? 1 : -1;
    const auto go = [&](int step, bool toEnd) {
        if (moves) {
            moveSelection(step, toEnd);
            return;
        }
        const int target =
            toEnd ? (step < 0 ? 0 : count() - 1) : std::clamp(m_current + step, 0, count() - 1);
        if (extends) {
            selectByPress(target, Qt::ShiftModifier);
        } else {
            m_selectedTokens.clear();
            m_anchor = target;
            setCurrentPosition(target);
        }
    };
    switch (event->key()) {
        case Qt::Key_Left:
            go(before, false);
            break;
        case Qt::Key_Right:
            go(-before, false);
            break;
        case Qt::Key_Home:
            go(-1, true);
            break;
        case Qt::Key_End:
            go(1, true);
            break;
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            Q_EMIT removalChosen(selectedPositions());
            break;
        case Qt::Key_Insert:
        case Qt::Key_Plus:
            addChip(m_current + 1);
            break;
        case Qt::Key_Escape:
            if (m_drag.isLifted) {
                endDrag(false);
            } else {
                m_selectedTokens.clear();
                viewport()->update();
            }
            break;
        default:
            editChip(m_current);
    }
}

bool TokenChips::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isChipKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QAbstractScrollArea::event(event);
}

bool TokenChips::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        setHovered(-1);
    } else if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int position = m_layout.positionAt(contentX(help->pos().x()));
        if (position < 0) {
            QToolTip::hideText();
            return true;
        }
        const QString word = visibleText(m_tokens[static_cast<std::size_t>(m_layout.tokenAt(position))]);
        const QString plain = word.left(longestToolTip).toHtmlEscaped();
        QToolTip::showText(help->globalPos(),
                           tr("<p><b>%1</b><br>position %2, token %3</p>")
                               .arg(plain)
                               .arg(position)
                               .arg(m_layout.tokenAt(position)),
                           viewport(), chipRect(position));
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TokenChips::setHovered(int position) {
    if (m_hovered != position) {
        m_hovered = position;
        viewport()->setCursor(position >= 0 ? Qt::OpenHandCursor : Qt::ArrowCursor);
        viewport()->update();
        Q_EMIT hovered(position);
    }
}

void TokenChips::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    const int way = std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - way);
    event->accept();
}

void TokenChips::resizeEvent(QResizeEvent*) {
    updateScrollBar();
}

void TokenChips::scrollContentsBy(int, int) {
    placeAddButton();
    finishEditor(true);
    viewport()->update();
}

void TokenChips::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    if (count() > 0) {
        announce();
    }
    viewport()->update();
}

void TokenChips::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void TokenChips::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) {
        m_layout.setTokens(m_layout.texts(), font());
        m_layout.setOrder(std::vector<int>(m_layout.order()));
        updateScrollBar();
    }
    QAbstractScrollArea::changeEvent(event);
}

QSize TokenChips::viewportSizeHint() const {
    return {200, chipHeight + 2};
}

void TokenChips::editChip(int position) {
    if (position >= 0 && position < count()) {
        startEditor(position,
                    visibleText(m_layout.texts().empty()
                                    ? std::string()
                                    : m_tokens[static_cast<std::size_t>(m_layout.tokenAt(position))]),
                    false);
    }
}

void TokenChips::addChip(int position) {
    startEditor(std::clamp(position, 0, count()), QString(), true);
}

void TokenChips::startEditor(int position, const QString& text, bool isNew) {
    finishEditor(true);
    if (position < count()) {
        ensureVisible(position);
    } else {
        horizontalScrollBar()->setValue(horizontalScrollBar()->maximum());
    }
    const QRect place = position < count() ? chipRect(position) : QRect(m_add->pos(), QSize(96, chipHeight));
    m_editedPosition = position;
    m_editsNew = isNew;
    m_editor = new QLineEdit(text, viewport());
    m_editor->setObjectName(QStringLiteral("strip_edit"));
    m_editor->setAccessibleName(isNew ? tr("New token") : tr("Token"));
    m_editor->setPlaceholderText(tr("word"));
    const int width = std::max(96, place.width());
    m_editor->setGeometry(std::min(place.left(), std::max(0, viewport()->width() - width)), 1, width,
                          chipHeight);
    m_editor->installEventFilter(this);
    m_editor->show();
    m_editor->setFocus();
    m_editor->selectAll();
}

void TokenChips::finishEditor(bool isApplied) {
    if (m_editor == nullptr) {
        return;
    }
    QLineEdit* editor = std::exchange(m_editor, nullptr);
    const QString text = editor->text();
    const bool isChanged = editor->isModified();
    const bool hadFocus = editor->hasFocus();
    editor->removeEventFilter(this);
    editor->hide();
    editor->deleteLater();
    if (hadFocus) {
        setFocus();
    }
    if (!isApplied || !isChanged) {
        return;
    }
    if (m_editsNew) {
        Q_EMIT wordsInserted(m_editedPosition, text);
    } else {
        Q_EMIT wordsReplaced(m_editedPosition, text);
    }
}

bool TokenChips::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_editor) {
        return QAbstractScrollArea::eventFilter(watched, event);
    }
    if (event->type() == QEvent::FocusOut &&
        static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason) {
        finishEditor(true);
    } else if (event->type() == QEvent::ShortcutOverride &&
               static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    } else if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter) {
            finishEditor(key != Qt::Key_Escape);
            return true;
        }
    }
    return false;
}

}  // namespace phaseladder::ui
