#pragma once

#include "ui/figure/accessible_part.h"
#include "ui/figure/panel_view.h"

namespace phaseladder::ui {

/// A handle or a rule of a plot that the keys and the pointer move: its name is its label, its text what it
/// stands at.
class AccessibleGrip : public AccessiblePart {
public:
    AccessibleGrip(PanelView* view, std::size_t grip) : AccessiblePart(view), m_view(view), m_grip(grip) {}

    bool isValid() const override { return AccessiblePart::isValid() && m_grip < m_view->grips().size(); }
    QAccessible::Role role() const override { return QAccessible::Slider; }
    QString text(QAccessible::Text kind) const override {
        switch (kind) {
            case QAccessible::Name:
                return gripLabel(m_view->grips()[m_grip]);
            case QAccessible::Value:
                return gripSentence(m_view->grips()[m_grip], m_view->panel());
            case QAccessible::Description:
                return PanelView::tr("Arrows move it, with Shift by small steps; Esc lets it go");
            default:
                return {};
        }
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.focusable = state.movable = true;
        state.focused = m_view->hasFocus() && m_view->keyGrip() == m_grip;
        state.invisible = !m_view->isVisible();
        state.offscreen = m_view->gripRect(m_grip).isNull();
        return state;
    }
    QRect rect() const override {
        const QRect drawn = m_view->gripRect(m_grip).toAlignedRect();
        return {m_view->mapToGlobal(drawn.topLeft()), drawn.size()};
    }

    [[nodiscard]] std::size_t grip() const { return m_grip; }

private:
    PanelView* m_view;
    std::size_t m_grip;
};

}  // namespace phaseladder::ui
