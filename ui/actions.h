#pragma once

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>

class QMenu;
class QMenuBar;

namespace phaseladder::ui {

class MainWindow;

/// A command's text without mnemonic and dots ("Save as"), and the menu it is in ("File").
[[nodiscard]] QString commandName(const QAction& action);
[[nodiscard]] QString commandGroup(const QAction& action);

/// Every command of the window, each one QAction with an id as its object name ("action_open"). The menus,
/// the toolbar, the command palette and the sheet of shortcuts are made from these.
class Actions : public QObject {
    Q_OBJECT

public:
    /// Makes the commands and fills the window's menu bar.
    explicit Actions(MainWindow& window);

    /// In the order of the menus.
    [[nodiscard]] const QList<QAction*>& all() const { return m_all; }
    /// Null when there is none of that id.
    [[nodiscard]] QAction* find(const QString& id) const;

private:
    QMenu* addMenu(const QString& id, const QString& text);
    QMenu* addSubmenu(QMenu* menu, const QString& id, const QString& text);
    QAction* add(QMenu* menu, const QString& id, const QString& text, const QKeySequence& keys,
                 const QString& icon, std::function<void()> run);
    /// A command with a tick that `isOn` decides whenever the scene or the layout changes.
    QAction* addCheckable(QMenu* menu, const QString& id, const QString& text, std::function<bool()> isOn,
                          std::function<void()> run);

    void addFileMenu();
    void addEditMenu();
    void addViewMenu();
    void addLayoutCommands(QMenu* menu);
    void addZoomCommands(QMenu* menu);
    void addEncodingMenu();
    void addTokensMenu();
    void addCompareMenu();
    void addWindowMenu();
    void addHelpMenu();
    void fillRecentMenu(QMenu* menu);
    void fillLayerTypeMenu(QMenu* menu);
    void refreshTicks();

    struct Tick {
        QAction* action;
        std::function<bool()> isOn;
    };

    MainWindow& m_window;
    QMenuBar* m_menuBar;
    QList<QAction*> m_all;
    std::vector<Tick> m_ticks;
};

}  // namespace phaseladder::ui
