#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMimeData>
#include <QRadioButton>
#include <QSplitter>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <QUrl>
#include <QWhatsThis>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/scene_json.h"
#include "ui/actions.h"
#include "ui/controls/parameter_panel.h"
#include "ui/controls/token_chips.h"
#include "ui/controls/token_strip.h"
#include "ui/dialogs/help_dialog.h"
#include "ui/document.h"
#include "ui/figure/figure_pane.h"
#include "ui/figure/panel_view.h"
#include "ui/main_window.h"
#include "ui/message_bar.h"
#include "ui/pane_grid.h"
#include "ui/shortcuts.h"
#include "ui/window_layout.h"

namespace phaseladder::ui::test {
using phaseladder::ui::MainWindow;

namespace {

constexpr int patienceMilliseconds = 20000;

}  // namespace

class MainWindowTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    QString settingsPath() const { return m_folder->filePath(QStringLiteral("config/phaseladder.ini")); }

    void openWindow(const QSize& size = {1440, 900}) {
        m_window = std::make_unique<MainWindow>(std::make_unique<Engine>(), nullptr, settingsPath());
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
    }

    QAction* command(const char* id) const {
        QAction* action = m_window->commands()->find(QLatin1StringView(id));
        if (action == nullptr) {
            qFatal("no command %s", id);
        }
        return action;
    }

    QString shownText(const char* name) const {
        return m_window->findChild<QLabel*>(QLatin1StringView(name))->text();
    }

