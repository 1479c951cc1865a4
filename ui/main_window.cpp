#include "ui/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDateTime>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QMenuBar>
#include <QMimeData>
#include <QPointer>
#include <QTimer>
#include <QUrl>

#include <utility>

#include "ui/actions.h"
#include "ui/autosave.h"
#include "ui/comparison.h"
#include "ui/controls/parameter_panel.h"
#include "ui/controls/token_strip.h"
#include "ui/dialogs/help_dialog.h"
#include "ui/dialogs/search_entries.h"
#include "ui/dialogs/search_popup.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/document.h"
#include "ui/figure/figure_link.h"
#include "ui/figure/figure_pane.h"
#include "ui/figure_output.h"
#include "ui/file_commands.h"
#include "ui/frame_loop.h"
#include "ui/message_bar.h"
#include "ui/pane_grid.h"
#include "ui/resources.h"
#include "ui/shortcuts.h"
#include "ui/status_line.h"
#include "ui/toolbar.h"
#include "ui/window_layout.h"

namespace phaseladder::ui {
namespace {

constexpr QSize smallestSize{640, 480};
const QString shortcutSheet = QStringLiteral("shortcut_sheet");

}  // namespace

MainWindow::MainWindow(std::unique_ptr<Engine> engine, QWidget* parent, const QString& settingsPath)
    : QMainWindow(parent), m_settings(settingsPath) {
    loadResources();
    applyTheme(*qApp, themeOf(m_settings.theme()));
    setObjectName(QStringLiteral("main_window"));
    setAcceptDrops(true);
    setMinimumSize(smallestSize);
    m_document = new SceneDocument(this);
    m_document->startWithDefaults(m_settings.ownDefaults());
    m_link = new FigureLink(this);
    m_comparison = new Comparison(this);
    auto* controller = new ComputeController(std::move(engine), this);
    buildParts();
    m_statusLine = new StatusLine(this);
    setStatusBar(m_statusLine);
    m_gpu = new GpuLink(controller, m_statusLine, &m_settings, this);
    m_frameLoop = new FrameLoop(m_document, m_panes, controller, this);
    m_figureOutput = new FigureOutput(m_document, &m_settings, m_frameLoop, this);
    m_files = new FileCommands(m_document, &m_settings, m_messageBar, this);
    m_commands = new Actions(*this);
    m_shortcuts = new Shortcuts(m_commands->all(), &m_settings, this);
    addToolBar(makeToolbar(*this));
    m_name = new QLabel(menuBar());
    m_name->setObjectName(QStringLiteral("document_name"));
    m_name->setTextFormat(Qt::PlainText);
    m_name->setContentsMargins(8, 0, 12, 0);
    m_name->setMinimumHeight(menuBar()->sizeHint().height() - 1);
    m_name->setForegroundRole(QPalette::PlaceholderText);
    connectParts();
    m_layout->restore();
    setColormap(m_settings.colormap());
    setMotion(m_settings.motion());
    showTitle();
    if (!settingsPath.isEmpty()) {
        m_autosave = new Autosave(m_document, Autosave::defaultFolder(), this);
        if (const QString lost = m_autosave->lostFile(); !lost.isEmpty()) {
            const QString when = QLocale().toString(QFileInfo(lost).lastModified(), QLocale::ShortFormat);
            m_messageBar->offer(tr("Unsaved work of %1, of a run that ended badly, was kept.").arg(when),
                                tr("Restore"), [this, lost] { say(m_autosave->restore(lost)); });
        }
    }
    if (!m_settings.problem().isEmpty()) {
        m_messageBar->showMessage(MessageKind::information, m_settings.problem());
    }
    m_frameLoop->schedule();
}

MainWindow::~MainWindow() {
    m_layout->remember();
    if (m_autosave != nullptr) {
        m_autosave->save();  // ended from outside: what is unsaved is offered at the next start
    }
    // The parts tell each other of changes; none may find another half destroyed.
    delete m_frameLoop;
    delete m_layout;
}

void MainWindow::buildParts() {
    m_messageBar = new MessageBar(this);
    m_panes = new PaneGrid(m_document, m_link, this);
    m_tokenStrip = new TokenStrip(m_document, m_link, this);
    m_tokenStrip->setObjectName(QStringLiteral("token_strip"));
    m_tokenStrip->setWhatsThis(tr(
        "The tokens in their order. Drag one, or move it with Alt and the arrows; click one to look at it."));
    m_parameterPanel = new ParameterPanel(m_document, &m_settings, this);
    m_parameterPanel->setObjectName(QStringLiteral("parameter_panel"));
    m_layout = new WindowLayout(this, m_messageBar, m_panes, m_parameterPanel, m_tokenStrip, &m_settings);
}

void MainWindow::connectParts() {
    connect(m_document, &SceneDocument::sceneChanged, this, &MainWindow::showWarnings);
    connect(m_document, &SceneDocument::fileWarningsChanged, this, &MainWindow::showWarnings);
    connect(m_document, &SceneDocument::filePathChanged, this, &MainWindow::showTitle);
    connect(m_document, &SceneDocument::modifiedChanged, this, &MainWindow::showTitle);
    connect(m_files, &FileCommands::startedNew, m_comparison, &Comparison::unpin);
    connect(m_comparison, &Comparison::changed, this, [this] {
        if (m_comparison->pinned() == nullptr) {
            say(tr("A is unpinned."));
        }
    });
    connect(m_comparison, &Comparison::changed, this, &MainWindow::showComparison);
    connect(m_files, &FileCommands::saved, this, [this](const QString& path) {
        say(tr("Saved %1.").arg(QFileInfo(path).fileName().simplified()));
    });
    connect(m_document, &SceneDocument::ownDefaultsChanged, this,
            [this] { m_settings.setOwnDefaults(m_document->ownDefaults().values()); });
    connect(m_parameterPanel, &ParameterPanel::refused, this, &MainWindow::say);
    connect(m_parameterPanel, &ParameterPanel::said, this, &MainWindow::say);
    connect(m_tokenStrip, &TokenStrip::refused, this, &MainWindow::say);
    connect(m_figureOutput, &FigureOutput::said, this, &MainWindow::say);
    connect(m_tokenStrip, &TokenStrip::orderPreviewed, m_frameLoop, &FrameLoop::previewOrder);
    connect(m_frameLoop, &FrameLoop::verdictChanged, m_tokenStrip, &TokenStrip::setVerdict);
    connect(m_frameLoop, &FrameLoop::figuresShown, this, &MainWindow::showWarnings);
    // A pixel is enough to learn of the painting.
    connect(m_frameLoop, &FrameLoop::paintingDue, this, [this] { update(0, 0, 1, 1); });
    connect(m_frameLoop, &FrameLoop::painted, m_statusLine, &StatusLine::setFrame);
    connect(m_frameLoop, &FrameLoop::attentionRan, m_statusLine, &StatusLine::setBackend);
    connect(m_gpu, &GpuLink::changed, this, &MainWindow::showWarnings);
    connect(m_shortcuts, &Shortcuts::changed, this, [this] {
        if (auto* sheet = findChild<TextDialog*>(shortcutSheet)) {
            sheet->setHtml(shortcutPage(m_commands->all()));
        }
    });
    connect(m_layout, &WindowLayout::changed, this, &MainWindow::appearanceChanged);
    connect(m_panes, &PaneGrid::currentChanged, this, &MainWindow::showZoom);
    for (FigurePane* pane : m_panes->panes()) {
        connectPane(pane);
    }
}

void MainWindow::connectPane(FigurePane* pane) {
    connect(pane, &FigurePane::copyValuesRequested, this, [this, pane] { m_figureOutput->copyValues(pane); });
    connect(pane, &FigurePane::copyFigureRequested, this, [this, pane] { m_figureOutput->copyFigure(pane); });
    connect(pane, &FigurePane::exportRequested, this, [this, pane] {
        m_panes->focusPane(static_cast<int>(m_panes->panes().indexOf(pane)));
        m_figureOutput->exportFigure(pane, {});
    });
    connect(pane, &FigurePane::readoutChanged, m_statusLine, &StatusLine::setReadout);
    connect(pane, &FigurePane::zoomChanged, this, &MainWindow::showZoom);
}

bool MainWindow::event(QEvent* event) {
    const bool handled = QMainWindow::event(event);
    if (event->type() == QEvent::UpdateRequest) {
        m_frameLoop->notePainted();
    }
    return handled;
}

bool MainWindow::waitForPainted(int milliseconds, Painted wanted) {
    const auto isDone = [this, wanted] {
        if (wanted == Painted::firstPicture) {
            return m_frameLoop->hasFirstPicture();
        }
        return isVisible() ? m_frameLoop->isPainted() : m_frameLoop->isShown();
    };
    QTimer deadline;  // wakes the loop below when nothing else does
    deadline.setSingleShot(true);
    deadline.start(milliseconds);
    while (!isDone() && deadline.isActive()) {
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    return isDone();
}

void MainWindow::showWarnings() {
    QStringList warnings = m_document->fileWarnings();
    const auto addAll = [&warnings](const std::vector<std::string>& sentences) {
        for (const std::string& sentence : sentences) {
            warnings.append(QString::fromStdString(sentence));
        }
    };
    addAll(sentencesOf(sceneNotes(m_document->scene()).warnings));
    for (const FigurePane* pane : m_panes->panes()) {
        if (m_panes->isShown(pane)) {
            addAll(pane->figure().warnings);
        }
    }
    if (!m_gpu->fault().isEmpty()) {
        warnings.append(m_gpu->fault());
    }
    warnings.removeDuplicates();
    m_statusLine->setWarnings(warnings);
}

void MainWindow::showZoom() {
    m_statusLine->setZoom(m_panes->currentPane()->zoomFactor());
}

void MainWindow::useGpu(GpuFactory factory) {
    m_gpu->setFactory(std::move(factory));
}

void MainWindow::openFile(const QString& path) {
    m_files->open(path);
}

void MainWindow::showTitle() {
    const QString path = m_document->filePath();
    const QString name = path.isEmpty() ? tr("Untitled") : QFileInfo(path).fileName().simplified();
    setWindowTitle(tr("%1[*] — Phaseladder").arg(name));
    setWindowModified(m_document->isModified());
    const QString shown = m_document->isModified() ? name + QStringLiteral(" •") : name;
    if (m_name->text() != shown) {
        m_name->setText(shown);
        menuBar()->setCornerWidget(m_name);  // lays the corner out again
    }
}

void MainWindow::say(const QString& sentence) {
    if (!sentence.isEmpty()) {
        m_statusLine->say(sentence);
    }
}

void MainWindow::showModelPicker() {
    QStringList ids;
    const QList<SearchEntry> entries = modelEntries(ids);
    const QWidget* button = findChild<QWidget*>(QStringLiteral("model_button"));
    openPopup(QStringLiteral("model_picker"), tr("Find a model"), entries,
              button->mapToGlobal(QPoint(0, button->height() + 4)),
              [this, ids](int entry) { m_files->openModel(ids[entry]); });
}

void MainWindow::showPalette() {
    QList<QPointer<QAction>> found;
    const QList<SearchEntry> entries = commandEntries(m_commands->all(), found);
    openPopup(QStringLiteral("command_palette"), tr("Find a command"), entries,
              mapToGlobal(QPoint(width() / 2 - SearchPopup::popupWidth / 2, 64)), [found](int entry) {
                  if (found[entry]) {
                      found[entry]->trigger();
                  }
              });
}

void MainWindow::openPopup(const QString& name, const QString& placeholder, const QList<SearchEntry>& entries,
                           const QPoint& corner, std::function<void(int)> choose) {
    auto* popup = new SearchPopup(name, placeholder, this);
    connect(popup, &SearchPopup::chosen, this, [choose = std::move(choose)](int entry) { choose(entry); });
    popup->open(entries, corner);
}

void MainWindow::setParameter(const QString& id, const ParameterValue& value) {
    say(m_document->setParameter(id, value));
}

void MainWindow::pinScene() {
    const bool isAgain = m_comparison->pinned() != nullptr;
    m_comparison->pin(m_document->scene());
    say((isAgain ? tr("Pinned as A, in place of the last A.") : tr("Pinned as A.")) +
        tr(" What you change from now on is B; %1 shows A, B or their difference.")
            .arg(m_commands->find(QStringLiteral("action_compare_next"))
                     ->shortcut()
                     .toString(QKeySequence::NativeText)));
}

void MainWindow::showComparison() {
    m_panes->setComparison(m_comparison->pinned(), m_comparison->mode());
}

void MainWindow::resetAll() {
    m_document->resetAll();
    for (FigurePane* pane : m_panes->panes()) {
        pane->resetView();
    }
}

void MainWindow::focusTheta() {
    m_layout->show(m_layout->parameters(), true);
    m_parameterPanel->focusField(QStringLiteral("rope.theta"));
}

void MainWindow::focusTokens() {
    m_layout->show(m_layout->tokens(), true);
    m_tokenStrip->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::focusParameters() {
    m_layout->show(m_layout->parameters(), true);
    if (!m_parameterPanel->focusField(m_parameterPanel->currentParameter())) {
        m_parameterPanel->focusField(QStringLiteral("encoding"));
    }
}

void MainWindow::showPage(const QString& name, const QString& title, const QString& html) {
    auto* dialog = findChild<TextDialog*>(name, Qt::FindDirectChildrenOnly);
    if (dialog == nullptr || !dialog->isVisible()) {
        dialog = new TextDialog(name, title, html, this);
        connect(dialog, &QDialog::finished, this,
                &MainWindow::activateWindow);  // not every system does by itself
    }
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void MainWindow::showHelp() {
    showPage(QStringLiteral("help_dialog"), tr("How to use Phaseladder"), helpPage());
}

void MainWindow::showShortcuts() {
    showPage(shortcutSheet, tr("Shortcuts"), shortcutPage(m_commands->all()));
}

void MainWindow::showSettings() {
    auto* dialog = new SettingsDialog(&m_settings, m_shortcuts, this);
    connect(dialog, &SettingsDialog::themeChosen, this, &MainWindow::setTheme);
    connect(dialog, &SettingsDialog::motionChosen, this, &MainWindow::setMotion);
    connect(dialog, &SettingsDialog::colormapChosen, this, &MainWindow::setColormap);
    connect(dialog, &SettingsDialog::helperChosen, m_gpu, &GpuLink::setCommand);
    const auto showGpu = [this, dialog] { dialog->setGpuState(m_gpu->state()); };
    connect(m_gpu, &GpuLink::changed, dialog, showGpu);
    showGpu();
    connect(dialog, &QDialog::finished, this, &MainWindow::activateWindow);
    dialog->open();
}

void MainWindow::showAbout() {
    showPage(QStringLiteral("about_dialog"), tr("About Phaseladder"), aboutPage());
}

void MainWindow::toggleFullScreen() {
    setWindowState(windowState() ^ Qt::WindowFullScreen);
    Q_EMIT appearanceChanged();
}

void MainWindow::setTheme(ThemeChoice theme) {
    applyTheme(*qApp, themeOf(theme));
    for (FigurePane* pane : m_panes->panes()) {
        pane->refreshStyle();
    }
    m_settings.setTheme(theme);
    Q_EMIT appearanceChanged();
}

void MainWindow::setMotion(MotionChoice motion) {
    ui::setMotion(motion);
    setAnimated(!reducedMotion());
    m_settings.setMotion(motion);
}

void MainWindow::setColormap(const QString& name) {
    for (FigurePane* pane : m_panes->panes()) {
        pane->setSequentialMap(name);
    }
    m_settings.setColormap(name);
    Q_EMIT appearanceChanged();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    m_layout->remember();
    if (m_autosave != nullptr) {
        m_autosave->save();  // the question may never be answered: a signal ends the program meanwhile
    }
    if (!m_files->mayDiscard()) {
        event->ignore();
        return;
    }
    if (m_autosave != nullptr) {
        m_autosave->discard();
        delete std::exchange(m_autosave, nullptr);  // closed in order: nothing is kept
    }
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.first().isLocalFile()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    m_files->open(event->mimeData()->urls().first().toLocalFile());
}

}  // namespace phaseladder::ui
