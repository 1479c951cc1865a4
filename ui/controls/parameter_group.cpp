#include "ui/controls/parameter_group.h"

#include <QApplication>
#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "core/parameter.h"
#include "ui/controls/panel_row.h"
#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

bool contains(const std::vector<PanelRow*>& rows, const PanelRow* row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
}

QLabel* headingLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text.toUpper(), parent);
    label->setProperty("heading", true);
    QFont font = label->font();
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.6);
    label->setFont(font);
    return label;
}

bool isUnused(const PanelRow& row, const Scene& scene) {
    const QStringList ids = row.parameterIds();
    return std::all_of(ids.begin(), ids.end(), [&scene](const QString& id) {
        return isFolded(*findParameter(id.toStdString()), scene);
    });
}

/// Whether the person is at this row, in a window that is behind another too.
bool holdsFocus(const PanelRow& row) {
    const QWidget* focus = row.window()->focusWidget();
    return focus != nullptr && row.isAncestorOf(focus);
}

QString labelOf(const PanelRow& row) {
    return QString::fromStdString(findParameter(row.parameterIds().first().toStdString())->label);
}

/// Tab goes from widget to widget in this order.
void chainTabStops(const std::vector<QWidget*>& order) {
    QWidget* last = nullptr;
    for (QWidget* part : order) {
        QList<QWidget*> stops = part->findChildren<QWidget*>();
        stops.prepend(part);
        for (QWidget* stop : std::as_const(stops)) {
            const bool isInPopup = stop->window() != part->window();  // the list of a drop-down
            if (isInPopup || (stop->focusPolicy() & Qt::TabFocus) == 0) {
                continue;
            }
            if (last != nullptr) {
                QWidget::setTabOrder(last, stop);
            }
            last = stop;
        }
    }
}

}  // namespace

ParameterGroup::ParameterGroup(const QString& name, QWidget* parent)
    : QWidget(parent), m_name(name), m_layout(new QVBoxLayout(this)), m_more(new QToolButton(this)) {
    setObjectName(QStringLiteral("group_%1").arg(name));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
    m_layout->addWidget(headingLabel(name, this));
    m_more->setObjectName(QStringLiteral("more_%1").arg(name));
    m_more->setProperty("disclosure", true);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setIconSize(QSize(12, 12));
    m_more->setCursor(Qt::PointingHandCursor);
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_more->hide();
    m_layout->addWidget(m_more);
    connect(m_more, &QToolButton::clicked, this, [this] {
        setUnfolded(!m_isUnfolded);
        Q_EMIT unfoldedChanged(m_isUnfolded);
    });
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        if (now != nullptr && now->window() == window()) {
            foldLeftRows();
        }
    });
}

void ParameterGroup::addRow(PanelRow* row) {
    m_rows.push_back(row);
    m_layout->insertWidget(m_layout->indexOf(m_more), row);
}

bool ParameterGroup::showScene(const Scene& scene, const Scene& preset) {
    const std::vector<PanelRow*> shownBefore = std::exchange(m_applying, {});
    m_unused.clear();
    for (PanelRow* row : m_rows) {
        if (!row->applies(scene)) {
            continue;
        }
        row->showScene(scene, preset);
        m_applying.push_back(row);
        if (isUnused(*row, scene)) {
            m_unused.push_back(row);
        }
    }
    updateFolded(m_isUnfolded ? shownBefore : std::vector<PanelRow*>());
    showRows();
    return !m_applying.empty();
}

void ParameterGroup::setUnfolded(bool unfolded) {
    m_isUnfolded = unfolded;
    updateFolded({});
    showRows();
}

void ParameterGroup::foldLeftRows() {
    if (m_isUnfolded || m_more->hasFocus()) {
        return;
    }
    if (QApplication::mouseButtons() != Qt::NoButton) {
        // What is pressed must not move away before the release.
        QTimer::singleShot(50, this, &ParameterGroup::foldLeftRows);
        return;
    }
    updateFolded({});
    showRows();
}

void ParameterGroup::updateFolded(const std::vector<PanelRow*>& inPlace) {
    std::vector<PanelRow*> folded;
    for (PanelRow* row : m_rows) {
        const bool isBelow =
            contains(inPlace, row) ? contains(m_folded, row) : contains(m_unused, row) && !holdsFocus(*row);
        if (isBelow) {
            folded.push_back(row);
        }
    }
    if (folded != m_folded) {
        m_folded = std::move(folded);
        arrange();
    }
}

void ParameterGroup::arrange() {
    std::vector<QWidget*> order;
    for (PanelRow* row : m_rows) {
        if (!contains(m_folded, row)) {
            order.push_back(row);
        }
    }
    order.push_back(m_more);
    order.insert(order.end(), m_folded.begin(), m_folded.end());
    for (QWidget* widget : order) {
        m_layout->removeWidget(widget);
        m_layout->addWidget(widget);
    }
    chainTabStops(order);
}

void ParameterGroup::showRows() {
    QStringList names;
    for (PanelRow* row : m_rows) {
        const bool applies = contains(m_applying, row);
        const bool isBelow = contains(m_folded, row);
        if (applies && isBelow) {
            names.append(labelOf(*row));
        }
        const bool isShown = applies && (m_isUnfolded || !isBelow);
        if (row->isHidden() == isShown) {
            row->setVisible(isShown);
        }
    }
    const QString text = m_isUnfolded ? tr("More") : tr("More (%1)").arg(names.size());
    const QString toolTip = names.join(QStringLiteral(", "));
    if (m_more->text() != text || m_more->toolTip() != toolTip) {
        m_more->setText(text);
        m_more->setToolTip(toolTip);
        m_more->setIcon(
            themedIcon(m_isUnfolded ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
                       IconColor::muted));
        m_more->setAccessibleName(
            tr("More of %1, %2").arg(m_name, m_isUnfolded ? tr("unfolded") : tr("folded")));
        m_more->setAccessibleDescription(toolTip);
    }
    if (m_more->isHidden() != names.isEmpty()) {
        m_more->setVisible(!names.isEmpty());
    }
}

}  // namespace phaseladder::ui
