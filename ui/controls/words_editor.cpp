#include "ui/controls/words_editor.h"

#include <QKeyEvent>

namespace phaseladder::ui {

WordsEditor::WordsEditor(QWidget* parent) : QPlainTextEdit(parent) {
    setObjectName(QStringLiteral("strip_text"));
    setAccessibleName(tr("Text"));
    setPlaceholderText(tr("Type words or drop a text file here"));
    setTabChangesFocus(true);
    setUndoRedoEnabled(true);
}

void WordsEditor::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && !event->modifiers().testFlag(Qt::ShiftModifier)) {
        Q_EMIT finished(true);
    } else if (event->key() == Qt::Key_Escape) {
        Q_EMIT finished(false);
    } else {
        QPlainTextEdit::keyPressEvent(event);
    }
}

void WordsEditor::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    const bool goesOn =
        event->reason() == Qt::PopupFocusReason || event->reason() == Qt::ActiveWindowFocusReason;
    if (!goesOn && isVisible()) {
        Q_EMIT finished(true);
    }
}

bool WordsEditor::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QPlainTextEdit::event(event);
}

}  // namespace phaseladder::ui
