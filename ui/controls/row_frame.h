#pragma once

#include <QWidget>

#include "ui/controls/row_menu.h"

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace phaseladder::ui {

/// What every row of the panel has: label left, a reset arrow beside it while the value differs from the
/// preset, a sign while something is to be said about the value, controls on the right, further lines below,
/// and a sentence in red when a value was refused. Double-click on the label resets; the context menu does
/// the rest.
class RowFrame : public QWidget {
    Q_OBJECT

public:
    /// Object names: label_NAME, reset_NAME, note_NAME, refusal_NAME. `ids` are the parameters that the row
    /// sets.
    RowFrame(const QString& name, const QStringList& ids, const QString& label, const QString& explanation,
             SceneEditor* editor, QWidget* parent);

    void addRight(QWidget* widget);
    void addBelow(QWidget* widget);
    /// Access by the label's shortcut and for assistive tools; the widget has its description already.
    void setBuddy(QWidget* widget);
    /// The row has a slider whose range, step and scale the menu offers.
    void offerSliderForm();

    void setChanged(bool changedFromPreset);
    /// Shows a sentence in red, or takes it away when empty.
    void setRefusal(const QString& sentence);
    /// The sign beside the label: its tool tip, and the buddy's description, say the sentences.
    void setNotes(const QStringList& sentences, bool isWarning);

Q_SIGNALS:
    void pasteRequested(const QString& text);
    void sliderFormRequested(const QPoint& corner);
    void refused(const QString& sentence);
    void said(const QString& sentence);  ///< a confirmation

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void reset();

    RowMenu m_menu;
    QString m_name;
    QString m_buddyDescription;  // without notes
    QLabel* m_label;
    QToolButton* m_reset;
    QToolButton* m_note = nullptr;
    QLabel* m_refusal = nullptr;
    QHBoxLayout* m_nameLine;
    QHBoxLayout* m_line;
    QVBoxLayout* m_lines;
};

/// Hint of a row: 11 px, muted.
[[nodiscard]] QLabel* mutedLabel(const QString& text, QWidget* parent);

}  // namespace phaseladder::ui
