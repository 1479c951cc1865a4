#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

#include "ui/controls/token_chips.h"

// What is selected among the chips, the keys, and the context menu.

namespace phaseladder::ui {

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

void TokenChips::setSelectedPositions(const std::vector<int>& positions) {
    m_selectedTokens.clear();
    for (const int position : positions) {
        m_selectedTokens.insert(m_layout.tokenAt(position));
    }
    selectionMoved();
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
        const int anchorToken = m_layout.tokenAt(m_anchor);
        Q_EMIT orderChosen(order);
        m_anchor = m_layout.positionOf(anchorToken);
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
            return true;
        case Qt::Key_Space:
            return event.modifiers() == Qt::ControlModifier;
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
        selectionMoved();
        return;
    }
    if (count() == 0) {
        Q_EMIT textWanted();
        return;
    }
    const bool moves = event->modifiers().testFlag(Qt::AltModifier);
    const bool extends = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool onlyLooks = event->modifiers().testFlag(Qt::ControlModifier);
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
        } else if (onlyLooks) {
            setCurrentPosition(target);
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
        case Qt::Key_Space:
            selectByPress(m_current, Qt::ControlModifier);
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
                selectionMoved();
            }
            break;
        default:
            editChip(m_current);
    }
}

void TokenChips::contextMenuEvent(QContextMenuEvent* event) {
    const bool isByKeys = event->reason() == QContextMenuEvent::Keyboard;
    const int position = isByKeys ? m_current : m_layout.positionAt(contentX(event->pos().x()));
    if (position < 0 || position >= count()) {
        return;
    }
    if (!isByKeys) {
        selectByPress(position, Qt::NoModifier);
    }
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("chip_menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const char* name, const QString& text, auto run) {
        menu->addAction(text, this, run)->setObjectName(QLatin1StringView(name));
    };
    add("chip_look", tr("Look at this token"), [this, position] { Q_EMIT tokenChosen(position); });
    add("chip_key", tr("Use as key"), [this, position] { Q_EMIT keyChosen(position); });
    menu->addSeparator();
    add("chip_edit", tr("Edit"), [this, position] { editChip(position); });
    add("chip_remove", tr("Remove"), [this] { Q_EMIT removalChosen(selectedPositions()); });
    menu->popup(isByKeys ? viewport()->mapToGlobal(chipRect(position).bottomLeft()) : event->globalPos());
}

bool TokenChips::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isChipKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QAbstractScrollArea::event(event);
}

}  // namespace phaseladder::ui
