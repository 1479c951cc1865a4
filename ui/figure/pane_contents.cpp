#include "ui/figure/pane_contents.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "ui/figure/curve_samples.h"
#include "ui/figure/legend_list.h"
#include "ui/figure/moved_parameter.h"
#include "ui/figure/panel_area.h"
#include "ui/theme.h"

namespace phaseladder::ui {
namespace {

constexpr double previewOpacity = 0.5;
constexpr int leastPixels = 16;  // resolution that is asked for

/// For a screen reader: what the panel shows and the figure's readouts.
QString panelSummary(const Figure& figure, const Panel& panel) {
    QStringList parts;
    const QString title = QString::fromStdString(figure.title);
    parts.append(panel.axesShown ? FigurePane::tr("%1: %2 against %3")
                                       .arg(title, QString::fromStdString(panel.y.title),
                                            QString::fromStdString(panel.x.title))
                                 : title);
    for (const Readout& readout : figure.readouts) {
        if (!readout.chip.empty()) {
            parts.append(QString::fromStdString(readout.chip));
        }
    }
    return parts.join(QStringLiteral(". "));
}

/// The cells of a map that are in view: from the first to past the last whole number of an axis, inside 0 to
/// `count`.
std::pair<std::int64_t, std::int64_t> shownCells(double minimum, double maximum, std::int64_t count) {
    const auto begin = static_cast<std::int64_t>(std::floor(minimum + 0.5));
    const auto end = static_cast<std::int64_t>(std::ceil(maximum + 0.5));
    return {std::clamp<std::int64_t>(begin, 0, count), std::clamp<std::int64_t>(end, 0, count)};
}

bool isTokenMap(const Panel& panel) {
    return panel.x.meaning == AxisMeaning::keyToken && panel.y.meaning == AxisMeaning::queryToken;
}

}  // namespace

QString figureLabel(const QString& id) {
    const FigureKind* kind = findFigure(id.toStdString());
    return kind == nullptr ? id : QString::fromStdString(kind->label);
}

void FigurePane::Parts::build() {
    picker = new QToolButton(pane);
    picker->setObjectName(QStringLiteral("figure_picker"));
    picker->setProperty("figureTitle", true);
    picker->setProperty("plain", true);
    picker->setPopupMode(QToolButton::InstantPopup);
    picker->setToolTip(tr("Choose what this pane shows"));
    chips = new ChipRow(pane);
    chips->setObjectName(QStringLiteral("figure_chips"));
    linkAxes = new QToolButton(pane);
    linkAxes->setObjectName(QStringLiteral("figure_link"));
    linkAxes->setToolTip(tr("Zoom and move x together with every linked plot whose x means the same"));
    linkAxes->setAccessibleName(tr("Link axes"));
    linkAxes->setStyleSheet(QStringLiteral("QToolButton { padding: 0px; }"));
    linkAxes->setFixedSize(26, 18);
    linkAxes->setCheckable(true);
    linkAxes->setChecked(true);
    enlarge = new QToolButton(pane);
    enlarge->setObjectName(QStringLiteral("figure_enlarge"));
    enlarge->setToolTip(tr("Enlarge this pane, or go back"));
    enlarge->setAccessibleName(tr("Enlarge"));
    more = new QToolButton(pane);
    more->setObjectName(QStringLiteral("figure_more"));
    more->setProperty("plain", true);
    more->setPopupMode(QToolButton::InstantPopup);
    more->setToolTip(tr("Copy, export and zoom"));
    more->setAccessibleName(tr("Figure menu"));
    more->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));

    auto* header = new QHBoxLayout;
    header->setSpacing(4);
    header->addWidget(picker);
    header->addSpacing(4);
    header->addWidget(chips, 1);
    header->addWidget(enlarge);
    header->addWidget(more);

    comparison = new ElidedLine(11, 16, pane);
    comparison->setObjectName(QStringLiteral("figure_comparison"));
    comparison->hide();
    message = new ElidedLine(12, 22, pane);
    message->setObjectName(QStringLiteral("figure_message"));
    message->hide();
    buildEmptyState();
    readout = new ElidedLine(12, 18, pane);
    readout->setObjectName(QStringLiteral("figure_readout"));
    busy = new BusyLine(pane);
    busy->setObjectName(QStringLiteral("figure_busy"));
    plots = new PanelArea(pane);
    plots->setObjectName(QStringLiteral("figure_plots"));
    connect(plots, &PanelArea::enlargeRequested, pane, &FigurePane::enlargeRequested);

    auto* column = new QVBoxLayout(pane);
    column->setContentsMargins(10, 4, 8, 3);
    column->setSpacing(4);
    column->addLayout(header);
    column->addWidget(comparison);
    column->addWidget(message);
    column->addWidget(plots, 1);
    column->addWidget(emptyState, 1);
    hint = new QLabel(pane);
    hint->setObjectName(QStringLiteral("figure_hint"));
    hint->setForegroundRole(QPalette::PlaceholderText);
    hint->setAttribute(Qt::WA_TransparentForMouseEvents);
    QFont small = hint->font();
    small.setPixelSize(11);
    hint->setFont(small);
    hint->hide();
    auto* footer = new QHBoxLayout;
    footer->setSpacing(4);
    footer->addWidget(readout, 1);
    footer->addWidget(hint);
    footer->addWidget(linkAxes);
    column->addLayout(footer);
}

