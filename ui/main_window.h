#pragma once

#include <QList>
#include <QMainWindow>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>

#include "core/engine.h"
#include "core/parameter.h"
#include "ui/dialogs/search_popup.h"
#include "ui/gpu_link.h"
#include "ui/settings.h"
#include "ui/theme.h"

class QLabel;

namespace phaseladder::ui {

class Actions;
class Autosave;
class Comparison;
class FileCommands;
class FigureLink;
class FigureOutput;
class FigurePane;
class FrameLoop;
class MessageBar;
class PaneGrid;
class ParameterPanel;
class SceneDocument;
class Shortcuts;
class StatusLine;
class TokenStrip;
class WindowLayout;

/// The window: menus, toolbar, parameters at the left, figure panes over the token strip, status line. It
/// only wires: the document owns the scene, the controller computes, the panes draw.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `settingsPath` is where the window remembers its looks; empty: nothing is remembered and unsaved work
    /// is not kept (benchmarks, tests).
    explicit MainWindow(std::unique_ptr<Engine> engine, QWidget* parent = nullptr,
                        const QString& settingsPath = Settings::defaultPath());
    ~MainWindow() override;

    /// Large maps are computed on the GPU that it makes, as soon as there is one.
    void useGpu(GpuFactory factory);

    /// Opens any file that the document can; asks about unsaved work first, says why when it cannot.
    void openFile(const QString& path);
    /// How much of a figure that takes long is waited for.
    enum class Painted { firstPicture, whole };

    /// Waits until the newest setting has been computed and painted in every pane; false when it took longer.
    bool waitForPainted(int milliseconds, Painted wanted = Painted::whole);

    [[nodiscard]] SceneDocument* document() const { return m_document; }
    [[nodiscard]] FileCommands* files() const { return m_files; }
    [[nodiscard]] PaneGrid* panes() const { return m_panes; }
    [[nodiscard]] FigureOutput* figureOutput() const { return m_figureOutput; }
    [[nodiscard]] ParameterPanel* parameterPanel() const { return m_parameterPanel; }
    [[nodiscard]] TokenStrip* tokenStrip() const { return m_tokenStrip; }
    [[nodiscard]] Actions* commands() const { return m_commands; }
    [[nodiscard]] Shortcuts* shortcuts() const { return m_shortcuts; }
    [[nodiscard]] WindowLayout* parts() const { return m_layout; }
    [[nodiscard]] Comparison* comparison() const { return m_comparison; }
    [[nodiscard]] QStringList recentFiles() const { return m_settings.recentFiles(); }

    // What the commands do.
    void showModelPicker();
    void showPalette();
    void setParameter(const QString& id, const ParameterValue& value);
    void pinScene();  ///< what is compared with from now on
    void resetAll();
    void focusTheta();
    void focusTokens();
    void focusParameters();
    void showHelp();
    void showShortcuts();
    void showAbout();
    void showSettings();
    void toggleFullScreen();
    void setTheme(ThemeChoice theme);
    void setMotion(MotionChoice motion);
    [[nodiscard]] QString colormapName() const { return m_settings.colormap(); }
    void setColormap(const QString& name);
    /// A sentence in the status line; an empty one is ignored.
    void say(const QString& sentence);

Q_SIGNALS:
    void appearanceChanged();  ///< theme, colour map, dock or full screen

protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildParts();
    void connectParts();
    void connectPane(FigurePane* pane);

    void showPage(const QString& name, const QString& title, const QString& html);
    void showTitle();
    void showWarnings();
    void showZoom();
    void showComparison();
    void openPopup(const QString& name, const QString& placeholder, const QList<SearchEntry>& entries,
                   const QPoint& corner, std::function<void(int)> choose);

    Settings m_settings;
    SceneDocument* m_document = nullptr;
    Comparison* m_comparison = nullptr;
    FileCommands* m_files = nullptr;
    FigureLink* m_link = nullptr;
    FrameLoop* m_frameLoop = nullptr;
    GpuLink* m_gpu = nullptr;
    FigureOutput* m_figureOutput = nullptr;
    Autosave* m_autosave = nullptr;  // null: nothing is kept
    PaneGrid* m_panes = nullptr;
    ParameterPanel* m_parameterPanel = nullptr;
    TokenStrip* m_tokenStrip = nullptr;
    WindowLayout* m_layout = nullptr;
    QLabel* m_name = nullptr;  // of the file, at the end of the menu bar
    MessageBar* m_messageBar = nullptr;
    StatusLine* m_statusLine = nullptr;
    Actions* m_commands = nullptr;
    Shortcuts* m_shortcuts = nullptr;
};

}  // namespace phaseladder::ui
