#pragma once

#include <QStatusBar>
#include <QString>
#include <QStringList>

class QLabel;
class QToolButton;

namespace phaseladder::ui {

/// The line at the foot of the window: where attention runs, the time of the last frame, exact or preview; at
/// the right the warnings (the first as a sentence, the others behind it), what is under the crosshair and
/// the zoom.
class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setBackend(const QString& sentence);
    /// How the GPU is, in a sentence behind the backend, and whether a person may have it looked for again.
    void setGpu(const QString& sentence, bool canTryAgain);
    /// The time from a change to its picture, and whether the picture belongs to the newest setting or is a
    /// preview.
    void setFrame(double milliseconds, bool exact);
    void setWarnings(const QStringList& sentences);
    void setReadout(const QString& text);
    /// How many times larger than in full the current pane is drawn: "zoom 150 %".
    void setZoom(double factor);

    /// A refusal or a confirmation, in place of the left labels for a few seconds.
    void say(const QString& sentence);

Q_SIGNALS:
    void tryAgainRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void showFirstWarning();

    QLabel* m_backend = nullptr;
    QToolButton* m_tryAgain = nullptr;
    QLabel* m_frame = nullptr;
    QLabel* m_exact = nullptr;
    QLabel* m_readout = nullptr;
    QLabel* m_zoom = nullptr;
    QToolButton* m_warning = nullptr;
    QStringList m_warnings;
};

}  // namespace phaseladder::ui