void FigurePane::Parts::buildMenus() {
    auto* figures = new QMenu(picker);
    figures->setToolTipsVisible(true);
    for (const FigureKind& kind : figureKinds()) {
        const QString id = QString::fromStdString(kind.id);
        QAction* action = figures->addAction(QString::fromStdString(kind.label));
        action->setObjectName(QStringLiteral("figure_") + id);
        action->setToolTip(QString::fromStdString(kind.help));
        connect(action, &QAction::triggered, pane, [this, id] { pane->setFigureId(id); });
    }
    picker->setMenu(figures);

    menu = new QMenu(more);
    menu->addAction(tr("Copy figure"), pane, &FigurePane::copyFigureRequested)
        ->setObjectName(QStringLiteral("copy_figure"));
    menu->addAction(tr("Copy values"), pane, &FigurePane::copyValuesRequested)
        ->setObjectName(QStringLiteral("copy_values"));
    menu->addAction(tr("Export…"), pane, &FigurePane::exportRequested)
        ->setObjectName(QStringLiteral("export_figure"));
    menu->addSeparator();
    menu->addAction(tr("Zoom in"), pane, &FigurePane::zoomIn)->setObjectName(QStringLiteral("zoom_in"));
    menu->addAction(tr("Zoom out"), pane, &FigurePane::zoomOut)->setObjectName(QStringLiteral("zoom_out"));
    menu->addAction(tr("Reset view"), pane, &FigurePane::resetView)
        ->setObjectName(QStringLiteral("reset_view"));
    menu->addAction(tr("View back"), pane, &FigurePane::viewBack)->setObjectName(QStringLiteral("view_back"));
    menu->addAction(tr("View forward"), pane, &FigurePane::viewForward)
        ->setObjectName(QStringLiteral("view_forward"));
    menu->addSeparator();
    lockColors = menu->addAction(tr("Lock colour range"));
    lockColors->setObjectName(QStringLiteral("lock_colors"));
    lockColors->setCheckable(true);
    connect(menu, &QMenu::aboutToShow, pane,
            [this] { lockColors->setVisible(!ColorLock::of(*figure).isEmpty()); });
    connect(lockColors, &QAction::toggled, pane, [this](bool locked) {
        lock = locked ? ColorLock::of(*figure) : ColorLock();
        showComputed();
    });
    more->setMenu(menu);
    connect(enlarge, &QToolButton::clicked, pane, &FigurePane::enlargeRequested);
    connect(linkAxes, &QToolButton::toggled, pane, [this] {
        pane->refreshStyle();  // the chain is closed or broken
        Q_EMIT pane->axesLinkedChanged();
    });
    if (link) {
        connect(link, &FigureLink::xShown, pane,
                [this](const ShownX& shown, const QObject* source) { followX(shown, source); });
    }
}

FigureStyle FigurePane::Parts::style() const {
    FigureStyle style = figureStyle(currentTheme() == ThemeKind::dark ? StyleKind::dark : StyleKind::light);
    if (!sequentialMap.isEmpty()) {
        style.sequentialMap = sequentialMap;
    }
    style.dataOpacity = picture == Picture::preview ? previewOpacity : 1.0;
    return style;
}

void FigurePane::Parts::styleViews() {
    const FigureStyle now = style();
    for (PanelView* view : std::as_const(views)) {
        view->setFigureStyle(now);
    }
}

