#include <QAccessible>

#include <algorithm>
#include <utility>

#include "ui/figure/panel_view.h"
#include "ui/figure/plot_accessible.h"

// What the pointer and the keys of a PanelView take hold of and move.

namespace phaseladder::ui {

/// The figure has changed: what is held stays held while the panel has as many grips.
void PanelView::takeGrips() {
    std::vector<Grip> grips = gripsOf(*m_panel);
    if (grips.size() != m_grips.size()) {
        m_keyGrip.reset();
        m_dragGrip.reset();
        m_drag = m_drag == Drag::grip ? Drag::none : m_drag;
        m_gripGesture.end();
    }
    m_pointedGrip = m_pointedGrip.has_value() && *m_pointedGrip < grips.size() ? m_pointedGrip : std::nullopt;
    m_grips = std::move(grips);
}

/// The grip that the readout speaks of. A rule that is only pointed at leaves it to the curves.
std::optional<std::size_t> PanelView::shownGrip() const {
    if (m_dragGrip.has_value() || m_keyGrip.has_value()) {
        return m_dragGrip.has_value() ? m_dragGrip : m_keyGrip;
    }
    const bool isHandle =
        m_pointedGrip.has_value() && std::holds_alternative<Handle>(m_grips[*m_pointedGrip]);
    return isHandle ? m_pointedGrip : std::nullopt;
}

QRectF PanelView::gripRect(std::size_t grip) const {
    return grip < m_grips.size() ? phaseladder::ui::gripRect(m_grips[grip], mapping()) : QRectF();
}

void PanelView::holdNextGrip(int step) {
    m_gripGesture.end();
    if (m_grips.empty()) {
        return;
    }
    const auto count = static_cast<int>(m_grips.size());
    const int before = m_keyGrip.has_value() ? static_cast<int>(*m_keyGrip) : step > 0 ? -1 : count;
    m_keyGrip = static_cast<std::size_t>((before + step + count) % count);
    Q_EMIT readoutChanged(readoutText());
    announceGrip(this);
    update();
}

void PanelView::letGripGo() {
    m_gripGesture.end();
    if (std::exchange(m_keyGrip, std::nullopt).has_value()) {
        Q_EMIT readoutChanged(readoutText());
        update();
    }
}

void PanelView::moveKeyGrip(int xStep, int yStep, double share) {
    const Grip& held = m_grips[*m_keyGrip];
    if (xStep != 0 && drawTogether(held, held)) {
        m_gripGesture.end();
        m_keyGrip = neighbourGrip(m_grips, *m_keyGrip, m_panel->x.reversed ? -xStep : xStep);
    } else {
        m_gripGesture.touch();
        Q_EMIT gripMoved(nudgeGrip(m_grips, *m_keyGrip, mapping(),
                                   m_panel->x.reversed ? -share * xStep : share * xStep,
                                   m_panel->y.reversed ? -share * yStep : share * yStep));
    }
    Q_EMIT readoutChanged(readoutText());
    announceGrip(this);
    update();
}

}  // namespace phaseladder::ui
