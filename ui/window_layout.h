#pragma once

#include <QDockWidget>
#include <QObject>

class QMainWindow;

namespace phaseladder::ui {

class PaneGrid;
class Settings;

/// Where the parts of the window are: the parameters left or right, the tokens below or above, the panes
/// between them. Docks are moved by their grip or by command, hidden and shown again; all of it, the sizes
/// and the figures in the panes come back at the next start. A window that is too narrow hides the parameters
/// until there is room again.
class WindowLayout : public QObject {
    Q_OBJECT

public:
    /// Puts the widgets into docks and makes `panes` the centre. `above` is a bar over the panes.
    WindowLayout(QMainWindow* window, QWidget* above, PaneGrid* panes, QWidget* parameters, QWidget* tokens,
                 Settings* settings);
    /// Takes the parts with it: they tell each other of changes, so none may find another half destroyed.
    ~WindowLayout() override;

    [[nodiscard]] QDockWidget* parameters() const { return m_parameters; }
    [[nodiscard]] QDockWidget* tokens() const { return m_tokens; }
    /// Whether the dock is open, in a window that is hidden too.
    [[nodiscard]] bool isShown(const QDockWidget* dock) const;
    /// Opens or closes a dock; for the parameters it is remembered.
    void show(QDockWidget* dock, bool shown);
    /// Whether the dock's place, shown or not, is this side of the window.
    [[nodiscard]] bool isAt(QDockWidget* dock, Qt::DockWidgetArea area) const;
    /// Brings a dock to a side of the window in its width, and shows it.
    void move(QDockWidget* dock, Qt::DockWidgetArea area);

    /// Brings back the panes and docks as the settings remember them.
    void restore();
    /// Writes the panes, the docks and the window's place to the settings.
    void remember();
    /// As at the first start: places, sizes, four panes with their first figures.
    void reset();
    /// The remembered size and place, or 1440 × 900 where the screen allows.
    void resizeToStartup();

Q_SIGNALS:
    void changed();  ///< a dock was shown, hidden or moved

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QDockWidget* addDock(const QString& name, const QString& title, Qt::DockWidgetArea area);
    void showPanes(const Settings& settings);
    void fitWidth();
    void applyMargins();

    QMainWindow* m_window;
    PaneGrid* m_panes;
    Settings* m_settings;
    QDockWidget* m_parameters = nullptr;
    QDockWidget* m_tokens = nullptr;
    QWidget* m_tokenGround = nullptr;  // the room around the card of the tokens
    bool m_hiddenByWidth = false;
};

}  // namespace phaseladder::ui