    void dragHandle(const char* splitterName, int x, int y) const {
        QSplitterHandle* handle = m_window->findChild<QSplitter*>(QLatin1StringView(splitterName))->handle(1);
        const QPoint middle = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, {}, middle);
        QTest::mouseMove(handle, middle + QPoint(x, y));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, middle + QPoint(x, y));
    }

    int shownPanes() const {
        const QList<ui::FigurePane*>& panes = m_window->panes()->panes();
        return int(std::count_if(panes.begin(), panes.end(), [](auto* pane) { return pane->isVisible(); }));
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_STATE_HOME", m_folder->filePath(QStringLiteral("state")).toLocal8Bit());
        qputenv("PHASELADDER_NO_PROMPT", "1");
        openWindow();
    }

    void cleanup() { m_window.reset(); }

    void startsWithFourFiguresAndAReading() {
        QCOMPARE(shownPanes(), 4);
        QCOMPARE(m_window->panes()->figureIds(),
                 (QStringList{QStringLiteral("ladder"), QStringLiteral("attention"), QStringLiteral("phases"),
                              QStringLiteral("ramp")}));
        for (const ui::FigurePane* pane : m_window->panes()->panes()) {
            QCOMPARE(QString::fromStdString(pane->figure().id), pane->figureId());
        }
        QVERIFY(!shownText("status_backend").isEmpty());
        QVERIFY(shownText("status_frame").contains(QStringLiteral("ms")));
        QCOMPARE(shownText("status_exact"), QStringLiteral("exact"));
        QVERIFY(QApplication::activeModalWidget() == nullptr);
    }

    void theProgramStartsWithThePersonsOwnDefaults() {
        m_window->document()->setParameter(QStringLiteral("rope.theta"), 123456.789);
        m_window->document()->setAsDefault({QStringLiteral("rope.theta")});
        m_window.reset();
        openWindow();
        QCOMPARE(m_window->document()->scene().rope.theta, 123456.789);
        QVERIFY(!m_window->document()->isModified());
        m_window->document()->useBuiltInDefault({QStringLiteral("rope.theta")});
        m_window.reset();
        openWindow();
        QCOMPARE(m_window->document()->scene().rope.theta, 10000.0);
    }

    void theTitleTellsTheFileAndWhetherItIsSaved() {
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("Untitled")));
        QVERIFY(!m_window->isWindowModified());
        m_window->setParameter(QStringLiteral("rope.theta"), 20000.0);
        QVERIFY(m_window->isWindowModified());
        m_window->document()->save(m_folder->filePath(QStringLiteral("mine.pldr")));
        QVERIFY(!m_window->isWindowModified());
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("mine.pldr")));
        command("action_undo")->trigger();
        QVERIFY(m_window->isWindowModified());
    }

    void everyFigureFollowsAChange() {
        m_window->setParameter(QStringLiteral("length.trained"), 4096.0);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        Engine fresh;
        const FigureRequest request = m_window->panes()->panes().first()->request();
        const Result<Figure> expected = fresh.figure(m_window->document()->scene(), request);
        QCOMPARE(m_window->panes()->panes().first()->figure().readouts.size(), expected->readouts.size());
        QCOMPARE(m_window->panes()->panes().first()->figure().readouts.front().chip,
                 expected->readouts.front().chip);
    }

    void spamEndsAtTheNewestSetting() {
        for (int tick = 0; tick < 1000; ++tick) {
            m_window->setParameter(QStringLiteral("rope.theta"), 10000.0 + tick);
        }
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        Engine fresh;
        const ui::FigurePane* pane = m_window->panes()->panes().first();
        const Result<Figure> expected = fresh.figure(m_window->document()->scene(), pane->request());
        QCOMPARE(pane->figure().table.back().values, expected->table.back().values);
    }

    void oneTwoAndFourPanes() {
        command("action_layout_1")->trigger();
        QCOMPARE(shownPanes(), 1);
        command("action_pane_2")->trigger();
        QCOMPARE(shownPanes(), 1);
        QVERIFY(m_window->panes()->panes()[2]->isVisible());
        command("action_layout_2")->trigger();
        QCOMPARE(shownPanes(), 2);
        command("action_pane_3")->trigger();
        QCOMPARE(shownPanes(), 4);
        QCOMPARE(m_window->panes()->currentIndex(), 3);
        QVERIFY(command("action_layout_4")->isChecked());
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
    }

    void enlargingAPaneAndBack() {
        Q_EMIT m_window->panes()->panes()[1]->enlargeRequested();
        QCOMPARE(shownPanes(), 1);
        QVERIFY(m_window->panes()->panes()[1]->isVisible());
        Q_EMIT m_window->panes()->panes()[1]->enlargeRequested();
        QCOMPARE(shownPanes(), 4);
    }

    void digitsChooseAPaneButAreTypedInFields() {
        m_window->panes()->focusPane(0);
        QTest::keyClick(m_window.get(), Qt::Key_3);
        QCOMPARE(m_window->panes()->currentIndex(), 2);
        QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier);
        auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(field != nullptr);
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("2^20"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(m_window->document()->scene().rope.theta, 1048576.0);
        QCOMPARE(m_window->panes()->currentIndex(), 2);
    }

    void undoAndRedoByKeysAfterTyping() {
        QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier);
        auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(field != nullptr);
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1e6"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(m_window->document()->scene().rope.theta, 1e6);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->document()->scene().rope.theta, 10000.0);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_window->document()->scene().rope.theta, 1e6);
    }

    void resettingThePreviousParameterAndAll() {
        m_window->setParameter(QStringLiteral("head_dim"), 128.0);
        QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier);
        m_window->setParameter(QStringLiteral("rope.theta"), 20000.0);
        command("action_reset_parameter")->trigger();
        QCOMPARE(m_window->document()->scene().rope.theta, 10000.0);
        QCOMPARE(m_window->document()->scene().headDim, 128);
        command("action_reset_all")->trigger();
        QCOMPARE(m_window->document()->scene(), Scene{});
        command("action_undo")->trigger();
        QCOMPARE(m_window->document()->scene().headDim, 128);
    }

    void menusFollowTheScene() {
        command("action_encoding_none")->trigger();
        QCOMPARE(m_window->document()->scene().encoding, std::string("none"));
        QVERIFY(command("action_encoding_none")->isChecked());
        QVERIFY(!command("action_encoding_rope")->isChecked());
        command("action_encoding_none")->trigger();
        QVERIFY(command("action_encoding_none")->isChecked());
        command("action_undo")->trigger();
        QVERIFY(command("action_encoding_rope")->isChecked());
        command("action_scaling_yarn")->trigger();
        QCOMPARE(m_window->document()->scene().scaling.method, std::string("yarn"));
        command("action_causal")->trigger();
        QVERIFY(m_window->document()->scene().causal);
        command("action_view_by_token")->trigger();
        QVERIFY(m_window->document()->scene().view.by == ViewBy::token);
    }

    void thePaletteFindsAndRunsACommand() {
        command("action_palette")->trigger();
        auto* palette = m_window->findChild<QFrame*>(QStringLiteral("command_palette"));
        QVERIFY(palette != nullptr && palette->isVisible());
        const auto* list = palette->findChild<QListView*>();
        int enabled = 0;
        for (const QAction* action : m_window->commands()->all()) {
            enabled += action->isEnabled() ? 1 : 0;
        }
        QCOMPARE(list->model()->rowCount(), enabled);
        auto* words = palette->findChild<QLineEdit*>();
        QTest::keyClicks(words, QStringLiteral("panes four fig"));
        QCOMPARE(list->model()->rowCount(), 0);
        words->clear();
        QTest::keyClicks(words, QStringLiteral("one fig"));
        QTest::keyClick(words, Qt::Key_Return);
        QCOMPARE(shownPanes(), 1);
    }

    void aModelIsFoundAndOpened() {
        command("action_model")->trigger();
        auto* picker = m_window->findChild<QFrame*>(QStringLiteral("model_picker"));
        QVERIFY(picker != nullptr);
        auto* words = picker->findChild<QLineEdit*>();
        QTest::keyClicks(words, QStringLiteral("llama-3.1-8b"));
        QTest::keyClick(words, Qt::Key_Return);
        QCOMPARE(m_window->document()->scene().rope.theta, 500000.0);
        QVERIFY(m_window->findChild<QToolButton*>(QStringLiteral("model_button"))
                    ->text()
                    .contains(QStringLiteral("Llama"), Qt::CaseInsensitive));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
    }

    void aDroppedFileIsOpened() {
        Scene scene;
        scene.rope.theta = 77777.0;
        const QString path = m_folder->filePath(QStringLiteral("dropped.pldr"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(writeScene(scene)));
        file.close();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(700, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(700, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        QCOMPARE(m_window->document()->scene(), scene);
        QCOMPARE(m_window->recentFiles(), QStringList{path});
    }

    void aRefusedFileIsSaidAboveThePanesAndThePictureStays() {
        const std::string before = m_window->panes()->panes().first()->figure().id;
        m_window->openFile(m_folder->filePath(QStringLiteral("missing.pldr")));
        const auto* bar = m_window->findChild<ui::MessageBar*>();
        QVERIFY(bar->isVisible());
        QVERIFY(bar->text().contains(QStringLiteral("missing.pldr")));
        QCOMPARE(m_window->panes()->panes().first()->figure().id, before);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        m_window->openFile(QStringLiteral(PHASELADDER_SOURCE_DIR "/resources/models/llama-3.1-8b.json"));
    }

    void valuesAndFigureAreCopied() {
        m_window->panes()->focusPane(0);
        command("action_copy_values")->trigger();
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("pair,")));
        command("action_copy_figure")->trigger();
        const QMimeData* data = QApplication::clipboard()->mimeData();
        for (const char* format : {"image/png", "image/svg+xml", "application/pdf"}) {
            QVERIFY2(data->hasFormat(QLatin1StringView(format)), format);
        }
        QVERIFY(data->hasImage());
        // A stack of two panels is higher than the golden ratio allows.
        m_window->panes()->focusPane(3);
        command("action_copy_figure")->trigger();
        const QImage ramp = QApplication::clipboard()->image();
        QVERIFY(ramp.height() > ramp.width());
    }

    void theVerdictIsShownEvenWithoutAnAttentionPane() {
        m_window->panes()->panes()[1]->setFigureId(QStringLiteral("encoding"));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        m_window->setParameter(QStringLiteral("order"), std::vector<int>{2, 0, 1});
        m_window->setParameter(QStringLiteral("encoding"), std::string("none"));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        const auto isShown = [this](const QString& words) {
            const QList<QLabel*> labels = m_window->tokenStrip()->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(),
                               [&words](const QLabel* label) { return label->text().contains(words); });
        };
        QVERIFY(isShown(QStringLiteral("order-blind")));
        QVERIFY(isShown(QStringLiteral(" ≤ ")));
        const auto* verdict = m_window->findChild<QLabel*>(QStringLiteral("strip_verdict"));
        QVERIFY(verdict->toolTip().contains(QStringLiteral("tolerance")));
        m_window->setParameter(QStringLiteral("encoding"), std::string("rope"));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QVERIFY(isShown(QStringLiteral("order matters")));
        QVERIFY(isShown(QStringLiteral(" > ")));
    }

    void aHeldTokenIsDrawnAsAPreview() {
        const auto plotPixels = [this](int pane) {
            return m_window->panes()->panes()[pane]->findChild<PanelView*>()->grab().toImage();
        };
        const QImage exact[] = {plotPixels(0), plotPixels(1)};
        Q_EMIT m_window->tokenStrip()->orderPreviewed({0, 1, 2});
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QVERIFY(plotPixels(1) != exact[1]);  // the scene's own order, but not put down yet
        Q_EMIT m_window->tokenStrip()->orderPreviewed({1, 0, 2});
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QCOMPARE(shownText("status_exact"), QStringLiteral("preview"));
        QVERIFY(plotPixels(1) != exact[1]);
        QCOMPARE(plotPixels(0), exact[0]);  // the order says nothing to the ladder
        QVERIFY(m_window->document()->scene().order.empty());
        Q_EMIT m_window->tokenStrip()->orderPreviewed({});
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QCOMPARE(shownText("status_exact"), QStringLiteral("exact"));
        QCOMPARE(plotPixels(1), exact[1]);
    }

    void theSwapCommandSaysWhyItIsOff() {
        m_window->tokenStrip()->findChild<TokenChips*>()->setCurrentPosition(0);
        QVERIFY(command("action_swap")->isEnabled());
        command("action_swap")->trigger();
        QCOMPARE(m_window->document()->scene().order, (std::vector<int>{1, 0, 2}));
        command("action_rotate")->trigger();
        QCOMPARE(m_window->document()->scene().order, (std::vector<int>{2, 1, 0}));
        m_window->setParameter(QStringLiteral("tokens"), std::vector<std::string>{"alone"});
        QVERIFY(!command("action_swap")->isEnabled());
        QVERIFY(command("action_swap")->toolTip().contains(QStringLiteral("two tokens")));
    }

    void looksAreRemembered() {
        command("action_layout_2")->trigger();
        m_window->panes()->panes()[0]->setFigureId(QStringLiteral("ramp"));
        command("action_dark")->trigger();
        command("action_parameters")->trigger();
        command("action_colormap_cividis")->trigger();
        m_window->setMotion(ui::MotionChoice::reduced);
        m_window->close();
        m_window.reset();
        openWindow();
        QCOMPARE(shownPanes(), 2);
        QCOMPARE(m_window->panes()->figureIds().first(), QStringLiteral("ramp"));
        QVERIFY(ui::currentTheme() == ui::ThemeKind::dark);
        QVERIFY(!m_window->parts()->isShown(m_window->parts()->parameters()));
        QCOMPARE(m_window->colormapName(), QStringLiteral("cividis"));
        QVERIFY(ui::reducedMotion());
        m_window->setMotion(ui::MotionChoice::full);
        QVERIFY(!ui::reducedMotion());
        m_window->setMotion(ui::MotionChoice::system);
        command("action_dark")->trigger();
    }

    void placesAndSizesAreRememberedAndReset() {
        dragHandle("pane_columns_0", 120, 0);
        dragHandle("pane_rows", 0, -60);
        const QPointF shares = m_window->panes()->shares();
        QVERIFY(shares.x() > 0.55 && shares.y() < 0.45);
        command("action_parameters_right")->trigger();
        command("action_tokens_above")->trigger();
        m_window->resizeDocks({m_window->parts()->parameters()}, {380}, Qt::Horizontal);
        m_window->close();
        m_window.reset();
        openWindow();
        QVERIFY(std::abs(m_window->panes()->shares().x() - shares.x()) < 1e-3);
        const QList<ui::FigurePane*>& panes = m_window->panes()->panes();
        const double columns = panes[0]->width() + panes[1]->width();
        QVERIFY(std::abs(panes[0]->width() / columns - shares.x()) < 0.01);
        QCOMPARE(panes[2]->width(), panes[0]->width());
        const double rows = panes[0]->height() + panes[2]->height();
        QVERIFY(std::abs(panes[0]->height() / rows - shares.y()) < 0.01);
        const QWidget* parameters = m_window->parts()->parameters();
        QCOMPARE(parameters->width(), 380);
        QVERIFY(parameters->x() > m_window->width() / 2);
        QVERIFY(m_window->parts()->tokens()->y() < m_window->panes()->mapTo(m_window.get(), QPoint()).y());
        QVERIFY(command("action_parameters_right")->isChecked());

        command("action_token_strip")->trigger();
        command("action_layout_1")->trigger();
        command("action_reset_layout")->trigger();
        QTRY_COMPARE(parameters->width(), 324);
        QCOMPARE(parameters->x(), 0);
        QVERIFY(m_window->tokenStrip()->isVisible());
        QCOMPARE(shownPanes(), 4);
        QCOMPARE(m_window->panes()->shares(), QPointF(0.5, 0.5));
        QVERIFY(!command("action_parameters_right")->isChecked());
    }

    void theOnePaneShownIsRemembered() {
        command("action_layout_1")->trigger();
        command("action_pane_2")->trigger();
        m_window->close();
        m_window.reset();
        openWindow();
        QCOMPARE(shownPanes(), 1);
        QVERIFY(m_window->panes()->panes()[2]->isVisible());
    }

    void enlargingKeepsTheSizesOfThePanes() {
        dragHandle("pane_columns_0", 120, 0);
        const QList<ui::FigurePane*>& panes = m_window->panes()->panes();
        const int width = panes[0]->width();
        m_window->panes()->toggleEnlarged(panes[3]);
        QCoreApplication::processEvents();
        m_window->panes()->toggleEnlarged(panes[3]);
        QCoreApplication::processEvents();
        QVERIFY(std::abs(panes[0]->width() - width) <= 1);
        QCOMPARE(panes[2]->width(), panes[0]->width());
    }

    void panesBecomeTabsWhereThereIsNoRoom() {
        m_window->resize(800, 600);
        auto* tabs = m_window->findChild<QTabBar*>(QStringLiteral("pane_tabs"));
        QTRY_VERIFY(tabs->isVisible());
        QCOMPARE(tabs->count(), 4);
        QCOMPARE(shownPanes(), 1);
        QCOMPARE(tabs->tabText(1), QStringLiteral("Attention"));
        tabs->setCurrentIndex(1);
        QVERIFY(m_window->panes()->panes()[1]->isVisible());
        command("action_pane_3")->trigger();
        QCOMPARE(tabs->currentIndex(), 3);
        QCOMPARE(m_window->panes()->paneCount(), 4);
        m_window->panes()->panes()[3]->setFigureId(QStringLiteral("encoding"));
        QCOMPARE(tabs->tabText(3), QStringLiteral("Encoding"));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        m_window->resize(1440, 900);
        QTRY_COMPARE(shownPanes(), 4);
        QVERIFY(!tabs->isVisible());
    }

    void theStatusLineTellsTheZoomOfThePaneUsedLast() {
        QCOMPARE(shownText("status_zoom"), QStringLiteral("zoom 100 %"));
        m_window->panes()->focusPane(0);
        command("action_zoom_in")->trigger();
        QCOMPARE(shownText("status_zoom"), QStringLiteral("zoom 150 %"));
        command("action_pane_2")->trigger();
        QCOMPARE(shownText("status_zoom"), QStringLiteral("zoom 100 %"));
        command("action_pane_0")->trigger();
        QCOMPARE(shownText("status_zoom"), QStringLiteral("zoom 150 %"));
        QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(shownText("status_zoom"), QStringLiteral("zoom 100 %"));
    }

    void newKeysWorkAndAreShownEverywhere() {
        command("action_shortcuts")->trigger();
        const auto* sheet = m_window->findChild<QTextBrowser*>(QStringLiteral("shortcut_sheet_text"));
        QAction* palette = command("action_palette");
        QCOMPARE(m_window->shortcuts()->setKeys(palette, QKeySequence(QStringLiteral("G"))), QString());
        const auto* button = m_window->findChild<QToolButton*>(QStringLiteral("find_button"));
        QVERIFY(button->toolTip().contains(QStringLiteral("(G)")));
        QVERIFY(!button->text().contains(QStringLiteral("Ctrl")));
        QVERIFY(!sheet->toPlainText().contains(QStringLiteral("Ctrl+Shift+P")));
        m_window->findChild<QDialog*>(QStringLiteral("shortcut_sheet"))->close();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));

        // A letter is typed where text is typed and works elsewhere.
        command("action_edit_text")->trigger();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_G);
        QVERIFY(m_window->findChild<QFrame*>(QStringLiteral("command_palette")) == nullptr);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        m_window->panes()->focusPane(0);
        QTest::keyClick(m_window.get(), Qt::Key_G);
        QVERIFY(m_window->findChild<QFrame*>(QStringLiteral("command_palette")) != nullptr);
        m_window->findChild<QFrame*>(QStringLiteral("command_palette"))->close();

        m_window->close();
        m_window.reset();
        openWindow();
        QCOMPARE(command("action_palette")->shortcut(), QKeySequence(QStringLiteral("G")));
        m_window->shortcuts()->resetAll();
        QCOMPARE(command("action_palette")->shortcut(), QKeySequence(QStringLiteral("Ctrl+Shift+P")));
    }

    void theKeysOfTheTableAreThere_data() {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<QString>("id");
        const std::pair<const char*, const char*> rows[] = {{"Ctrl+N", "new"},
                                                            {"Ctrl+O", "open"},
                                                            {"Ctrl+S", "save"},
                                                            {"Ctrl+Shift+S", "save_as"},
                                                            {"Ctrl+Z", "undo"},
                                                            {"Ctrl+Shift+Z", "redo"},
                                                            {"Ctrl+E", "export"},
                                                            {"Ctrl+Shift+E", "export_data"},
                                                            {"Ctrl+C", "copy_values"},
                                                            {"Ctrl+Shift+C", "copy_figure"},
                                                            {"Ctrl+I", "import"},
                                                            {"1", "pane_0"},
                                                            {"4", "pane_3"},
                                                            {"5", "go_tokens"},
                                                            {"6", "go_parameters"},
                                                            {"Ctrl+R", "reset_parameter"},
                                                            {"Alt+R", "reset_all"},
                                                            {"F1", "help"},
                                                            {"Shift+F1", "whats_this"},
                                                            {"Ctrl+?", "shortcuts"},
                                                            {"Ctrl+Shift+P", "palette"},
                                                            {"F9", "parameters"},
                                                            {"F11", "full_screen"},
                                                            {"Ctrl+0", "zoom_reset"},
                                                            {"Ctrl++", "zoom_in"},
                                                            {"Ctrl+-", "zoom_out"},
                                                            {"Ctrl+L", "theta"},
                                                            {"Ctrl+,", "settings"}};
        for (const auto& [keys, id] : rows) {
            QTest::newRow(keys) << QString::fromLatin1(keys)
                                << QStringLiteral("action_") + QString::fromLatin1(id);
        }
    }

    void theKeysOfTheTableAreThere() {
        QFETCH(QString, keys);
        QFETCH(QString, id);
        QVERIFY(command(id.toLatin1().constData())->shortcuts().contains(QKeySequence(keys)));
    }

    void theDigitsAfterThePanesGoToTokensAndParameters() {
        command("action_parameters")->trigger();
        m_window->panes()->focusPane(0);
        QTest::keyClick(m_window.get(), Qt::Key_5);
        QVERIFY(m_window->tokenStrip()->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(m_window.get(), Qt::Key_6);
        QVERIFY(m_window->parameterPanel()->isVisible());
        QVERIFY(m_window->parameterPanel()->isAncestorOf(QApplication::focusWidget()));
    }

    void settingsOpenByKeysAndFollowChoices() {
        QTest::keyClick(m_window.get(), Qt::Key_Comma, Qt::ControlModifier);
        auto* dialog = m_window->findChild<QDialog*>(QStringLiteral("settings_dialog"));
        QVERIFY(dialog != nullptr && dialog->isVisible());
        dialog->findChild<QRadioButton*>(QStringLiteral("segment_setting_theme_dark"))->click();
        QVERIFY(ui::currentTheme() == ui::ThemeKind::dark);
        QVERIFY(command("action_dark")->isChecked());
        dialog->findChild<QRadioButton*>(QStringLiteral("segment_setting_theme_light"))->click();
        QVERIFY(ui::currentTheme() == ui::ThemeKind::light);
        dialog->findChild<QRadioButton*>(QStringLiteral("segment_setting_motion_off"))->click();
        QVERIFY(!ui::reducedMotion());
        dialog->findChild<QRadioButton*>(QStringLiteral("segment_setting_motion_system"))->click();
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
    }

    void whatsThisExplainsTheParts() {
        command("action_whats_this")->trigger();
        QVERIFY(QWhatsThis::inWhatsThisMode());
        QWhatsThis::leaveWhatsThisMode();
        for (const QWidget* part : {static_cast<const QWidget*>(m_window->panes()->panes().first()),
                                    static_cast<const QWidget*>(m_window->tokenStrip())}) {
            QVERIFY2(!part->whatsThis().isEmpty(), qPrintable(part->objectName()));
        }
    }

    void aNarrowWindowGivesTheRoomToTheFigures() {
        m_window->resize(760, 600);
        QTRY_VERIFY(!m_window->parts()->isShown(m_window->parts()->parameters()));
        m_window->resize(1100, 700);
        QTRY_VERIFY(m_window->parts()->isShown(m_window->parts()->parameters()));
    }

    void everythingFitsInASmallWindow() {
        m_window->resize(1024, 700);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QCOMPARE(m_window->size(), QSize(1024, 700));
        for (const char* name :
             {"model_button", "find_button", "export_button", "token_strip", "status_backend"}) {
            const auto* part = m_window->findChild<QWidget*>(QLatin1StringView(name));
            const QRect place(part->mapTo(m_window.get(), QPoint(0, 0)), part->size());
            QVERIFY2(m_window->rect().contains(place), name);
        }
    }

    void helpAndTheSheetOfShortcutsAreMadeFromWhatIsThere() {
        const QString help = ui::helpPage();
        for (const char* words : {"RoPE", "YaRN", "Ladder"}) {
            QVERIFY2(help.contains(QLatin1StringView(words)), words);
        }
        const QString sheet = ui::shortcutPage(m_window->commands()->all());
        for (const char* keys : {"Ctrl+O", "Ctrl+Shift+Z", "F9", "Ctrl+Shift+P", "Alt+R", "Ctrl+L"}) {
            QVERIFY2(sheet.contains(QLatin1StringView(keys)), keys);
        }
    }

    void noTwoCommandsShareKeysOrIds() {
        QStringList ids;
        QStringList keys;
        for (const QAction* action : m_window->commands()->all()) {
            QVERIFY(!action->objectName().isEmpty());
            ids.append(action->objectName());
            for (const QKeySequence& sequence : action->shortcuts()) {
                keys.append(sequence.toString());
            }
        }
        QCOMPARE(ids.removeDuplicates(), 0);
        QCOMPARE(keys.removeDuplicates(), 0);
    }

    void everyControlHasANameForScreenReaders() {
        for (const QToolButton* button : m_window->findChildren<QToolButton*>()) {
            const bool isOurs =
                button->isVisible() && !button->objectName().startsWith(QStringLiteral("qt_"));
            QVERIFY2(!isOurs || !button->text().isEmpty() || !button->accessibleName().isEmpty(),
                     qPrintable(button->objectName()));
        }
    }

    void unsavedWorkOfALostRunIsOffered() {
        m_window.reset();
        const QString folder = m_folder->filePath(QStringLiteral("state/phaseladder"));
        QVERIFY(QDir().mkpath(folder));
        Scene scene;
        scene.rope.theta = 4242.0;
        QFile file(folder + QStringLiteral("/unsaved-1.pldr"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(writeScene(scene)));
        file.close();
        openWindow();
        auto* restore = m_window->findChild<QToolButton*>(QStringLiteral("message_button"));
        QVERIFY(restore->isVisible());
        restore->click();
        QCOMPARE(m_window->document()->scene(), scene);
        QVERIFY(!file.exists());
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::MainWindowTest)
#include "main_window_test.moc"
