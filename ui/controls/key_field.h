#pragma once

#include <QKeySequenceEdit>

namespace phaseladder::ui {

/// Takes the next key press with its modifiers as the keys of a command. Backspace or Delete alone asks for
/// no keys, Esc gives up, Tab goes on to the next control. Whoever owns the field shows the keys that hold.
class KeyField : public QKeySequenceEdit {
    Q_OBJECT

public:
    explicit KeyField(QWidget* parent = nullptr);

Q_SIGNALS:
    void keysPressed(const QKeySequence& keys);  ///< empty: no keys are wanted
    void gaveUp();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
};

}  // namespace phaseladder::ui
