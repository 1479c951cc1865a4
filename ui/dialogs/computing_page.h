#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace phaseladder::ui {

class Settings;

/// The page of the settings about where attention is computed: the command of the GPU helper.
class ComputingPage : public QWidget {
    Q_OBJECT

public:
    explicit ComputingPage(const Settings* settings, QWidget* parent = nullptr);

    /// How the GPU is, in one sentence; empty: nothing is said.
    void setGpuState(const QString& sentence);
    void restoreDefaults();

Q_SIGNALS:
    void helperChosen(const QString& command);

private:
    QLineEdit* m_helper = nullptr;
    QLabel* m_state = nullptr;
};

}  // namespace phaseladder::ui
