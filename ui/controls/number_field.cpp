#include "ui/controls/number_field.h"

#include <QFocusEvent>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QTimer>

#include <algorithm>

#include "ui/theme.h"

namespace phaseladder::ui {

NumberField::NumberField(QWidget* parent) : QLineEdit(parent) {
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setMaxLength(64);
}

void NumberField::setTexts(const QString& forPeople, const QString& exact) {
    if (forPeople == m_forPeople && exact == m_exact) {
        return;
    }
    m_forPeople = forPeople;
    m_exact = exact;
    revert();
    updateGeometry();
}

QSize NumberField::sizeHint() const {
    // A few fixed widths, so that fields do not jitter while their value changes.
    const int needed = fontMetrics().horizontalAdvance(m_forPeople) + 22;
    const int frame = QLineEdit::sizeHint().height();
    if (property("inline").toBool()) {
        return {std::clamp(needed - 10, 30, 80), frame};
    }
    for (const int width : {56, 76, 100}) {
        if (needed <= width) {
            return {width, frame};
        }
    }
    return {std::min(needed, 140), frame};
}

void NumberField::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    if (!m_isWrong && !isModified()) {
        setText(m_exact);
        // After the press that gave focus has placed the cursor.
        QTimer::singleShot(0, this, [this] {
            if (hasFocus() && !isModified()) {
                selectAll();
            }
        });
    }
}

void NumberField::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) {
        finishEditing();
    }
}

void NumberField::finishEditing() {
    // A text that was refused stays as it is; Enter tries it again.
    if (!m_isWrong || text().trimmed() != m_refusedText) {
        applyText();
    }
}

void NumberField::keyPressEvent(QKeyEvent* event) {
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    switch (isPlain ? event->key() : 0) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            applyText();
            if (!m_isWrong) {
                selectAll();
            }
            return;
        case Qt::Key_Escape:
            revert();
            selectAll();
            return;
        case Qt::Key_Up:
            Q_EMIT stepRequested(1);
            return;
        case Qt::Key_Down:
            Q_EMIT stepRequested(-1);
            return;
        case Qt::Key_PageUp:
            Q_EMIT stepRequested(10);
            return;
        case Qt::Key_PageDown:
            Q_EMIT stepRequested(-10);
            return;
        default:
            QLineEdit::keyPressEvent(event);
    }
}

bool NumberField::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape && isModified()) {
            event->accept();
            return true;
        }
        // Nothing typed since the last value: undo and redo are the scene's.
        if (!isModified() && (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))) {
            event->ignore();
            return true;
        }
    }
    return QLineEdit::event(event);
}

void NumberField::applyText() {
    const QString typed = text().trimmed();
    if (!isModified() || typed == m_exact) {
        revert();
        return;
    }
    const QString refusal = m_apply ? m_apply(typed) : QString();
    if (refusal.isEmpty()) {
        revert();
    } else {
        m_refusedText = typed;
        setWrong(refusal);
    }
}

void NumberField::revert() {
    setText(hasFocus() ? m_exact : m_forPeople);
    setModified(false);
    setWrong(QString());
}

void NumberField::setWrong(const QString& sentence) {
    const bool isWrongNow = !sentence.isEmpty();
    if (!isWrongNow && !m_isWrong) {
        return;
    }
    if (isWrongNow != m_isWrong) {
        m_isWrong = isWrongNow;
        setProperty("wrong", m_isWrong);
        restyle(this);
    }
    Q_EMIT refusalChanged(sentence);
}

}  // namespace phaseladder::ui
