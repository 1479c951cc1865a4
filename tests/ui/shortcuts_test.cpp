#include "ui/shortcuts.h"

#include <QApplication>
#include <QDialog>
#include <QLineEdit>
#include <QListView>
#include <QTextBrowser>
#include <QToolButton>

#include <utility>

#include "tests/ui/main_window_test_parts.h"
#include "ui/controls/parameter_panel.h"
#include "ui/controls/token_strip.h"
#include "ui/dialogs/help_dialog.h"
#include "ui/document.h"

namespace phaseladder::ui::test {

class ShortcutsTest : public QObject, private MainWindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { startProgram(); }

    void cleanup() { m_window.reset(); }

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
                                                            {"P", "pin"},
                                                            {"D", "compare_next"},
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

    void helpAndTheSheetOfShortcutsAreMadeFromWhatIsThere() {
        const QString help = helpPage();
        for (const char* words : {"RoPE", "YaRN", "Ladder"}) {
            QVERIFY2(help.contains(QLatin1StringView(words)), words);
        }
        const QString sheet = shortcutPage(m_window->commands()->all());
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
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::ShortcutsTest)
#include "shortcuts_test.moc"
