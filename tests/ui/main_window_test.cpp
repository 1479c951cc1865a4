#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QMimeData>
#include <QRadioButton>
#include <QToolButton>
#include <QUrl>
#include <QWhatsThis>

#include <algorithm>

#include "core/scene_json.h"
#include "tests/ui/main_window_test_parts.h"
#include "ui/controls/token_chips.h"
#include "ui/controls/token_strip.h"
#include "ui/document.h"
#include "ui/figure/panel_view.h"
#include "ui/message_bar.h"
#include "ui/theme.h"

namespace phaseladder::ui::test {

class MainWindowTest : public QObject, private MainWindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { startProgram(); }

    void cleanup() { m_window.reset(); }

    void startsWithFourFiguresAndAReading() {
        QCOMPARE(shownPanes(), 4);
        QCOMPARE(m_window->panes()->figureIds(),
                 (QStringList{QStringLiteral("ladder"), QStringLiteral("attention"), QStringLiteral("phases"),
                              QStringLiteral("ramp")}));
        for (const FigurePane* pane : m_window->panes()->panes()) {
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
        const FigurePane* pane = m_window->panes()->panes().first();
        const Result<Figure> expected = fresh.figure(m_window->document()->scene(), pane->request());
        QCOMPARE(pane->figure().table.back().values, expected->table.back().values);
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
        const auto* bar = m_window->findChild<MessageBar*>();
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

    void settingsOpenByKeysAndFollowChoices() {
        QTest::keyClick(m_window.get(), Qt::Key_Comma, Qt::ControlModifier);
        auto* dialog = m_window->findChild<QDialog*>(QStringLiteral("settings_dialog"));
        QVERIFY(dialog != nullptr && dialog->isVisible());
        dialog->findChild<QRadioButton*>(QStringLiteral("segment_setting_theme_dark"))->click();
        QVERIFY(currentTheme() == ThemeKind::dark);
        QVERIFY(command("action_dark")->isChecked());
        dialog->findChild<QRadioButton*>(QStringLiteral("segment_setting_theme_light"))->click();
        QVERIFY(currentTheme() == ThemeKind::light);
        dialog->findChild<QRadioButton*>(QStringLiteral("segment_setting_motion_off"))->click();
        QVERIFY(!reducedMotion());
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
