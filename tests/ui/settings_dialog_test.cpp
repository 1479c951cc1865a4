#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <memory>

#include "ui/controls/choice_box.h"
#include "ui/controls/key_field.h"
#include "ui/dialogs/help_dialog.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/settings.h"
#include "ui/shortcuts.h"

namespace phaseladder::ui::test {
using phaseladder::ui::KeyField;
using phaseladder::ui::Settings;
using phaseladder::ui::SettingsDialog;
using phaseladder::ui::Shortcuts;

/// A window with four commands in two menus stands for the program's own.
class SettingsDialogTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<QMainWindow> m_window;
    QList<QAction*> m_actions;
    std::unique_ptr<Shortcuts> m_shortcuts;
    std::unique_ptr<SettingsDialog> m_dialog;

    QAction* add(QMenu* menu, const char* id, const char* text, const QList<QKeySequence>& keys) {
        QAction* action = menu->addAction(QString::fromUtf8(text));
        action->setObjectName(QLatin1StringView(id));
        action->setProperty("commandGroup", menu->title().remove(QLatin1Char('&')));
        action->setShortcuts(keys);
        m_actions.append(action);
        return action;
    }

    /// The program, started again with the same settings.
    void start() {
        m_dialog.reset();
        m_shortcuts.reset();
        m_actions.clear();
        m_settings = std::make_unique<Settings>(m_folder->filePath(QStringLiteral("phaseladder.ini")));
        m_window = std::make_unique<QMainWindow>();
        QMenu* file = m_window->menuBar()->addMenu(QStringLiteral("&File"));
        QMenu* view = m_window->menuBar()->addMenu(QStringLiteral("&View"));
        add(file, "action_open", "&Open…", {QKeySequence(QStringLiteral("Ctrl+O"))});
        add(file, "action_export", "&Export", {QKeySequence(QStringLiteral("Ctrl+E"))});
        add(view, "action_zoom", "&Zoom",
            {QKeySequence(QStringLiteral("Ctrl++")), QKeySequence(QStringLiteral("Ctrl+="))});
        add(view, "action_reverse", "&Reverse", {});
        m_shortcuts = std::make_unique<Shortcuts>(m_actions, m_settings.get());
    }

    void open() {
        m_dialog = std::make_unique<SettingsDialog>(m_settings.get(), m_shortcuts.get());
        m_dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    }

    template <class Part>
    Part* part(const char* name) const {
        auto* found = m_dialog->findChild<Part*>(QLatin1StringView(name));
        if (found == nullptr) {
            qFatal("no %s", name);
        }
        return found;
    }

    QTreeWidgetItem* rowOf(const QAction* action) const {
        for (QTreeWidgetItemIterator row(part<QTreeWidget>("shortcut_list")); *row != nullptr; ++row) {
            if ((*row)->data(0, Qt::UserRole).value<QAction*>() == action) {
                return *row;
            }
        }
        return nullptr;
    }

