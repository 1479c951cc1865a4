#include "ui/figure/figure_pane.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <utility>

#include "ui/figure/pane_contents.h"
#include "ui/theme.h"

namespace phaseladder::ui {
namespace {

constexpr double zoomStep = 1.5;

void setIcon(QToolButton* button, const QString& name, int side = 18) {
    button->setIcon(themedIcon(name));
    button->setIconSize(QSize(side, side));
}

}  // namespace

FigurePane::FigurePane(SceneDocument* document, FigureLink* link, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>()) {
    m_parts->pane = this;
    m_parts->document = document;
    m_parts->link = link;
    m_parts->build();
    m_parts->buildMenus();
    setMinimumSize(260, 180);
    refreshStyle();
}

FigurePane::~FigurePane() = default;

QString FigurePane::figureId() const {
    return m_parts->figureId;
}

QString FigurePane::chosenFigureId() const {
    return m_parts->chosenId;
}

void FigurePane::setFigureId(const QString& id) {
    m_parts->chosenId = id;
    showInPlace(id);
}

void FigurePane::showInPlace(const QString& id) {
    if (std::exchange(m_parts->figureId, id) != id) {
        const FigureKind* kind = findFigure(id.toStdString());
        m_parts->picker->setText(figureLabel(id));
        m_parts->picker->setAccessibleName(tr("Figure: %1").arg(m_parts->picker->text()));
        setWhatsThis(kind == nullptr ? QString() : QString::fromStdString(kind->help));
        Q_EMIT figureIdChanged(id);
    }
    m_parts->showReadout(readoutText());
}

void FigurePane::offerFigure(const QString& id) {
    m_parts->offeredId = id;
    m_parts->offer->setText(tr("Show %1").arg(figureLabel(id)));
    m_parts->offer->setAccessibleName(m_parts->offer->text());
    m_parts->offer->setVisible(!id.isEmpty());
}

void FigurePane::setComparison(std::shared_ptr<const Scene> pinned, CompareMode mode) {
    m_parts->pinned = std::move(pinned);
    m_parts->compare = mode;
    m_parts->announceRequest();
}

FigureRequest FigurePane::request() const {
    m_parts->lastRequest = m_parts->request();
    return m_parts->lastRequest;
}

void FigurePane::showFigure(std::shared_ptr<const Figure> figure, Picture picture) {
    if (figure->id != m_parts->figureId.toStdString()) {
        return;  // the picker has moved on
    }
    if (m_parts->figure->id != figure->id) {
        m_parts->lockColors->setChecked(false);
        m_parts->deleteViews(0);
    }
    m_parts->computed = std::move(figure);
    if (std::exchange(m_parts->picture, picture) != picture) {
        m_parts->styleViews();
    }
    m_parts->error.clear();
    m_parts->showComputed();
    Q_EMIT zoomChanged();
}

void FigurePane::showError(const QString& sentence) {
    m_parts->error = sentence;
    m_parts->picture = Picture::preview;  // what still stands there is of another setting
    m_parts->styleViews();
    m_parts->showMessage();
}

void FigurePane::setBusy(bool busy) {
    m_parts->busy->setBusy(busy);
    if (!busy && !m_parts->progress.isEmpty()) {
        m_parts->progress.clear();
        m_parts->showReadout(readoutText());
    }
}

void FigurePane::setProgress(double share, const QString& what) {
    m_parts->busy->setShare(share);
    m_parts->progress =
        tr("%1: %2 %", "an activity and its share").arg(what).arg(static_cast<int>(share * 100.0));
    if (readoutText().isEmpty()) {
        m_parts->showReadout({});
    }
}

void FigurePane::setSequentialMap(const QString& name) {
    m_parts->sequentialMap = name;
    refreshStyle();
}

void FigurePane::refreshStyle() {
    m_parts->styleViews();
    setIcon(m_parts->linkAxes, areAxesLinked() ? QStringLiteral("link") : QStringLiteral("unlink"), 16);
    setIcon(m_parts->enlarge, QStringLiteral("enlarge"));
    setIcon(m_parts->more, QStringLiteral("more"));
    m_parts->showReadouts();
    m_parts->showMessage();
    m_parts->showReadout(readoutText());
    update();
}

const Figure& FigurePane::figure() const {
    return *m_parts->figure;
}

double FigurePane::zoomFactor() const {
    double factor = 1.0;
    for (const PanelView* view : std::as_const(m_parts->views)) {
        factor = std::max(factor, view->zoomFactor());
    }
    return factor;
}

QString FigurePane::whyNotOfScene() const {
    return m_parts->picture == Picture::exact ? QString()
           : m_parts->error.isEmpty()         ? tr("A token is held: put it down first.")
                                              : m_parts->error;
}

const Figure& FigurePane::computedFigure() const {
    return *m_parts->computed;
}

Figure FigurePane::shownFigure() const {
    Figure shown = *m_parts->figure;
    for (std::size_t index = 0; index < shown.panels.size(); ++index) {
        const PanelView* view = m_parts->views[static_cast<qsizetype>(index)];
        if (view->isZoomed()) {
            const PlotRange& range = view->shownRange();
            Panel& panel = shown.panels[index];
            panel.x.minimum = range.xMinimum;
            panel.x.maximum = range.xMaximum;
            panel.y.minimum = range.yMinimum;
            panel.y.maximum = range.yMaximum;
        }
    }
    return shown;
}

void FigurePane::resetView() {
    for (PanelView* view : std::as_const(m_parts->views)) {
        view->resetView();
    }
}

void FigurePane::zoomIn() {
    if (PanelView* view = m_parts->currentView()) {
        view->zoomBy(zoomStep);
    }
}

void FigurePane::zoomOut() {
    if (PanelView* view = m_parts->currentView()) {
        view->zoomBy(1.0 / zoomStep);
    }
}

void FigurePane::viewBack() {
    if (PanelView* view = m_parts->currentView()) {
        view->viewBack();
    }
}

void FigurePane::viewForward() {
    if (PanelView* view = m_parts->currentView()) {
        view->viewForward();
    }
}

bool FigurePane::areAxesLinked() const {
    return m_parts->linkAxes->isChecked();
}

void FigurePane::setAxesLinked(bool linked) {
    m_parts->linkAxes->setChecked(linked);
}

QString FigurePane::readoutText() const {
    for (const PanelView* view : m_parts->views) {
        if (!view->readoutText().isEmpty()) {
            return view->readoutText();
        }
    }
    return {};
}

void FigurePane::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = themeColors(currentTheme());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.border, 1.0));
    painter.setBrush(colors.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8.0, 8.0);
}

void FigurePane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_parts->busy->setGeometry(10, 38, width() - 20, 2);
}

void FigurePane::contextMenuEvent(QContextMenuEvent* event) {
    m_parts->menu->popup(event->globalPos());
}

}  // namespace phaseladder::ui
