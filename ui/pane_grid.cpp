#include "ui/pane_grid.h"

#include <QApplication>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/figure/figure_pane.h"

namespace phaseladder::ui {
namespace {

constexpr int gap = 8;

QSplitter* makeSplitter(Qt::Orientation orientation, const QString& name) {
    auto* splitter = new QSplitter(orientation);
    splitter->setObjectName(name);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(gap);
    return splitter;
}

}  // namespace

PaneGrid::PaneGrid(SceneDocument* document, FigureLink* link, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("pane_grid"));
    m_rows = makeSplitter(Qt::Vertical, QStringLiteral("pane_rows"));
    for (int row = 0; row < 2; ++row) {
        auto* columns = makeSplitter(Qt::Horizontal, QStringLiteral("pane_columns_%1").arg(row));
        m_rows->addWidget(columns);
        m_columns.append(columns);
    }
    for (int index = 0; index < maximumPanes; ++index) {
        auto* pane = new FigurePane(document, link);
        pane->setObjectName(QStringLiteral("pane_%1").arg(index));
        m_columns[index / 2]->addWidget(pane);
        m_columns[index / 2]->setStretchFactor(index % 2, 1);
        connect(pane, &FigurePane::enlargeRequested, this, [this, pane] { toggleEnlarged(pane); });
        m_panes.append(pane);
    }
    // Both rows keep the same column widths.
    for (int row = 0; row < 2; ++row) {
        connect(m_columns[row], &QSplitter::splitterMoved, this,
                [this, row] { m_columns[1 - row]->setSizes(m_columns[row]->sizes()); });
    }
    connect(qApp, &QApplication::focusChanged, this,
            [this](QWidget*, QWidget* focused) { followFocus(focused); });

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_rows);
}

PaneGrid::~PaneGrid() {
    qApp->disconnect(this);  // the focus wanders while the panes go
}

void PaneGrid::setPaneCount(int count) {
    if (count == m_paneCount) {
        return;
    }
    m_paneCount = count;
    if (count == 2 && m_current > 1) {
        setCurrent(0);
    }
    showPanes();
    Q_EMIT paneCountChanged(count);
}

void PaneGrid::showPanes() {
    for (int index = 0; index < maximumPanes; ++index) {
        m_panes[index]->setVisible(m_paneCount == 1 ? index == m_current : index < m_paneCount);
    }
    for (int row = 0; row < 2; ++row) {
        m_columns[row]->setVisible(!m_panes[2 * row]->isHidden() || !m_panes[2 * row + 1]->isHidden());
    }
    Q_EMIT shownPanesChanged();
}

bool PaneGrid::isShown(const FigurePane* pane) const {
    return !pane->isHidden();
}

void PaneGrid::focusPane(int index) {
    if (m_panes[index]->isHidden()) {
        if (m_paneCount == 1) {
            setCurrent(index);
            showPanes();
        } else {
            setPaneCount(maximumPanes);
        }
    }
    m_panes[index]->setFocus(Qt::ShortcutFocusReason);
    setCurrent(index);
}

void PaneGrid::toggleEnlarged(FigurePane* pane) {
    setCurrent(static_cast<int>(m_panes.indexOf(pane)));
    if (m_paneCount == 1) {
        setPaneCount(m_countBeforeEnlarging);
    } else {
        m_countBeforeEnlarging = m_paneCount;
        setPaneCount(1);
    }
}

QStringList PaneGrid::figureIds() const {
    QStringList ids;
    for (const FigurePane* pane : m_panes) {
        ids.append(pane->figureId());
    }
    return ids;
}

void PaneGrid::setFigureIds(const QStringList& ids) {
    for (qsizetype index = 0; index < m_panes.size() && index < ids.size(); ++index) {
        m_panes[index]->setFigureId(ids[index]);
    }
}

void PaneGrid::setCurrent(int index) {
    if (index != m_current) {
        m_current = index;
        Q_EMIT currentChanged();
    }
}

void PaneGrid::followFocus(const QWidget* focused) {
    for (int index = 0; focused != nullptr && index < maximumPanes; ++index) {
        if (m_panes[index] == focused || m_panes[index]->isAncestorOf(focused)) {
            setCurrent(index);
        }
    }
}

}  // namespace phaseladder::ui