    void mark(const QAction* action) const {
        part<QTabWidget>("settings_pages")->setCurrentIndex(1);
        part<QTreeWidget>("shortcut_list")->setCurrentItem(rowOf(action));
    }

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers) const {
        part<KeyField>("shortcut_keys")->setFocus();
        QTest::keyClick(part<KeyField>("shortcut_keys"), key, modifiers);
    }

    QString refusal() const { return part<QLabel>("shortcut_refusal")->text(); }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        start();
        open();
    }

    void cleanup() {
        m_dialog.reset();
        m_shortcuts.reset();
        m_window.reset();
    }

    void everyCommandIsListedByMenuWithItsKeys() {
        auto* list = part<QTreeWidget>("shortcut_list");
        QCOMPARE(list->topLevelItemCount(), 2);
        QCOMPARE(list->topLevelItem(0)->text(0), QStringLiteral("File"));
        QCOMPARE(list->topLevelItem(0)->childCount(), 2);
        QCOMPARE(rowOf(m_actions[0])->text(0), QStringLiteral("Open"));
        QCOMPARE(rowOf(m_actions[0])->text(1), QStringLiteral("Ctrl+O"));
        QCOMPARE(rowOf(m_actions[3])->text(1), QString());
    }

    void newKeysHoldAtOnceAndAtTheNextStart() {
        mark(m_actions[3]);
        press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(refusal(), QString());
        QCOMPARE(m_actions[3]->shortcut(), QKeySequence(QStringLiteral("Ctrl+Shift+R")));
        QCOMPARE(rowOf(m_actions[3])->text(1), QStringLiteral("Ctrl+Shift+R"));
        QVERIFY(ui::shortcutPage(m_actions).contains(QStringLiteral("Ctrl+Shift+R")));
        start();
        QCOMPARE(m_actions[3]->shortcut(), QKeySequence(QStringLiteral("Ctrl+Shift+R")));
        QVERIFY(m_shortcuts->isChanged(m_actions[3]));
        QVERIFY(!m_shortcuts->isChanged(m_actions[0]));
    }

    void keysOfAnotherCommandAreRefusedByItsName() {
        mark(m_actions[3]);
        press(Qt::Key_O, Qt::ControlModifier);
        QVERIFY2(refusal().contains(QStringLiteral("Ctrl+O")) &&
                     refusal().contains(QStringLiteral("“Open”")) &&
                     refusal().contains(QStringLiteral("File")),
                 qPrintable(refusal()));
        QVERIFY(m_actions[3]->shortcut().isEmpty());
        QCOMPARE(m_actions[0]->shortcut(), QKeySequence(QStringLiteral("Ctrl+O")));
        QVERIFY(part<KeyField>("shortcut_keys")->keySequence().isEmpty());
        press(Qt::Key_Equal, Qt::ControlModifier);  // not only the first keys of a command count
        QVERIFY2(refusal().contains(QStringLiteral("Zoom")), qPrintable(refusal()));
        mark(m_actions[0]);
        QCOMPARE(refusal(), QString());
    }

    void keysThatControlsAndMenusNeedAreRefused() {
        mark(m_actions[3]);
        press(Qt::Key_Left, Qt::NoModifier);
        QVERIFY(!refusal().isEmpty());
        press(Qt::Key_V, Qt::AltModifier);
        QVERIFY2(refusal().contains(QStringLiteral("View")), qPrintable(refusal()));
        QVERIFY(m_actions[3]->shortcut().isEmpty());
    }

    void aSignCountsWithoutTheShiftThatMakesIt() {
        mark(m_actions[3]);
        press(Qt::Key_Question, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_actions[3]->shortcut(), QKeySequence(QStringLiteral("Ctrl+?")));
    }

    void backspaceTakesTheKeysAway() {
        mark(m_actions[0]);
        press(Qt::Key_Backspace, Qt::NoModifier);
        QVERIFY(m_actions[0]->shortcuts().isEmpty());
        start();
        QVERIFY(m_actions[0]->shortcuts().isEmpty());
    }

    void oneIsResetUnlessItsKeysAreTaken() {
        auto* reset = part<QPushButton>("shortcut_reset");
        mark(m_actions[0]);
        QVERIFY(!reset->isEnabled());
        press(Qt::Key_F7, Qt::NoModifier);
        mark(m_actions[3]);
        press(Qt::Key_O, Qt::ControlModifier);
        QCOMPARE(m_actions[3]->shortcut(), QKeySequence(QStringLiteral("Ctrl+O")));
        mark(m_actions[0]);
        reset->click();
        QVERIFY2(refusal().contains(QStringLiteral("Reverse")), qPrintable(refusal()));
        QCOMPARE(m_actions[0]->shortcut(), QKeySequence(Qt::Key_F7));
        mark(m_actions[3]);
        reset->click();
        mark(m_actions[0]);
        reset->click();
        QCOMPARE(refusal(), QString());
        QCOMPARE(m_actions[0]->shortcut(), QKeySequence(QStringLiteral("Ctrl+O")));
        QVERIFY(!reset->isEnabled());
    }

    void allAreReset() {
        mark(m_actions[2]);
        press(Qt::Key_F7, Qt::NoModifier);
        mark(m_actions[0]);
        press(Qt::Key_F8, Qt::NoModifier);
        part<QPushButton>("settings_restore")->click();
        QCOMPARE(m_actions[0]->shortcut(), QKeySequence(QStringLiteral("Ctrl+O")));
        QCOMPARE(m_actions[2]->shortcuts().size(), 2);
        QCOMPARE(rowOf(m_actions[0])->text(1), QStringLiteral("Ctrl+O"));
        QVERIFY(m_settings->shortcuts().isEmpty());
    }

    void swappedKeysComeBack() {
        mark(m_actions[0]);
        press(Qt::Key_F7, Qt::NoModifier);
        mark(m_actions[1]);
        press(Qt::Key_O, Qt::ControlModifier);
        mark(m_actions[0]);
        press(Qt::Key_E, Qt::ControlModifier);
        start();
        QCOMPARE(m_actions[0]->shortcut(), QKeySequence(QStringLiteral("Ctrl+E")));
        QCOMPARE(m_actions[1]->shortcut(), QKeySequence(QStringLiteral("Ctrl+O")));
    }

    void rememberedKeysThatCannotBeAreIgnored() {
        m_settings->setShortcuts({{QStringLiteral("action_open"), QStringLiteral("Ctrl+E")},
                                  {QStringLiteral("action_zoom"), QStringLiteral("nonsense")},
                                  {QStringLiteral("action_reverse"), QStringLiteral("Tab")},
                                  {QStringLiteral("action_gone"), QStringLiteral("F6")}});
        start();
        QCOMPARE(m_actions[0]->shortcut(), QKeySequence(QStringLiteral("Ctrl+O")));
        QCOMPARE(m_actions[1]->shortcut(), QKeySequence(QStringLiteral("Ctrl+E")));
        QCOMPARE(m_actions[2]->shortcuts().size(), 2);
        QVERIFY(m_actions[3]->shortcuts().isEmpty());
    }

    void rememberedKeysThatOpenAMenuAreIgnored() {
        m_settings->setShortcuts({{QStringLiteral("action_open"), QStringLiteral("Alt+F")}});
        start();
        QCOMPARE(m_actions[0]->shortcut(), QKeySequence(QStringLiteral("Ctrl+O")));
    }

    void wordsNarrowTheList() {
        part<QTabWidget>("settings_pages")->setCurrentIndex(1);
        QTest::keyClicks(part<QLineEdit>("shortcut_words"), QStringLiteral("view zo"));
        QVERIFY(!rowOf(m_actions[2])->isHidden());
        QVERIFY(rowOf(m_actions[0])->isHidden());
        QVERIFY(part<QTreeWidget>("shortcut_list")->topLevelItem(0)->isHidden());
        QVERIFY(part<QLabel>("shortcut_command")->text().contains(QStringLiteral("Zoom")));
        part<QLineEdit>("shortcut_words")->setText(QStringLiteral("nothing of the kind"));
        QVERIFY(!part<KeyField>("shortcut_keys")->isEnabled());
        part<QLineEdit>("shortcut_words")->clear();
        QVERIFY(!rowOf(m_actions[0])->isHidden());
    }

    void itWorksByKeysAndEscLeavesTheFieldThenTheDialog() {
        part<QTabWidget>("settings_pages")->setCurrentIndex(1);
        auto* list = part<QTreeWidget>("shortcut_list");
        mark(m_actions[0]);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Return);
        auto* keys = part<KeyField>("shortcut_keys");
        QVERIFY(keys->hasFocus());
        QTest::keyClick(keys, Qt::Key_F7);
        QCOMPARE(m_actions[1]->shortcut(), QKeySequence(Qt::Key_F7));
        QTest::keyClick(keys, Qt::Key_Tab);
        QVERIFY(!keys->hasFocus());
        keys->setFocus();
        QTest::keyClick(keys, Qt::Key_Escape);
        QVERIFY(list->hasFocus() && m_dialog->isVisible());
        QTest::keyClick(list, Qt::Key_Escape);
        QVERIFY(!m_dialog->isVisible());
    }

    void looksAreChosenAtOnceAndRestored() {
        QSignalSpy themes(m_dialog.get(), &SettingsDialog::themeChosen);
        QSignalSpy motions(m_dialog.get(), &SettingsDialog::motionChosen);
        QSignalSpy maps(m_dialog.get(), &SettingsDialog::colormapChosen);
        part<QRadioButton>("segment_setting_theme_dark")->click();
        QCOMPARE(themes.last().first().value<ui::ThemeChoice>(), ui::ThemeChoice::dark);
        part<QRadioButton>("segment_setting_motion_on")->click();
        QCOMPARE(motions.last().first().value<ui::MotionChoice>(), ui::MotionChoice::reduced);
        auto* map = part<ui::ChoiceBox>("setting_colormap");
        map->setFocus();
        QTest::keyClick(map, Qt::Key_Down);
        QCOMPARE(maps.last().first().toString(), QStringLiteral("cividis"));
        part<QPushButton>("settings_restore")->click();
        QCOMPARE(themes.last().first().value<ui::ThemeChoice>(), ui::ThemeChoice::system);
        QCOMPARE(motions.last().first().value<ui::MotionChoice>(), ui::MotionChoice::system);
        QCOMPARE(maps.last().first().toString(), QStringLiteral("viridis"));
        QVERIFY(part<QRadioButton>("segment_setting_theme_system")->isChecked());
        QCOMPARE(map->current(), QStringLiteral("viridis"));
    }

    void theHelperCommandIsToldWhenItIsEnteredAndResetToNone() {
        m_settings->setHelperCommand(QStringLiteral("ssh host phaseladder-gpu"));
        open();
        auto* field = part<QLineEdit>("setting_helper");
        QCOMPARE(field->text(), QStringLiteral("ssh host phaseladder-gpu"));
        part<QTabWidget>("settings_pages")->setCurrentIndex(2);
        QSignalSpy chosen(m_dialog.get(), &SettingsDialog::helperChosen);
        field->setText(QStringLiteral(" other \"two words\" "));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(chosen.last().first().toString(), QStringLiteral("other \"two words\""));
        QVERIFY(m_dialog->isVisible());
        part<QPushButton>("settings_restore")->click();
        QVERIFY(field->text().isEmpty() && chosen.last().first().toString().isEmpty());
    }

    void everyControlHasAName() {
        for (const QWidget* control : m_dialog->findChildren<QWidget*>()) {
            const bool isOurs = control->focusPolicy() != Qt::NoFocus && !control->objectName().isEmpty() &&
                                !control->objectName().startsWith(QStringLiteral("qt_"));
            const auto* button = qobject_cast<const QAbstractButton*>(control);
            const bool hasText = button != nullptr && !button->text().isEmpty();
            QVERIFY2(!isOurs || hasText || !control->accessibleName().isEmpty(),
                     qPrintable(control->objectName()));
        }
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::SettingsDialogTest)
#include "settings_dialog_test.moc"