PanelView* FigurePane::Parts::makeView(qsizetype index) {
    auto* view = new PanelView(link, plots);
    view->setObjectName(QStringLiteral("plot_%1").arg(index));
    view->setFigureStyle(style());
    connect(view, &PanelView::shownRangeChanged, pane, [this, view] { rangeChanged(view); });
    connect(view, &PanelView::plotResized, pane, [this] {
        plots->alignPlots();
        announceRequest();
    });
    connect(view, &PanelView::readoutChanged, pane, [this](const QString& text) { showReadout(text); });
    connect(view, &PanelView::placeChosen, pane,
            [this](const QList<ParameterChoice>& choices) { choose(choices); });
    connect(view, &PanelView::choiceTakenBack, pane, [this] { takeChoiceBack(); });
    connect(view, &PanelView::gripMoveStarted, pane, [this] {
        if (document) {
            document->beginGesture();
        }
    });
    connect(view, &PanelView::gripMoved, pane, [this](const GripMove& move) { moveGrip(move); });
    connect(view, &PanelView::gripMoveFinished, pane, [this] {
        if (document) {
            document->endGesture();
        }
    });
    return view;
}

void FigurePane::Parts::showComputed() {
    figure = computed;
    if (!lock.isEmpty()) {
        Figure locked = *computed;
        lock.add(locked);
        lock.apply(locked);
        figure = std::make_shared<const Figure>(std::move(locked));
    }
    showReadouts();
    makeViews();
    empty->setText(QString::fromStdString(figure->emptyState));
    emptyState->setVisible(figure->panels.empty());
    if (figure->panels.empty()) {
        Q_EMIT pane->emptyShown();
    }
    showMessage();
    showReadout(pane->readoutText());
}

void FigurePane::Parts::deleteViews(qsizetype kept) {
    if (views.size() > kept) {
        plots->setViews(nullptr, {});  // it holds them too
    }
    while (views.size() > kept) {
        views.last()->letGripGo();
        delete views.takeLast();
    }
}

void FigurePane::Parts::makeViews() {
    const auto count = static_cast<qsizetype>(figure->panels.size());
    const bool areOthers = views.size() != count;
    deleteViews(count);
    while (views.size() < count) {
        PanelView* view = makeView(views.size());
        views.append(view);
    }
    for (qsizetype i = 0; i < count; ++i) {
        const Panel& panel = figure->panels[static_cast<std::size_t>(i)];
        // Shares the figure's memory: a map of 1024 × 1024 is not copied.
        views[i]->setPanel(std::shared_ptr<const Panel>(figure, &panel), panelSummary(*figure, panel),
                           wholeRange(panel));
        views[i]->setAccessibleName(panel.title.empty() ? QString::fromStdString(figure->title)
                                                        : QString::fromStdString(panel.title));
    }
    if (areOthers) {
        orderFocus();
    }
    plots->setViews(figure, views);
    plots->setVisible(count > 0);
}

/// Tab goes from the title over the buttons into each plot and its legend.
void FigurePane::Parts::orderFocus() {
    QWidget::setTabOrder(more, offer);
    QWidget* before = offer;
    for (PanelView* view : std::as_const(views)) {
        QWidget::setTabOrder(before, view);
        QWidget::setTabOrder(view, view->legendList());
        before = view->legendList();
    }
    QWidget::setTabOrder(before, linkAxes);
    pane->setFocusProxy(views.isEmpty() ? static_cast<QWidget*>(picker) : views.first());
}

/// Rows and columns of the map of the shown scene; none without one. The engine looks at the files.
MapShape FigurePane::Parts::mapOfTokens() const {
    if (!document) {
        return {};
    }
    return mapShape(compare == CompareMode::pinned && pinned ? *pinned : document->scene(),
                    FileLook::remembered)
        .value_or(MapShape{});
}

/// A map of a text that is pooled on screen is asked for window by window; zooming out still reaches the
/// whole text.
std::optional<PlotRange> FigurePane::Parts::wholeRange(const Panel& panel) const {
    const MapShape map = mapOfTokens();
    const double right = static_cast<double>(map.keys) - 0.5;
    const double bottom = static_cast<double>(map.queries) - 0.5;
    const bool isPart = panel.x.minimum > -0.5 || panel.y.minimum > -0.5 || panel.x.maximum < right ||
                        panel.y.maximum < bottom;
    if (!isTokenMap(panel) || !isPart || !lastRequest.window.has_value()) {
        return std::nullopt;
    }
    return PlotRange{-0.5, right, -0.5, bottom};
}

