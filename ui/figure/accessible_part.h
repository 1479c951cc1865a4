#pragma once

#include <QAccessible>
#include <QPointer>
#include <QWidget>
#include <QWindow>

namespace phaseladder::ui {

/// Something that a widget paints and that is no object of its own (a cell, an entry of a legend), as
/// accessibility sees it: a leaf below the widget.
class AccessiblePart : public QAccessibleInterface {
public:
    explicit AccessiblePart(QWidget* owner) : m_owner(owner) {}

    bool isValid() const override { return !m_owner.isNull(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_owner ? m_owner->window()->windowHandle() : nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_owner); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    void setText(QAccessible::Text, const QString&) override {}

private:
    QPointer<QWidget> m_owner;
};

}  // namespace phaseladder::ui
