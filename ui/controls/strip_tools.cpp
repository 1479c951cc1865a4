#include "ui/controls/strip_tools.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <utility>

namespace phaseladder::ui {
namespace {

constexpr int gap = 4;

}  // namespace

StripTools::StripTools(QWidget* parent) : QWidget(parent), m_more(makeLink(QStringLiteral("strip_more"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(gap);
    row->addWidget(m_more);
    m_more->setText(tr("More ▾"));
    m_more->setAccessibleName(tr("More token commands"));
    m_more->setToolTip(tr("More for the order and the text"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    auto* menu = new QMenu(m_more);
    menu->setToolTipsVisible(true);
    m_more->setMenu(menu);
    m_more->hide();
}

QToolButton* StripTools::makeLink(const QString& name) {
    auto* link = new QToolButton(this);
    link->setObjectName(name);
    link->setProperty("link", true);
    link->setCursor(Qt::PointingHandCursor);
    return link;
}

QAction* StripTools::add(ToolPlace place, const QString& name, const QString& text, const QString& help,
                         std::function<void()> run) {
    auto* action = new QAction(text, this);
    action->setObjectName(name + QStringLiteral("_action"));
    action->setToolTip(help);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    QToolButton* link = makeLink(name);
    link->setDefaultAction(action);
    link->setAccessibleDescription(help);
    connect(action, &QAction::changed, this, [this, action, link] {
        link->setAccessibleDescription(action->toolTip());
        fit();
    });
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->insertWidget(row->count() - 1, link);
    if (place == ToolPlace::rowOrMenu) {
        m_more->menu()->addAction(action);
    }
    m_tools.push_back({place, link});
    return action;
}

void StripTools::setRoom(int pixels) {
    if (std::exchange(m_room, pixels) != pixels) {
        fit();
    }
}

int StripTools::widthOf(ToolPlace place) const {
    int width = 0;
    for (const Tool& tool : m_tools) {
        width += tool.place == place ? tool.link->sizeHint().width() + gap : 0;
    }
    return width;
}

void StripTools::fit() {
    const bool fits = widthOf(ToolPlace::row) + widthOf(ToolPlace::rowOrMenu) - gap <= m_room;
    for (const Tool& tool : m_tools) {
        tool.link->setVisible(fits || tool.place == ToolPlace::row);
    }
    m_more->setVisible(!fits);
}

QSize StripTools::minimumSizeHint() const {
    return {widthOf(ToolPlace::row) + m_more->sizeHint().width(), m_more->sizeHint().height()};
}

}  // namespace phaseladder::ui
