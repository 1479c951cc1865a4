#pragma once

#include <QList>
#include <QPointer>
#include <QString>

#include <memory>
#include <optional>

#include "core/attention/captured.h"
#include "ui/document.h"
#include "ui/figure/color_lock.h"
#include "ui/figure/figure_pane.h"
#include "ui/figure/figure_style.h"
#include "ui/figure/pane_parts.h"
#include "ui/figure/panel_view.h"

class QAction;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace phaseladder::ui {

class PanelArea;

/// The name of a figure; its id where there is no such figure.
[[nodiscard]] QString figureLabel(const QString& id);

/// What a pane is made of, and how its plots, its messages and the document work together.
struct FigurePane::Parts {
    FigurePane* pane;
    QPointer<SceneDocument> document;
    QPointer<FigureLink> link;
    QString figureId;   // what is shown
    QString chosenId;   // what it stands in for, where that is another
    QString offeredId;  // what the empty state's button shows
    std::shared_ptr<const Figure> computed = std::make_shared<const Figure>();
    std::shared_ptr<const Figure> figure = computed;  // as it is drawn: in locked colours, if they are
    ColorLock lock;
    QString sequentialMap;
    QString error;
    QString progress;  // "counting distinct states: 42 %"
    Picture picture = Picture::exact;
    FigureRequest lastRequest;
    std::shared_ptr<const Scene> pinned;
    CompareMode compare = CompareMode::live;
    bool isFollowing = false;

    QToolButton* picker = nullptr;
    ChipRow* chips = nullptr;
    QToolButton* linkAxes = nullptr;
    QToolButton* enlarge = nullptr;
    QToolButton* more = nullptr;
    QMenu* menu = nullptr;
    QAction* lockColors = nullptr;
    BusyLine* busy = nullptr;
    ElidedLine* comparison = nullptr;
    ElidedLine* message = nullptr;
    PanelArea* plots = nullptr;
    QWidget* emptyState = nullptr;
    QLabel* empty = nullptr;
    QPushButton* offer = nullptr;
    ElidedLine* readout = nullptr;
    QLabel* hint = nullptr;  // what a click does, beside the readout
    QList<PanelView*> views;
    int choiceStep = -1;  // the undo step that the last click made; none: below 0

    void build();
    void buildEmptyState();
    void buildMenus();
    [[nodiscard]] QString standInNote() const;
    void showComputed();
    void makeViews();
    void deleteViews(qsizetype kept);
    void orderFocus();
    PanelView* makeView(qsizetype index);
    [[nodiscard]] PanelView* currentView() const;
    void rangeChanged(PanelView* source);
    void followX(const ShownX& shown, const QObject* source);
    [[nodiscard]] FigureRequest request() const;
    void announceRequest();
    [[nodiscard]] MapShape mapOfTokens() const;
    [[nodiscard]] std::optional<PlotRange> wholeRange(const Panel& panel) const;
    void showReadout(const QString& text);
    /// Without those about the scene, which stand at their controls and in the status line.
    [[nodiscard]] std::vector<std::string> ownSentences(const std::vector<std::string>& sentences) const;
    void showReadouts();
    void showMessage();
    void showHint();
    void choose(const QList<ParameterChoice>& choices);
    void takeChoiceBack();
    void moveGrip(const GripMove& move);
    [[nodiscard]] FigureStyle style() const;
    void styleViews();
};

}  // namespace phaseladder::ui