PanelView* FigurePane::Parts::currentView() const {
    for (PanelView* view : views) {
        if (view->hasFocus() || view->legendList()->hasFocus()) {
            return view;
        }
    }
    for (PanelView* view : views) {
        if (view->underMouse()) {
            return view;
        }
    }
    return views.isEmpty() ? nullptr : views.first();
}

void FigurePane::Parts::rangeChanged(PanelView* source) {
    if (isFollowing) {
        return;
    }
    if (link && linkAxes->isChecked()) {
        link->showX(source->shownX(), source);
    }
    plots->alignPlots();
    announceRequest();
    Q_EMIT pane->zoomChanged();
}

void FigurePane::Parts::followX(const ShownX& shown, const QObject* source) {
    if (!linkAxes->isChecked()) {
        return;
    }
    isFollowing = true;
    for (PanelView* view : std::as_const(views)) {
        if (view != source) {
            view->followX(shown);
        }
    }
    isFollowing = false;
    plots->alignPlots();
    announceRequest();
    Q_EMIT pane->zoomChanged();
}

FigureRequest FigurePane::Parts::request() const {
    FigureRequest request;
    request.id = figureId.toStdString();
    request.pinned = pinned;
    request.compare = compare;
    QSizeF plot(pane->width() - 120.0, pane->height() - 110.0);
    QList<const PanelView*> shown;
    std::ranges::copy_if(views, std::back_inserter(shown),
                         [](const PanelView* view) { return !view->isHidden(); });
    for (const PanelView* view : shown) {
        const bool isFirst = view == shown.first();
        const Heatmap* map = mapOf(view->panel());
        // A stack of maps takes the shape that it is asked for: that of the room.
        const QSizeF own = map != nullptr && map->tiles ? view->plotRoom() : view->plotRect().size();
        plot = isFirst ? own : plot.expandedTo(own);
    }
    const double ratio = pane->devicePixelRatioF();
    request.pixelColumns =
        std::clamp(static_cast<int>(std::lround(plot.width() * ratio)), leastPixels, mostFigurePixels);
    request.pixelRows =
        std::clamp(static_cast<int>(std::lround(plot.height() * ratio)), leastPixels, mostFigurePixels);
    const MapShape map = mapOfTokens();
    const bool isPooled = std::max(map.queries, map.keys) > std::min(request.pixelColumns, request.pixelRows);
    for (const PanelView* view : shown) {
        if (isPooled && isTokenMap(view->panel()) && view->isZoomed()) {
            const PlotRange& range = view->shownRange();
            const auto [rowBegin, rowEnd] = shownCells(range.yMinimum, range.yMaximum, map.queries);
            const auto [columnBegin, columnEnd] = shownCells(range.xMinimum, range.xMaximum, map.keys);
            if (rowBegin < rowEnd && columnBegin < columnEnd) {
                request.window = CellWindow{rowBegin, rowEnd, columnBegin, columnEnd};
            }
        }
    }
    return request;
}

void FigurePane::Parts::announceRequest() {
    const FigureRequest now = request();
    if (now != lastRequest) {
        lastRequest = now;
        Q_EMIT pane->requestChanged();
    }
}

/// One step for all that a click sets.
void FigurePane::Parts::choose(const QList<ParameterChoice>& choices) {
    if (document) {
        std::vector<std::pair<QString, ParameterValue>> values;
        for (const ParameterChoice& choice : choices) {
            values.emplace_back(choice.parameterId, choice.value);
        }
        const int stepsBefore = document->undoStack()->index();
        error = document->setParameters(values);
        const int steps = document->undoStack()->index();
        choiceStep = steps > stepsBefore ? steps : -1;
        showMessage();
    }
}

void FigurePane::Parts::takeChoiceBack() {
    if (document && document->undoStack()->index() == std::exchange(choiceStep, -1)) {
        document->undoStack()->undo();
    }
}

void FigurePane::Parts::moveGrip(const GripMove& move) {
    const std::optional<WantedValue> wanted =
        document ? movedParameter(document->scene(), move) : std::nullopt;
    if (wanted.has_value()) {
        error = document->setParameter(wanted->id, wanted->value);
        showMessage();
    }
}

}  // namespace phaseladder::ui
