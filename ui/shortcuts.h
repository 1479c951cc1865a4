#pragma once

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

namespace phaseladder::ui {

class Settings;

/// One key with its modifiers, as shortcuts store it: Shift is left out where it only makes the sign
/// ("Ctrl+?", not "Ctrl+Shift+?"). Empty for a modifier alone.
[[nodiscard]] QKeySequence keysOf(int key, Qt::KeyboardModifiers modifiers);

/// The keys of all commands: the built-in ones and what the person made of them. Menus, tool tips and the
/// sheet of shortcuts read the actions, which are changed here and nowhere else. No two commands share keys.
class Shortcuts : public QObject {
    Q_OBJECT

public:
    /// `actions` have their built-in keys; the remembered ones replace them. Remembered keys that no command
    /// can have, or that two would share, are ignored.
    Shortcuts(const QList<QAction*>& actions, Settings* settings, QObject* parent = nullptr);

    [[nodiscard]] const QList<QAction*>& actions() const { return m_actions; }
    [[nodiscard]] QList<QKeySequence> builtIn(const QAction* action) const;
    [[nodiscard]] bool isChanged(const QAction* action) const;

    /// Gives a command one key or, with an empty sequence, none. Returns why not, naming the command or the
    /// menu that has the key, or an empty text.
    QString setKeys(QAction* action, const QKeySequence& keys);
    /// Back to the built-in keys, unless another command has them now.
    QString reset(QAction* action);
    /// Every command has its built-in keys again.
    void resetAll();

Q_SIGNALS:
    void changed();

private:
    void restore();
    [[nodiscard]] const QAction* otherWith(const QAction* action, const QKeySequence& keys) const;
    [[nodiscard]] QString refusal(const QAction* action, const QKeySequence& keys) const;
    void remember();

    QList<QAction*> m_actions;
    QHash<const QAction*, QList<QKeySequence>> m_builtIn;
    Settings* m_settings;
};

}  // namespace phaseladder::ui
