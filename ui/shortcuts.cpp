#include "ui/shortcuts.h"

#include <QChar>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

#include <algorithm>

#include "ui/actions.h"
#include "ui/settings.h"

namespace phaseladder::ui {
namespace {

/// Keys that move the focus, sliders, plots and the token strip: as shortcuts they would take them away.
bool isNeededByControls(const QKeySequence& keys) {
    const QKeyCombination pressed = keys[0];
    if ((pressed.keyboardModifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != 0) {
        return false;
    }
    switch (pressed.key()) {
        case Qt::Key_Tab:
        case Qt::Key_Backtab:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Escape:
        case Qt::Key_Space:
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Home:
        case Qt::Key_End:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
        case Qt::Key_Insert:
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
        case Qt::Key_F2:
        case Qt::Key_Plus:
        case Qt::Key_Equal:
        case Qt::Key_Minus:
        case Qt::Key_Z:
            return true;
        default:
            return false;
    }
}

/// The menu that Alt and a letter opens, or none.
QString menuOpenedBy(const QAction* command, const QKeySequence& keys) {
    for (const QObject* owner = command->parent(); owner != nullptr; owner = owner->parent()) {
        const auto* window = qobject_cast<const QWidget*>(owner);
        const auto* bar = window == nullptr ? nullptr : window->findChild<QMenuBar*>();
        const QList<QAction*> menus = bar == nullptr ? QList<QAction*>() : bar->actions();
        for (const QAction* menu : menus) {
            if (QKeySequence::mnemonic(menu->text()) == keys) {
                return commandName(*menu);
            }
        }
    }
    return {};
}

/// Whether two shortcuts would answer to the same press.
bool collide(const QKeySequence& one, const QKeySequence& other) {
    return one.matches(other) != QKeySequence::NoMatch || other.matches(one) != QKeySequence::NoMatch;
}

bool collide(const QAction* one, const QAction* other) {
    const QList<QKeySequence> first = one->shortcuts(), second = other->shortcuts();
    return std::any_of(first.begin(), first.end(), [&second](const QKeySequence& keys) {
        return std::any_of(second.begin(), second.end(),
                           [&keys](const QKeySequence& others) { return collide(keys, others); });
    });
}

bool isUsable(const QAction* command, const QList<QKeySequence>& sequences) {
    return std::all_of(sequences.begin(), sequences.end(), [command](const QKeySequence& keys) {
        return keys.count() == 1 && keys[0].key() != Qt::Key_unknown && keys[0].key() != 0 &&
               !isNeededByControls(keys) && menuOpenedBy(command, keys).isEmpty();
    });
}

QString takenSentence(const QKeySequence& keys, const QAction& owner) {
    return Shortcuts::tr("%1 already belongs to “%2” in the menu %3; nothing was changed.")
        .arg(keys.toString(QKeySequence::NativeText), commandName(owner), commandGroup(owner));
}

}  // namespace

QKeySequence keysOf(int key, Qt::KeyboardModifiers modifiers) {
    switch (key) {
        case 0:
        case Qt::Key_unknown:
        case Qt::Key_Shift:
        case Qt::Key_Control:
        case Qt::Key_Alt:
        case Qt::Key_AltGr:
        case Qt::Key_Meta:
        case Qt::Key_Super_L:
        case Qt::Key_Super_R:
        case Qt::Key_CapsLock:
        case Qt::Key_NumLock:
            return {};
        default:
            break;
    }
    const bool isSign =
        key > Qt::Key_Space && key < Qt::Key_Escape && !QChar::isLetterOrNumber(char32_t(key));
    Qt::KeyboardModifiers kept =
        modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier | Qt::ShiftModifier);
    kept.setFlag(Qt::ShiftModifier, kept.testFlag(Qt::ShiftModifier) && !isSign);
    return QKeySequence(QKeyCombination(kept, Qt::Key(key)));
}

Shortcuts::Shortcuts(const QList<QAction*>& actions, Settings* settings, QObject* parent)
    : QObject(parent), m_actions(actions), m_settings(settings) {
    for (const QAction* action : m_actions) {
        m_builtIn.insert(action, action->shortcuts());
    }
    restore();
}

void Shortcuts::restore() {
    const QMap<QString, QString> remembered = m_settings->shortcuts();
    for (QAction* action : m_actions) {
        const auto found = remembered.constFind(action->objectName());
        if (found != remembered.constEnd()) {
            const QList<QKeySequence> keys =
                found->isEmpty() ? QList<QKeySequence>()
                                 : QKeySequence::listFromString(*found, QKeySequence::PortableText);
            action->setShortcuts(isUsable(action, keys) ? keys : builtIn(action));
        }
    }
    // The file may have been edited by hand or a new version may have built-in keys that were free before.
    // Built-in keys never collide, so this ends.
    bool isSettled = false;
    while (!isSettled) {
        isSettled = true;
        for (QAction* action : m_actions) {
            const bool isTaken = std::any_of(m_actions.begin(), m_actions.end(), [action](QAction* other) {
                return other != action && collide(action, other);
            });
            if (isTaken && isChanged(action)) {
                action->setShortcuts(builtIn(action));
                isSettled = false;
            }
        }
    }
}

QList<QKeySequence> Shortcuts::builtIn(const QAction* action) const {
    return m_builtIn.value(action);
}

bool Shortcuts::isChanged(const QAction* action) const {
    return action->shortcuts() != builtIn(action);
}

const QAction* Shortcuts::otherWith(const QAction* action, const QKeySequence& keys) const {
    for (const QAction* other : m_actions) {
        for (const QKeySequence& taken : other->shortcuts()) {
            if (other != action && collide(keys, taken)) {
                return other;
            }
        }
    }
    return nullptr;
}

QString Shortcuts::refusal(const QAction* action, const QKeySequence& keys) const {
    if (const QAction* other = otherWith(action, keys)) {
        return takenSentence(keys, *other);
    }
    const QString name = keys.toString(QKeySequence::NativeText);
    if (isNeededByControls(keys)) {
        return tr("%1 works in sliders, figures and tokens, so no command can have it.").arg(name);
    }
    if (const QString menu = menuOpenedBy(action, keys); !menu.isEmpty()) {
        return tr("%1 opens the menu “%2”, so no command can have it.").arg(name, menu);
    }
    return {};
}

QString Shortcuts::setKeys(QAction* action, const QKeySequence& keys) {
    if (!keys.isEmpty()) {
        if (const QString reason = refusal(action, keys); !reason.isEmpty()) {
            return reason;
        }
    }
    action->setShortcuts(keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys});
    remember();
    return {};
}

QString Shortcuts::reset(QAction* action) {
    for (const QKeySequence& keys : builtIn(action)) {
        if (const QAction* other = otherWith(action, keys)) {
            return takenSentence(keys, *other);
        }
    }
    action->setShortcuts(builtIn(action));
    remember();
    return {};
}

void Shortcuts::resetAll() {
    for (QAction* action : m_actions) {
        action->setShortcuts(builtIn(action));
    }
    remember();
}

void Shortcuts::remember() {
    QMap<QString, QString> keys;
    for (const QAction* action : m_actions) {
        if (isChanged(action)) {
            keys.insert(action->objectName(),
                        QKeySequence::listToString(action->shortcuts(), QKeySequence::PortableText));
        }
    }
    m_settings->setShortcuts(keys);
    Q_EMIT changed();
}

}  // namespace phaseladder::ui
