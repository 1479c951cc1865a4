#pragma once

#include <QPlainTextEdit>

namespace phaseladder::ui {

/// The whole text in one field: Enter or leaving applies, Shift+Enter is a line break, Esc gives up. Plain
/// text only.
class WordsEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit WordsEditor(QWidget* parent = nullptr);

Q_SIGNALS:
    void finished(bool isApplied);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;
};

}  // namespace phaseladder::ui
