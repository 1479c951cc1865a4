#include "ui/controls/token_chips.h"

#include <QAccessible>
#include <QApplication>
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
#include <utility>

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

void TokenChips::setContent(const SharedList<std::string>& tokens, const SharedList<int>& order) {
    if (m_drag.isPressed) {
        endDrag(false);
    }
    if (std::exchange(m_tokens, tokens) != tokens) {
        finishEditor(false);
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
    Q_EMIT selectionChanged();
}

void TokenChips::showOrder(const SharedList<int>& order) {
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

void TokenChips::setViewed(int query, int key) {
    if (m_viewedQuery != query || m_viewedKey != key) {
        m_viewedQuery = query;
        m_viewedKey = key;
        viewport()->update();
        if (hasFocus() && count() > 0) {
            announce();
        }
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

int TokenChips::contentWidth() const {
    return static_cast<int>(m_layout.totalWidth()) + m_add->width() + 2;
}

void TokenChips::updateScrollBar() {
    const int content = contentWidth();
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
    selectionMoved();
}

void TokenChips::selectionMoved() {
    viewport()->update();
    Q_EMIT selectionChanged();
}

void TokenChips::announce() {
    const ChipText& text = m_layout.texts()[static_cast<std::size_t>(m_layout.tokenAt(m_current))];
    const QString word =
        text.repeat > 0 ? text.word + QLatin1Char(' ') + QString::number(text.repeat) : text.word;
    QString place = tr("%1, position %2 of %3").arg(word).arg(m_current + 1).arg(count());
    if (const qsizetype selected = static_cast<qsizetype>(selectedPositions().size()); selected > 1) {
        place += tr(", %1 selected").arg(selected);
    }
    place += viewedWords(m_layout.tokenAt(m_current));
    setAccessibleDescription(place);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
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
        const int token = m_layout.tokenAt(position);
        QToolTip::showText(
            help->globalPos(),
            tr("<p><b>%1</b><br>position %2, token %3%4</p><p>Click: look at it. Drag: move it.</p>")
                .arg(plain, QString::number(position), QString::number(token), viewedWords(token)),
            viewport(), chipRect(position));
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

/// ", query token"; empty for most tokens.
QString TokenChips::viewedWords(int token) const {
    return (token == m_viewedQuery ? tr(", query token") : QString()) +
           (token == m_viewedKey ? tr(", key token") : QString());
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
        m_layout.setOrder(SharedList<int>(m_layout.order()));
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
