#pragma once

#include <QObject>
#include <QTimer>

namespace phaseladder::ui {

/// Brackets changes that belong together: from the press of a mouse button to its release, or keys in quick
/// succession.
class EditGesture : public QObject {
    Q_OBJECT

public:
    explicit EditGesture(QObject* parent);

    void begin();  ///< of a drag; ends what was open before
    void touch();  ///< a key or a wheel notch: begins, or goes on for a moment
    void end();
    [[nodiscard]] bool isOpen() const { return m_isOpen; }

Q_SIGNALS:
    void started();
    void ended();

private:
    QTimer m_pause;
    bool m_isOpen = false;
};

}  // namespace phaseladder::ui
