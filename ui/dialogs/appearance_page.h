#pragma once

#include <QWidget>

#include "ui/theme.h"

namespace phaseladder::ui {

class ChoiceBox;
class SegmentedControl;
class Settings;

/// The page of the settings about looks: theme, motion, and the colours of maps without a sign.
class AppearancePage : public QWidget {
    Q_OBJECT

public:
    explicit AppearancePage(const Settings* settings, QWidget* parent = nullptr);

    /// Chooses what a new installation has.
    void restoreDefaults();

Q_SIGNALS:
    void themeChosen(ThemeChoice theme);
    void motionChosen(MotionChoice motion);
    void colormapChosen(const QString& name);

private:
    void showValues(const Settings& settings);
    void chooseTheme();
    void chooseMotion();

    SegmentedControl* m_theme = nullptr;
    SegmentedControl* m_motion = nullptr;
    ChoiceBox* m_colormap = nullptr;
};

}  // namespace phaseladder::ui
