#pragma once

#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <memory>
#include <utility>

#include "core/number_text.h"
#include "ui/figure/figure_link.h"
#include "ui/figure/panel_view.h"
#include "ui/theme.h"

namespace phaseladder::ui::test {

inline std::shared_ptr<Panel> ladderPanel() {
    auto panel = std::make_shared<Panel>();
    panel->x.meaning = AxisMeaning::pair;
    panel->x.title = "pair";
    panel->x.maximum = 63.0;
    panel->x.wholeNumbers = true;
    panel->y.meaning = AxisMeaning::wavelength;
    panel->y.title = "wavelength (tokens)";
    panel->y.minimum = 1.0;
    panel->y.maximum = 1e7;
    panel->y.scale = AxisScale::log10;
    Curve base, scaled;
    base.label = "base";
    base.role = Role::base;
    scaled.label = "YaRN ×4";
    for (int pair = 0; pair < 64; ++pair) {
        base.x.push_back(pair);
        base.y.push_back(6.283 * std::pow(5e5, pair / 64.0));
        scaled.x.push_back(pair);
        scaled.y.push_back(base.y.back() * (pair > 30 ? 4.0 : 1.0));
    }
    Rule trained;
    trained.label = "trained 8,192";
    trained.at = 8192.0;
    trained.parameterId = "length.trained";
    panel->layers = {base, scaled, trained};
    return panel;
}

inline std::shared_ptr<Panel> mapPanel() {
    auto panel = std::make_shared<Panel>();
    panel->x.meaning = AxisMeaning::keyToken;
    panel->x.title = "key";
    panel->x.minimum = -0.5;
    panel->x.maximum = 2.5;
    panel->x.wholeNumbers = true;
    panel->x.labels = {"dog", "bites", "man"};
    panel->y = panel->x;
    panel->y.meaning = AxisMeaning::queryToken;
    panel->y.title = "query";
    panel->y.reversed = true;
    Heatmap map;
    map.rows = map.columns = 3;
    map.values = {1.0, 0.0, 0.0, 0.857142857, 0.142857143, 0.0, 0.2, 0.3, 0.5};
    map.states.assign(9, CellState::shown);
    map.states[1] = map.states[2] = map.states[5] = CellState::masked;
    map.valueTitle = "weight";
    panel->layers = {map};
    return panel;
}

inline QString shown(double value) {
    return QString::fromStdString(formatForPeople(value, 6));
}

inline void wheel(QWidget* widget, const QPointF& at, int notches,
                  Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(at, widget->mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt::NoButton,
                      modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

inline void drag(QWidget* widget, const QPointF& from, const QPointF& to,
                 Qt::MouseButton button = Qt::LeftButton) {
    QTest::mousePress(widget, button, {}, from.toPoint());
    QTest::mouseMove(widget, ((from + to) / 2.0).toPoint());
    QMouseEvent move(QEvent::MouseMove, to, widget->mapToGlobal(to), Qt::NoButton, button, Qt::NoModifier);
    QApplication::sendEvent(widget, &move);
    QTest::mouseRelease(widget, button, {}, to.toPoint());
}

inline void hover(QWidget& widget, const QPointF& at) {
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                      Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

inline void leave(QWidget& widget) {
    QEvent event(QEvent::Leave);
    QApplication::sendEvent(&widget, &event);
}

/// A plot of two curves and a map of three tokens, which are linked.
struct PanelViewFixture {
    std::unique_ptr<FigureLink> m_link;
    std::unique_ptr<PanelView> m_view, m_map;

    void makeViews() {
        m_link = std::make_unique<FigureLink>();
        m_view = makeView(ladderPanel());
        m_map = makeView(mapPanel());
    }

    void deleteViews() {
        m_view.reset();
        m_map.reset();
        m_link.reset();
    }

    std::unique_ptr<PanelView> makeView(std::shared_ptr<const Panel> panel) const {
        auto view = std::make_unique<PanelView>(m_link.get());
        view->resize(520, 300);
        view->setPanel(std::move(panel), QStringLiteral("a summary"));
        view->show();
        return view;
    }
};

}  // namespace phaseladder::ui::test
