#include "ui/figure/legend_list.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

#include "ui/figure/accessible_part.h"
#include "ui/theme.h"

namespace phaseladder::ui {
namespace {

constexpr int margin = 3;  // pixels around the entries

/// One entry: a check box, ticked while its curve is shown.
class AccessibleEntry : public AccessiblePart, public QAccessibleActionInterface {
public:
    AccessibleEntry(LegendList* list, int entry) : AccessiblePart(list), m_list(list), m_entry(entry) {}

    bool isValid() const override {
        return AccessiblePart::isValid() && m_entry < m_list->legend().entries.size();
    }
    QAccessible::Role role() const override { return QAccessible::CheckBox; }
    QRect rect() const override {
        const QRect entry = m_list->entryRect(m_entry);
        return {m_list->mapToGlobal(entry.topLeft()), entry.size()};
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Name ? m_list->legend().entries[m_entry].label : QString();
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.checkable = state.focusable = true;
        state.checked = !m_list->legend().hidden.contains(m_list->legend().entries[m_entry].label);
        state.focused = m_list->hasFocus() && m_list->current() == m_entry;
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    QStringList actionNames() const override { return {toggleAction(), pressAction()}; }
    void doAction(const QString& name) override {
        if (isValid() && actionNames().contains(name)) {
            Q_EMIT m_list->toggled(m_entry, false);
        }
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    QPointer<LegendList> m_list;
    int m_entry;
};

class AccessibleLegend : public QAccessibleWidget {
public:
    explicit AccessibleLegend(LegendList* list)
        : QAccessibleWidget(list, QAccessible::List), m_list(list), m_hidden(list->legend().hidden) {}
    ~AccessibleLegend() override {
        for (const QAccessible::Id id : m_entries) {
            QAccessible::deleteAccessibleInterface(id);
        }
    }

    int childCount() const override { return static_cast<int>(m_list->legend().entries.size()); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) {
            return nullptr;
        }
        while (index >= m_entries.size()) {
            m_entries.append(QAccessible::registerAccessibleInterface(
                new AccessibleEntry(m_list, static_cast<int>(m_entries.size()))));
        }
        return QAccessible::accessibleInterface(m_entries[index]);
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        return static_cast<int>(
            m_entries.indexOf(QAccessible::uniqueId(const_cast<QAccessibleInterface*>(child))));
    }
    QAccessibleInterface* focusChild() const override {
        return m_list->hasFocus() ? child(m_list->current()) : nullptr;
    }

    /// Tells which boxes were ticked or cleared since the last call.
    void announceChecks() {
        const QSet<QString> before = std::exchange(m_hidden, m_list->legend().hidden);
        for (int index = 0; index < childCount(); ++index) {
            const QString& label = m_list->legend().entries[index].label;
            if (before.contains(label) != m_hidden.contains(label)) {
                QAccessible::State changed;
                changed.checked = true;
                QAccessibleStateChangeEvent event(child(index), changed);
                QAccessible::updateAccessibility(&event);
            }
        }
    }

private:
    LegendList* m_list;
    mutable QList<QAccessible::Id> m_entries;
    QSet<QString> m_hidden;  // as last announced
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* list = qobject_cast<LegendList*>(object);
    return list == nullptr ? nullptr : new AccessibleLegend(list);
}

void announceFocus(LegendList* list) {
    if (!QAccessible::isActive()) {
        return;
    }
    if (QAccessibleInterface* legend = QAccessible::queryAccessibleInterface(list)) {
        if (QAccessibleInterface* entry = legend->child(list->current())) {
            QAccessibleEvent event(entry, QAccessible::Focus);
            QAccessible::updateAccessibility(&event);
        }
    }
}

void announceChecks(LegendList* list) {
    if (!QAccessible::isActive()) {
        return;
    }
    if (auto* legend = dynamic_cast<AccessibleLegend*>(QAccessible::queryAccessibleInterface(list))) {
        legend->announceChecks();
    }
}

}  // namespace

LegendList::LegendList(const ScreenLegend* legend, QWidget* parent) : QWidget(parent), m_legend(legend) {
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed);
    setObjectName(QStringLiteral("legend"));
    setAccessibleName(tr("Legend"));
    setAccessibleDescription(tr("Space hides or shows a curve, Ctrl+Space shows it alone"));
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void LegendList::refresh() {
    QRectF box;
    for (const QRectF& rect : m_legend->rects) {
        box = box.united(rect);
    }
    const QRect wanted = box.toAlignedRect().adjusted(-margin, -margin, margin, margin);
    if (!m_legend->rects.isEmpty() && wanted != geometry()) {
        setGeometry(wanted);
    }
    m_current = std::clamp(m_current, 0, std::max(0, static_cast<int>(m_legend->entries.size()) - 1));
    setVisible(!m_legend->entries.isEmpty());
    announceChecks(this);
}

QRect LegendList::entryRect(int entry) const {
    return entry < m_legend->rects.size()
               ? m_legend->rects[entry].toAlignedRect().adjusted(-margin, 0, margin, 0).translated(-pos())
               : QRect();
}

void LegendList::setCurrent(int entry) {
    m_current = std::clamp(entry, 0, static_cast<int>(m_legend->entries.size()) - 1);
    announceFocus(this);
    update();
}

void LegendList::paintEvent(QPaintEvent*) {
    if (!hasFocus()) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeColors(currentTheme()).accent, 1.5));
    painter.drawRoundedRect(QRectF(entryRect(m_current)).adjusted(0.75, 0.75, -0.75, -0.75), 3.0, 3.0);
}

void LegendList::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Up:
        case Qt::Key_Left:
            setCurrent(m_current - 1);
            break;
        case Qt::Key_Down:
        case Qt::Key_Right:
            setCurrent(m_current + 1);
            break;
        case Qt::Key_Home:
            setCurrent(0);
            break;
        case Qt::Key_End:
            setCurrent(static_cast<int>(m_legend->entries.size()) - 1);
            break;
        case Qt::Key_Space:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            Q_EMIT toggled(m_current, event->modifiers() & Qt::ControlModifier);
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

void LegendList::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    announceFocus(this);
    update();
}

void LegendList::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace phaseladder::ui
