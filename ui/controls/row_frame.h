#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace phaseladder::ui {

/// What every row of the panel has: label left, a reset arrow beside it while the value differs from the
/// preset, controls on the right, further lines below, and a sentence in red when a value was refused.
/// Double-click on the label resets; the context menu copies, pastes, resets and explains.
class RowFrame : public QWidget {
    Q_OBJECT

public:
    /// Object names: label_ID, reset_ID.
    RowFrame(const QString& id, const QString& label, const QString& explanation, QWidget* parent);

    void addRight(QWidget* widget);
    void addBelow(QWidget* widget);
    /// Access by the label's shortcut and for assistive tools.
    void setBuddy(QWidget* widget);

    void setChanged(bool changedFromPreset);
    void setRefusal(const QString& sentence);

Q_SIGNALS:
    void resetRequested();
    void copyRequested();
    void pasteRequested(const QString& text);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QString m_explanation;
    QLabel* m_label;
    QToolButton* m_reset;
    QLabel* m_refusal = nullptr;
    QHBoxLayout* m_line;
    QVBoxLayout* m_lines;
};

/// Hint of a row: 11 px, muted.
[[nodiscard]] QLabel* mutedLabel(const QString& text, QWidget* parent);

}  // namespace phaseladder::ui
