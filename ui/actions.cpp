#include "ui/actions.h"

#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QUndoStack>
#include <QWhatsThis>

#include <tuple>
#include <utility>

#include "core/encodings/encoding.h"
#include "core/figures/figure_list.h"
#include "core/ladder/scaling.h"
#include "ui/comparison.h"
#include "ui/controls/parameter_panel.h"
#include "ui/controls/token_strip.h"
#include "ui/document.h"
#include "ui/figure/figure_pane.h"
#include "ui/figure/figure_style.h"
#include "ui/figure_output.h"
#include "ui/file_commands.h"
#include "ui/main_window.h"
#include "ui/pane_grid.h"
#include "ui/window_layout.h"

namespace phaseladder::ui {
namespace {

constexpr const char* groupProperty = "commandGroup";
constexpr const char* nameProperty = "commandName";  // of a command whose text says more

QString label(const std::string& text) {
    return QString::fromStdString(text).replace(QLatin1Char('&'), QStringLiteral("&&"));
}

QString withoutMnemonic(QString text) {
    return text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

}  // namespace

QString commandName(const QAction& action) {
    const QVariant name = action.property(nameProperty);
    return name.isValid() ? name.toString() : withoutMnemonic(action.text());
}

QString commandGroup(const QAction& action) {
    return action.property(groupProperty).toString();
}

Actions::Actions(MainWindow& window) : QObject(&window), m_window(window), m_menuBar(window.menuBar()) {
    addFileMenu();
    addEditMenu();
    addViewMenu();
    addEncodingMenu();
    addTokensMenu();
    addCompareMenu();
    addWindowMenu();
    addHelpMenu();
    connect(window.document(), &SceneDocument::sceneChanged, this, &Actions::refreshTicks);
    connect(window.panes(), &PaneGrid::shownPanesChanged, this, &Actions::refreshTicks);
    connect(window.panes(), &PaneGrid::currentChanged, this, &Actions::refreshTicks);
    for (FigurePane* pane : window.panes()->panes()) {
        connect(pane, &FigurePane::figureIdChanged, this, &Actions::refreshTicks);
        connect(pane, &FigurePane::axesLinkedChanged, this, &Actions::refreshTicks);
    }
    connect(&window, &MainWindow::appearanceChanged, this, &Actions::refreshTicks);
    connect(window.comparison(), &Comparison::changed, this, &Actions::refreshTicks);
    refreshTicks();
}

QAction* Actions::find(const QString& id) const {
    for (QAction* action : m_all) {
        if (action->objectName() == id) {
            return action;
        }
    }
    return nullptr;
}

QMenu* Actions::addMenu(const QString& id, const QString& text) {
    QMenu* menu = m_menuBar->addMenu(text);
    menu->setObjectName(id);
    menu->setProperty(groupProperty, withoutMnemonic(text));
    return menu;
}

QMenu* Actions::addSubmenu(QMenu* menu, const QString& id, const QString& text) {
    QMenu* submenu = menu->addMenu(text);
    submenu->setObjectName(id);
    submenu->setProperty(groupProperty, withoutMnemonic(text));
    return submenu;
}

QAction* Actions::add(QMenu* menu, const QString& id, const QString& text, const QKeySequence& keys,
                      const QString& icon, std::function<void()> run) {
    QAction* action = menu->addAction(text);
    action->setObjectName(id);
    action->setProperty(groupProperty, menu->property(groupProperty));
    action->setShortcut(keys);
    if (!icon.isEmpty()) {
        action->setIcon(themedIcon(icon));
    }
    connect(action, &QAction::triggered, &m_window, [run = std::move(run)] { run(); });
    m_all.append(action);
    return action;
}

QAction* Actions::addCheckable(QMenu* menu, const QString& id, const QString& text,
                               std::function<bool()> isOn, std::function<void()> run) {
    QAction* action = add(menu, id, text, {}, {}, std::move(run));
    action->setCheckable(true);
    // A click toggles the tick by itself; what the scene says counts.
    connect(action, &QAction::triggered, this, &Actions::refreshTicks);
    m_ticks.push_back({action, std::move(isOn)});
    return action;
}

void Actions::refreshTicks() {
    for (const Tick& tick : m_ticks) {
        tick.action->setChecked(tick.isOn());
    }
}

void Actions::addFileMenu() {
    MainWindow* window = &m_window;
    QMenu* menu = addMenu(QStringLiteral("menu_file"), tr("&File"));
    add(menu, QStringLiteral("action_new"), tr("&New"), QKeySequence::New, QStringLiteral("new"),
        [window] { window->files()->startNew(); });
    add(menu, QStringLiteral("action_open"), tr("&Open…"), QKeySequence::Open, QStringLiteral("open"),
        [window] { window->files()->chooseFile(); });
    QMenu* recent = addSubmenu(menu, QStringLiteral("menu_recent"), tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
    menu->addSeparator();
    add(menu, QStringLiteral("action_save"), tr("&Save"), QKeySequence::Save, QStringLiteral("save"),
        [window] { window->files()->save(); });
    add(menu, QStringLiteral("action_save_as"), tr("Save &as…"), QKeySequence(QStringLiteral("Ctrl+Shift+S")),
        {}, [window] { window->files()->saveAs(); });
    menu->addSeparator();
    add(menu, QStringLiteral("action_model"), tr("Choose &model…"), QKeySequence(QStringLiteral("Ctrl+M")),
        QStringLiteral("model"), [window] { window->showModelPicker(); });
    add(menu, QStringLiteral("action_import"), tr("&Import config…"), QKeySequence(QStringLiteral("Ctrl+I")),
        QStringLiteral("import"), [window] { window->files()->chooseConfig(); });
    add(menu, QStringLiteral("action_open_heads"), tr("Open &Q and K…"), {}, {},
        [window] { window->files()->chooseCapture(); });
    menu->addSeparator();
    add(menu, QStringLiteral("action_export"), tr("&Export figure…"), QKeySequence(QStringLiteral("Ctrl+E")),
        QStringLiteral("export"),
        [window] { window->figureOutput()->exportFigure(window->panes()->currentPane(), {}); });
    add(menu, QStringLiteral("action_export_data"), tr("Export &data…"),
        QKeySequence(QStringLiteral("Ctrl+Shift+E")), {}, [window] {
            window->figureOutput()->exportFigure(window->panes()->currentPane(), QStringLiteral("csv"));
        });
    menu->addSeparator();
    add(menu, QStringLiteral("action_quit"), tr("&Quit"), QKeySequence(QStringLiteral("Ctrl+Q")), {},
        [window] { window->close(); });
}

void Actions::fillRecentMenu(QMenu* menu) {
    menu->clear();
    const QStringList files = m_window.recentFiles();
    for (const QString& file : files) {
        QAction* action = menu->addAction(QFileInfo(file).fileName());
        action->setToolTip(file);
        connect(action, &QAction::triggered, &m_window, [this, file] { m_window.openFile(file); });
    }
    if (files.isEmpty()) {
        menu->addAction(tr("No files yet"))->setEnabled(false);
    }
    menu->setToolTipsVisible(true);
}

void Actions::addEditMenu() {
    MainWindow* window = &m_window;
    SceneDocument* document = window->document();
    QMenu* menu = addMenu(QStringLiteral("menu_edit"), tr("&Edit"));
    const auto addUndo = [&](QAction* action, const QString& id, const QString& keys, const QString& icon) {
        action->setObjectName(id);
        action->setProperty(groupProperty, menu->property(groupProperty));
        action->setProperty(nameProperty, action->text());  // before the stack adds what it would undo
        action->setShortcut(QKeySequence(keys));
        action->setIcon(themedIcon(icon));
        menu->addAction(action);
        m_all.append(action);
    };
    addUndo(document->undoStack()->createUndoAction(this, tr("Undo")), QStringLiteral("action_undo"),
            QStringLiteral("Ctrl+Z"), QStringLiteral("undo"));
    addUndo(document->undoStack()->createRedoAction(this, tr("Redo")), QStringLiteral("action_redo"),
            QStringLiteral("Ctrl+Shift+Z"), QStringLiteral("redo"));
    menu->addSeparator();
    add(menu, QStringLiteral("action_copy_values"), tr("&Copy values"),
        QKeySequence(QStringLiteral("Ctrl+C")), QStringLiteral("copy"),
        [window] { window->figureOutput()->copyValues(window->panes()->currentPane()); });
    add(menu, QStringLiteral("action_copy_figure"), tr("Copy &figure"),
        QKeySequence(QStringLiteral("Ctrl+Shift+C")), {},
        [window] { window->figureOutput()->copyFigure(window->panes()->currentPane()); });
    menu->addSeparator();
    add(menu, QStringLiteral("action_reset_parameter"), tr("&Reset parameter"),
        QKeySequence(QStringLiteral("Ctrl+R")), QStringLiteral("reset"), [window] {
            window->say(window->document()->resetParameter(window->parameterPanel()->currentParameter()));
        });
    add(menu, QStringLiteral("action_reset_all"), tr("Reset &all"), QKeySequence(QStringLiteral("Alt+R")), {},
        [window] { window->resetAll(); });
    menu->addSeparator();
    add(menu, QStringLiteral("action_palette"), tr("Find co&mmand…"),
        QKeySequence(QStringLiteral("Ctrl+Shift+P")), QStringLiteral("search"),
        [window] { window->showPalette(); });
    add(menu, QStringLiteral("action_settings"), tr("Se&ttings…"), QKeySequence(QStringLiteral("Ctrl+,")),
        QStringLiteral("settings"), [window] { window->showSettings(); });
}

void Actions::addViewMenu() {
    MainWindow* window = &m_window;
    QMenu* menu = addMenu(QStringLiteral("menu_view"), tr("&View"));
    addLayoutCommands(menu);
    menu->addSeparator();
    addZoomCommands(menu);
    menu->addSeparator();
    QAction* dark = addCheckable(
        menu, QStringLiteral("action_dark"), tr("&Dark theme"),
        [] { return currentTheme() == ThemeKind::dark; },
        [window] {
            window->setTheme(currentTheme() == ThemeKind::dark ? ThemeChoice::light : ThemeChoice::dark);
        });
    dark->setIcon(themedIcon(QStringLiteral("moon")));
    QMenu* maps = addSubmenu(menu, QStringLiteral("menu_colormap"), tr("&Colour map"));
    for (const QString& map : sequentialMapNames()) {
        addCheckable(
            maps, QStringLiteral("action_colormap_") + map, map,
            [window, map] { return window->colormapName() == map; },
            [window, map] { window->setColormap(map); });
    }
    QAction* full = addCheckable(
        menu, QStringLiteral("action_full_screen"), tr("&Full screen"),
        [window] { return window->isFullScreen(); }, [window] { window->toggleFullScreen(); });
    full->setShortcut(QKeySequence(QStringLiteral("F11")));
}

void Actions::addLayoutCommands(QMenu* menu) {
    PaneGrid* grid = m_window.panes();
    const std::pair<int, QString> layouts[] = {
        {1, tr("&One figure")}, {2, tr("&Two figures")}, {PaneGrid::maximumPanes, tr("Fo&ur figures")}};
    for (const auto& [count, text] : layouts) {
        QAction* action = addCheckable(
            menu, QStringLiteral("action_layout_%1").arg(count), text,
            [grid, panes = count] { return grid->paneCount() == panes; },
            [grid, panes = count] { grid->setPaneCount(panes); });
        action->setIcon(themedIcon(QStringLiteral("layout-%1").arg(count)));
    }
    menu->addSeparator();
    for (int pane = 0; pane < PaneGrid::maximumPanes; ++pane) {
        add(menu, QStringLiteral("action_pane_%1").arg(pane), tr("Go to pane %1").arg(pane + 1),
            QKeySequence(QString::number(pane + 1)), {}, [grid, pane] { grid->focusPane(pane); });
    }
    MainWindow* window = &m_window;
    add(menu, QStringLiteral("action_go_tokens"), tr("Go to the tokens"), QKeySequence(QStringLiteral("5")),
        {}, [window] { window->focusTokens(); });
    add(menu, QStringLiteral("action_go_parameters"), tr("Go to the parameters"),
        QKeySequence(QStringLiteral("6")), {}, [window] { window->focusParameters(); });
    QMenu* figures = addSubmenu(menu, QStringLiteral("menu_figure"), tr("Fi&gure in this pane"));
    for (const FigureKind& kind : figureKinds()) {
        const QString id = QString::fromStdString(kind.id);
        QAction* action = addCheckable(
            figures, QStringLiteral("action_figure_") + id, label(kind.label),
            [grid, id] { return grid->currentPane()->figureId() == id; },
            [grid, id] { grid->currentPane()->setFigureId(id); });
        action->setToolTip(QString::fromStdString(kind.help));
    }
}

void Actions::addZoomCommands(QMenu* menu) {
    PaneGrid* grid = m_window.panes();
    QAction* in = add(menu, QStringLiteral("action_zoom_in"), tr("Zoom &in"), {}, QStringLiteral("zoom-in"),
                      [grid] { grid->currentPane()->zoomIn(); });
    in->setShortcuts({QKeySequence(QStringLiteral("Ctrl++")), QKeySequence(QStringLiteral("Ctrl+="))});
    add(menu, QStringLiteral("action_zoom_out"), tr("Zoom &out"), QKeySequence(QStringLiteral("Ctrl+-")),
        QStringLiteral("zoom-out"), [grid] { grid->currentPane()->zoomOut(); });
    add(menu, QStringLiteral("action_zoom_reset"), tr("&Show all"), QKeySequence(QStringLiteral("Ctrl+0")),
        QStringLiteral("zoom-reset"), [grid] { grid->resetViews(); });
    // With the focus in a pane only: on the token strip the same keys move a token.
    const auto addInPane = [&](const QString& id, const QString& text, const QString& keys,
                               const QString& icon, std::function<void()> run) {
        QAction* action = add(menu, id, text, QKeySequence(keys), icon, std::move(run));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        grid->addAction(action);
    };
    addInPane(QStringLiteral("action_view_back"), tr("View &back"), QStringLiteral("Alt+Left"),
              QStringLiteral("chevron-left"), [grid] { grid->currentPane()->viewBack(); });
    addInPane(QStringLiteral("action_view_forward"), tr("View for&ward"), QStringLiteral("Alt+Right"),
              QStringLiteral("chevron-right"), [grid] { grid->currentPane()->viewForward(); });
    QAction* link = addCheckable(
        menu, QStringLiteral("action_link_axes"), tr("&Link x axes"),
        [grid] { return grid->currentPane()->areAxesLinked(); },
        [grid] { grid->currentPane()->setAxesLinked(!grid->currentPane()->areAxesLinked()); });
    link->setIcon(themedIcon(QStringLiteral("link")));
    link->setShortcut(QKeySequence(QStringLiteral("L")));
    link->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    grid->addAction(link);
}

void Actions::addEncodingMenu() {
    MainWindow* window = &m_window;
    SceneDocument* document = window->document();
    QMenu* menu = addMenu(QStringLiteral("menu_encoding"), tr("E&ncoding"));
    for (const Encoding& encoding : encodings()) {
        QAction* action = addCheckable(
            menu, QStringLiteral("action_encoding_") + QString::fromStdString(encoding.id),
            label(encoding.label), [document, id = encoding.id] { return document->scene().encoding == id; },
            [window, id = encoding.id] { window->setParameter(QStringLiteral("encoding"), id); });
        action->setToolTip(QString::fromStdString(encoding.help));
    }
    menu->addSeparator();
    QMenu* scalingMenu = addSubmenu(menu, QStringLiteral("menu_scaling"), tr("&Scaling"));
    for (const Scaling& scaling : scalings()) {
        QAction* action = addCheckable(
            scalingMenu, QStringLiteral("action_scaling_") + QString::fromStdString(scaling.id),
            label(scaling.label),
            [document, id = scaling.id] { return document->scene().scaling.method == id; },
            [window, id = scaling.id] { window->setParameter(QStringLiteral("scaling"), id); });
        action->setToolTip(QString::fromStdString(scaling.help));
    }
    QMenu* layers = addSubmenu(menu, QStringLiteral("menu_layer_type"), tr("&Layer type"));
    const auto showLayers = [layers, document] { layers->setEnabled(!document->layerTypes().isEmpty()); };
    connect(document, &SceneDocument::layerTypesChanged, this, showLayers);
    connect(layers, &QMenu::aboutToShow, this, [this, layers] { fillLayerTypeMenu(layers); });
    showLayers();
    menu->addSeparator();
    add(menu, QStringLiteral("action_theta"), tr("Go to &theta"), QKeySequence(QStringLiteral("Ctrl+L")), {},
        [window] { window->focusTheta(); });
}

void Actions::fillLayerTypeMenu(QMenu* menu) {
    menu->clear();
    SceneDocument* document = m_window.document();
    for (const QString& layerType : document->layerTypes()) {
        QAction* action = menu->addAction(layerType);
        action->setCheckable(true);
        action->setChecked(document->scene().layerType == layerType.toStdString());
        connect(action, &QAction::triggered, &m_window,
                [this, layerType] { m_window.say(m_window.document()->chooseLayerType(layerType)); });
    }
}

void Actions::addTokensMenu() {
    MainWindow* window = &m_window;
    SceneDocument* document = window->document();
    TokenStrip* strip = window->tokenStrip();
    QMenu* menu = addMenu(QStringLiteral("menu_tokens"), tr("&Tokens"));
    add(menu, QStringLiteral("action_edit_text"), tr("&Edit text"), QKeySequence(QStringLiteral("Ctrl+T")),
        QStringLiteral("edit"), [strip] { strip->editText(); });
    menu->addSeparator();
    add(menu, QStringLiteral("action_reverse"), tr("&Reverse"), {}, QStringLiteral("reverse"),
        [strip] { strip->reverse(); });
    add(menu, QStringLiteral("action_rotate"), tr("R&otate"), {}, QStringLiteral("rotate"),
        [strip] { strip->rotate(); });
    QAction* swap = add(menu, QStringLiteral("action_swap"), tr("S&wap pair"), {}, QStringLiteral("swap"),
                        [strip] { strip->swapPair(); });
    const auto showSwap = [swap](const QString& refusal) {
        swap->setEnabled(refusal.isEmpty());
        swap->setToolTip(refusal);
    };
    connect(strip, &TokenStrip::swapRefusalChanged, this, showSwap);
    showSwap(strip->swapRefusal());
    menu->setToolTipsVisible(true);
    add(menu, QStringLiteral("action_shuffle"), tr("&Shuffle"), {}, QStringLiteral("shuffle"),
        [strip] { strip->shuffle(); });
    add(menu, QStringLiteral("action_identity"), tr("&Identity"), {}, QStringLiteral("identity"),
        [strip] { strip->identity(); });
    add(menu, QStringLiteral("action_previous_order"), tr("&Previous order"), {},
        QStringLiteral("chevron-left"), [strip] { strip->stepOrder(-1); });
    add(menu, QStringLiteral("action_next_order"), tr("&Next order"), {}, QStringLiteral("chevron-right"),
        [strip] { strip->stepOrder(1); });
    menu->addSeparator();
    addCheckable(
        menu, QStringLiteral("action_causal"), tr("&Causal mask"),
        [document] { return document->scene().causal; },
        [window, document] { window->setParameter(QStringLiteral("causal"), !document->scene().causal); });
    const std::pair<ViewBy, QString> orders[] = {{ViewBy::position, tr("Maps by &position")},
                                                 {ViewBy::token, tr("Maps by &token")}};
    for (const auto& [by, text] : orders) {
        const std::string id = by == ViewBy::token ? "token" : "position";
        addCheckable(
            menu, QStringLiteral("action_view_by_") + QString::fromStdString(id), text,
            [document, wanted = by] { return document->scene().view.by == wanted; },
            [window, id] { window->setParameter(QStringLiteral("view.by"), id); });
    }
}

void Actions::addCompareMenu() {
    MainWindow* window = &m_window;
    Comparison* comparison = window->comparison();
    QMenu* menu = addMenu(QStringLiteral("menu_compare"), tr("&Compare"));
    menu->setToolTipsVisible(true);
    QAction* pin = add(menu, QStringLiteral("action_pin"), tr("&Pin A"), QKeySequence(QStringLiteral("P")),
                       {}, [window] { window->pinScene(); });
    QList<QAction*> needPin;
    needPin.append(add(menu, QStringLiteral("action_unpin"), tr("&Unpin A"), {}, QStringLiteral("close"),
                       [comparison] { comparison->unpin(); }));
    menu->addSeparator();
    const std::tuple<CompareMode, const char*, QString> modes[] = {
        {CompareMode::pinned, "action_compare_a", tr("Show &A, pinned")},
        {CompareMode::live, "action_compare_b", tr("Show &B, live")},
        {CompareMode::difference, "action_compare_delta", tr("Show the &difference Δ = B − A")}};
    for (const auto& [mode, id, text] : modes) {
        needPin.append(addCheckable(
            menu, QLatin1StringView(id), text,
            [comparison, wanted = mode] {
                return comparison->pinned() != nullptr && comparison->mode() == wanted;
            },
            [comparison, wanted = mode] { comparison->show(wanted); }));
    }
    needPin.append(add(menu, QStringLiteral("action_compare_next"), tr("&Next of A, B and Δ"),
                       QKeySequence(QStringLiteral("D")), {}, [comparison] { comparison->showNext(); }));
    const auto enable = [pin, needPin, comparison] {
        const bool isPinned = comparison->pinned() != nullptr;
        pin->setText(isPinned ? tr("&Pin A again, as it is now") : tr("&Pin A"));
        for (QAction* action : needPin) {
            action->setEnabled(isPinned);
            action->setToolTip(isPinned ? QString() : tr("Nothing is pinned yet: pin A first."));
        }
    };
    connect(comparison, &Comparison::changed, this, enable);
    enable();
}

void Actions::addWindowMenu() {
    WindowLayout* parts = m_window.parts();
    QMenu* menu = addMenu(QStringLiteral("menu_window"), tr("&Window"));
    const auto addShown = [&](const QString& id, const QString& text, QDockWidget* dock) {
        return addCheckable(
            menu, id, text, [parts, dock] { return parts->isShown(dock); },
            [parts, dock] { parts->show(dock, !parts->isShown(dock)); });
    };
    const auto addMoved = [&](const QString& id, const QString& text, QDockWidget* dock,
                              Qt::DockWidgetArea usual, Qt::DockWidgetArea other) {
        addCheckable(
            menu, id, text, [parts, dock, other] { return parts->isAt(dock, other); },
            [parts, dock, usual, other] { parts->move(dock, parts->isAt(dock, other) ? usual : other); });
    };
    QAction* parameters =
        addShown(QStringLiteral("action_parameters"), tr("&Parameters"), parts->parameters());
    parameters->setShortcut(QKeySequence(QStringLiteral("F9")));
    addShown(QStringLiteral("action_token_strip"), tr("&Tokens"), parts->tokens());
    menu->addSeparator();
    addMoved(QStringLiteral("action_parameters_right"), tr("Parameters on the &right"), parts->parameters(),
             Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea);
    addMoved(QStringLiteral("action_tokens_above"), tr("Tokens &above the figures"), parts->tokens(),
             Qt::BottomDockWidgetArea, Qt::TopDockWidgetArea);
    menu->addSeparator();
    add(menu, QStringLiteral("action_reset_layout"), tr("Reset &layout"), {}, QStringLiteral("reset"),
        [parts] { parts->reset(); });
}

void Actions::addHelpMenu() {
    MainWindow* window = &m_window;
    QMenu* menu = addMenu(QStringLiteral("menu_help"), tr("&Help"));
    add(menu, QStringLiteral("action_help"), tr("&How to use Phaseladder"),
        QKeySequence(QStringLiteral("F1")), QStringLiteral("help"), [window] { window->showHelp(); });
    add(menu, QStringLiteral("action_whats_this"), tr("&What’s this?"),
        QKeySequence(QStringLiteral("Shift+F1")), {}, [] { QWhatsThis::enterWhatsThisMode(); });
    add(menu, QStringLiteral("action_shortcuts"), tr("&Shortcuts"), QKeySequence(QStringLiteral("Ctrl+?")),
        QStringLiteral("keyboard"), [window] { window->showShortcuts(); });
    add(menu, QStringLiteral("action_about"), tr("&About Phaseladder"), {}, QStringLiteral("info"),
        [window] { window->showAbout(); });
}

}  // namespace phaseladder::ui
