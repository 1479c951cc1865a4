#include "ui/pane_grid.h"

#include <QApplication>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>

#include <utility>
#include <vector>

#include "core/figures/stand_in.h"
#include "ui/document.h"
#include "ui/figure/figure_pane.h"

namespace phaseladder::ui {
namespace {

constexpr int gap = 8;
constexpr int wholeShare = 10000;  // sizes given to a splitter count relative to each other

QSplitter* makeSplitter(Qt::Orientation orientation, const QString& name) {
    auto* splitter = new QSplitter(orientation);
    splitter->setObjectName(name);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(gap);
    return splitter;
}

}  // namespace

PaneGrid::PaneGrid(SceneDocument* document, FigureLink* link, QWidget* parent)
    : QWidget(parent), m_document(document) {
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
        connect(pane, &FigurePane::emptyShown, this, [this, pane] { offerFigure(pane); });
        m_panes.append(pane);
    }
    // Both rows keep the same column widths.
    for (int row = 0; row < 2; ++row) {
        connect(m_columns[row], &QSplitter::splitterMoved, this, [this, row] {
            readShares(m_columns[row]);
            m_columns[1 - row]->setSizes(m_columns[row]->sizes());
        });
    }
    connect(m_rows, &QSplitter::splitterMoved, this, [this] { readShares(m_rows); });
    connect(document, &SceneDocument::sceneChanged, this, &PaneGrid::followEncoding);
    connect(qApp, &QApplication::focusChanged, this,
            [this](QWidget*, QWidget* focused) { followFocus(focused); });

    buildTabs();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_tabs);
    layout->addWidget(m_rows, 1);
}

PaneGrid::~PaneGrid() {
    qApp->disconnect(this);  // the focus wanders while the panes go
}

void PaneGrid::buildTabs() {
    m_tabs = new QTabBar(this);
    m_tabs->setObjectName(QStringLiteral("pane_tabs"));
    m_tabs->setAccessibleName(tr("Figures"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->hide();
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        if (index >= 0) {
            showPane(index);
        }
    });
    for (FigurePane* pane : m_panes) {
        connect(pane, &FigurePane::figureIdChanged, this, &PaneGrid::showTabs);
    }
}

/// One tab a pane, named after its figure.
void PaneGrid::showTabs() {
    const QSignalBlocker blocker(m_tabs);
    const int count = m_tabbed ? m_paneCount : 0;
    while (m_tabs->count() > count) {
        m_tabs->removeTab(m_tabs->count() - 1);
    }
    for (int index = 0; index < count; ++index) {
        const FigureKind* kind = findFigure(m_panes[index]->figureId().toStdString());
        const QString name = QString::fromStdString(kind == nullptr ? std::string() : kind->label)
                                 .replace(QLatin1Char('&'), QStringLiteral("&&"));
        if (index < m_tabs->count()) {
            m_tabs->setTabText(index, name);
        } else {
            m_tabs->addTab(name);
        }
    }
    m_tabs->setCurrentIndex(m_current < count ? m_current : -1);
    m_tabs->setVisible(count > 0);
}

bool PaneGrid::needsTabs() const {
    const QSize least = m_panes.first()->minimumSize();
    const int rows = m_paneCount == maximumPanes ? 2 : 1;
    return m_paneCount > 1 &&
           (width() < 2 * least.width() + gap || height() < rows * least.height() + (rows - 1) * gap);
}

void PaneGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (needsTabs() != m_tabbed) {
        showPanes();
    }
}

void PaneGrid::setShares(const QPointF& shares) {
    m_shares = shares;
    applyShares();
}

/// Panes that were hidden have lost their part of the room, so sizes are set again whenever panes are shown.
void PaneGrid::applyShares() {
    const auto sizes = [](double share) {
        const int first = qRound(share * wholeShare);
        return QList<int>{first, wholeShare - first};
    };
    if (!showsOne()) {
        for (QSplitter* columns : m_columns) {
            columns->setSizes(sizes(m_shares.x()));
        }
        m_rows->setSizes(sizes(m_shares.y()));
    }
}

void PaneGrid::readShares(QSplitter* moved) {
    const QList<int> sizes = moved->sizes();
    if (sizes[0] > 0 && sizes[1] > 0) {
        double& share = moved == m_rows ? m_shares.ry() : m_shares.rx();
        share = double(sizes[0]) / (sizes[0] + sizes[1]);
    }
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
    m_tabbed = needsTabs();
    for (int index = 0; index < maximumPanes; ++index) {
        m_panes[index]->setVisible(showsOne() ? index == m_current : index < m_paneCount);
    }
    for (int row = 0; row < 2; ++row) {
        m_columns[row]->setVisible(!m_panes[2 * row]->isHidden() || !m_panes[2 * row + 1]->isHidden());
    }
    showTabs();
    applyShares();
    Q_EMIT shownPanesChanged();
}

bool PaneGrid::isShown(const FigurePane* pane) const {
    return !pane->isHidden();
}

void PaneGrid::focusPane(int index) {
    showPane(index);
    m_panes[index]->setFocus(Qt::ShortcutFocusReason);
}

void PaneGrid::showPane(int index) {
    if (index >= m_paneCount && m_paneCount > 1) {
        setPaneCount(maximumPanes);
    }
    setCurrent(index);
    if (m_panes[index]->isHidden()) {
        showPanes();
    }
}

void PaneGrid::resetViews() {
    const bool isLinked = currentPane()->areAxesLinked();
    for (FigurePane* pane : std::as_const(m_panes)) {
        if (pane == currentPane() || (isLinked && pane->areAxesLinked())) {
            pane->resetView();
        }
    }
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
        ids.append(pane->chosenFigureId());
    }
    return ids;
}

void PaneGrid::setFigureIds(const QStringList& ids) {
    for (qsizetype index = 0; index < m_panes.size() && index < ids.size(); ++index) {
        m_panes[index]->setFigureId(ids[index]);
    }
    fitFigures();
}

void PaneGrid::setComparison(const std::shared_ptr<const Scene>& pinned, CompareMode mode) {
    m_pinned = pinned;
    for (FigurePane* pane : std::as_const(m_panes)) {
        pane->setComparison(pinned, mode);
    }
}

void PaneGrid::followEncoding() {
    if (m_document->scene().encoding != m_encoding) {
        fitFigures();
    }
}

void PaneGrid::fitFigures() {
    m_encoding = m_document->scene().encoding;
    std::vector<std::string> chosen;
    for (const FigurePane* pane : std::as_const(m_panes)) {
        chosen.push_back(pane->chosenFigureId().toStdString());
    }
    const std::vector<std::string> shown = shownFigures(m_document->scene(), chosen, m_pinned.get());
    for (qsizetype index = 0; index < m_panes.size(); ++index) {
        m_panes[index]->showInPlace(QString::fromStdString(shown[static_cast<std::size_t>(index)]));
    }
}

/// Where tokens are missing, the next step is to type some.
void PaneGrid::offerFigure(FigurePane* pane) {
    std::vector<std::string> taken;
    for (const FigurePane* one : std::as_const(m_panes)) {
        taken.push_back(one->figureId().toStdString());
    }
    const Scene& scene = m_document->scene();
    pane->offerFigure(scene.tokens.empty() ? QString()
                                           : QString::fromStdString(standIn(scene, taken, m_pinned.get())));
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
