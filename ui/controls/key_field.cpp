#include "ui/controls/key_field.h"

#include <QKeyEvent>
#include <QLineEdit>

#include "ui/shortcuts.h"

namespace phaseladder::ui {

KeyField::KeyField(QWidget* parent) : QKeySequenceEdit(parent) {
    auto* text = findChild<QLineEdit*>();
    text->setPlaceholderText(tr("Press keys"));
    text->setClearButtonEnabled(false);
}

void KeyField::keyPressEvent(QKeyEvent* event) {
    const QKeySequence keys = keysOf(event->key(), event->modifiers());
    if (keys == QKeySequence(Qt::Key_Escape)) {
        Q_EMIT gaveUp();
    } else if (keys == QKeySequence(Qt::Key_Backspace) || keys == QKeySequence(Qt::Key_Delete)) {
        Q_EMIT keysPressed({});
    } else if (!keys.isEmpty()) {
        Q_EMIT keysPressed(keys);
    }
    event->accept();
}

void KeyField::keyReleaseEvent(QKeyEvent* event) {
    event->accept();  // one press is the whole sequence: nothing to wait for
}

}  // namespace phaseladder::ui
