#pragma once

#include <QDialog>

#include "ui/theme.h"

class QPushButton;
class QTabWidget;

namespace phaseladder::ui {

class AppearancePage;
class ComputingPage;
class Settings;
class Shortcuts;
class ShortcutsPage;

/// What the person can choose for all scenes: appearance, where
/// attention is computed, and the keys of the commands. Every change holds at
/// once; there is nothing to confirm. One button takes the page in front back to what the program came with.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    SettingsDialog(const Settings* settings, Shortcuts* shortcuts, QWidget* parent = nullptr);

    /// How the GPU is, in one sentence.
    void setGpuState(const QString& sentence);

Q_SIGNALS:
    void themeChosen(ThemeChoice theme);
    void motionChosen(MotionChoice motion);
    void colormapChosen(const QString& name);
    void helperChosen(const QString& command);

private:
    void restoreDefaults();
    void nameRestoreButton();

    QTabWidget* m_pages = nullptr;
    AppearancePage* m_appearance = nullptr;
    ComputingPage* m_computing = nullptr;
    ShortcutsPage* m_shortcuts = nullptr;
    QPushButton* m_restore = nullptr;
};

}  // namespace phaseladder::ui
