#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <functional>
#include <memory>

#include "tests/ui/parameter_panel_test_parts.h"
#include "ui/controls/number_field.h"
#include "ui/controls/value_slider.h"
#include "ui/document.h"
#include "ui/settings.h"
#include "ui/theme.h"

using phaseladder::ui::NumberField;
using phaseladder::ui::ParameterPanel;
using phaseladder::ui::SceneDocument;
using phaseladder::ui::Settings;
using phaseladder::ui::ValueSlider;

class RowMenuTest : public QObject, private phaseladder::ui::test::ParameterPanelFixture {
    Q_OBJECT

private:
    /// Opens the context menu over a control, and looks at or chooses one of its actions.
    void withMenu(const char* over, const std::function<void(QMenu*)>& use) const {
        QTimer::singleShot(0, m_panel.get(), [&use] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            use(menu);
            menu->close();
        });
        auto* widget = find<QWidget>(over);
        QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(2, 2), widget->mapToGlobal(QPoint(2, 2)));
        QApplication::sendEvent(widget, &event);
    }

    void choose(const char* over, const char* action) const {
        withMenu(over, [action](QMenu* menu) {
            auto* found = menu->findChild<QAction*>(QLatin1StringView(action));
            QVERIFY2(found != nullptr && found->isEnabled(), action);
            found->trigger();
        });
    }

    [[nodiscard]] bool isEnabled(const char* over, const char* action) const {
        bool isEnabled = false;
        withMenu(over, [&](QMenu* menu) {
            isEnabled = menu->findChild<QAction*>(QLatin1StringView(action))->isEnabled();
        });
        return isEnabled;
    }

private Q_SLOTS:
    void initTestCase() { phaseladder::ui::applyTheme(*qApp, phaseladder::ui::ThemeKind::light); }

    void init() { showPanel(); }
    void cleanup() { closePanel(); }

    void setAsDefaultIsWhatResetGoesBackTo() {
        const QSignalSpy changed(m_document.get(), &SceneDocument::ownDefaultsChanged);
        QVERIFY(!isEnabled("label_rope.theta", "row_set_default"));
        type("field_rope.theta", "1e6");
        choose("label_rope.theta", "row_set_default");
        QCOMPARE(changed.count(), 1);
        QVERIFY(!find<QToolButton>("reset_rope.theta")->isVisible());
        type("field_rope.theta", "5");
        choose("label_rope.theta", "row_reset");
        QCOMPARE(m_document->scene().rope.theta, 1e6);
        type("field_rope.theta", "5");
        m_document->resetAll();
        QCOMPARE(m_document->scene().rope.theta, 1e6);
        choose("label_rope.theta", "row_built_in_default");
        QVERIFY(!isEnabled("label_rope.theta", "row_built_in_default"));
        m_document->resetAll();
        QCOMPARE(m_document->scene().rope.theta, 1e4);
    }

    void theMenuIsOnEveryKindOfRow() {
        chooseYarn();
        choose("field_scaling", "row_set_default");
        type("field_scaling.beta_slow", "2");
        choose("label_ramp", "row_set_default");
        QVERIFY(m_document->ownDefaults().find(QStringLiteral("scaling.beta_fast")) != nullptr);
        m_document->startNew();
        QCOMPARE(m_document->scene().scaling.method, std::string("yarn"));
        QCOMPARE(m_document->scene().scaling.betaSlow, 2.0);
        choose("label_ramp", "row_copy");
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("2 32"));
        QApplication::clipboard()->setText(QStringLiteral("3 40"));
        choose("label_ramp", "row_paste");
        QCOMPARE(m_document->scene().scaling.betaFast, 40.0);
    }

    void aPairIsPastedAsOneStepOrRefusedWhole() {
        chooseYarn();
        const int steps = m_document->undoStack()->count();
        QApplication::clipboard()->setText(QStringLiteral("40 60"));
        choose("label_ramp", "row_paste");
        QCOMPARE(m_document->scene().scaling.betaSlow, 40.0);
        QCOMPARE(m_document->scene().scaling.betaFast, 60.0);
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
        QApplication::clipboard()->setText(QStringLiteral("50 45"));
        choose("label_ramp", "row_paste");
        QCOMPARE(find<QLabel>("refusal_ramp")->text(),
                 QStringLiteral("beta_fast must be larger than beta_slow (45 < 50)."));
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scene().scaling.betaSlow, 1.0);
        QCOMPARE(m_document->scene().scaling.betaFast, 32.0);
    }

    void theSliderFormChangesTheSliderNotTheScene() {
        choose("label_rope.theta", "row_slider");
        auto* form = m_panel->findChild<QWidget*>(QStringLiteral("slider_form"));
        QVERIFY(form != nullptr && form->isVisible());
        const auto enter = [form](const char* name, const char* text) {
            auto* field = form->findChild<NumberField*>(QLatin1StringView(name));
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, QLatin1StringView(text));
            QTest::keyClick(field, Qt::Key_Return);
            return field->isWrong();
        };
        const auto* slider = find<ValueSlider>("slider_rope.theta");
        QVERIFY(!enter("slider_form_minimum", "1k"));
        QVERIFY(!enter("slider_form_maximum", "100k"));
        QVERIFY(!enter("slider_form_step", "250"));
        QCOMPARE(slider->mapping().minimum, 1e3);
        QCOMPARE(slider->mapping().maximum, 1e5);
        QTest::mouseClick(form->findChild<QRadioButton*>(QStringLiteral("segment_scale_linear")),
                          Qt::LeftButton);
        QCOMPARE(slider->mapping().scale, phaseladder::SliderScale::linear);
        QVERIFY(enter("slider_form_minimum", "-1"));
        QCOMPARE(form->findChild<QLabel*>(QStringLiteral("slider_form_refusal"))->text(),
                 QStringLiteral("Minimum of Theta base must be > 0 (got -1)."));
        QCOMPARE(slider->mapping().minimum, 1e3);
        QTest::mouseClick(form->findChild<QToolButton*>(QStringLiteral("slider_form_back")), Qt::LeftButton);
        QCOMPARE(slider->mapping(),
                 phaseladder::ui::SliderMapping::of(*phaseladder::findParameter("rope.theta")));
        QVERIFY(!enter("slider_form_step", "250"));
        auto* step = form->findChild<NumberField*>(QStringLiteral("slider_form_step"));
        QTest::keyClick(step, Qt::Key_Escape);
        QVERIFY(!form->isVisible());
        QCOMPARE(m_document->undoStack()->count(), 0);
        auto* moved = find<ValueSlider>("slider_rope.theta");
        moved->setFocus();
        QTest::keyClick(moved, Qt::Key_Right);
        QCOMPARE(m_document->scene().rope.theta, 10250.0);
        auto* field = find<QLineEdit>("field_rope.theta");
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Down);
        QCOMPARE(m_document->scene().rope.theta, 10000.0);
    }

    void changedSlidersAreThereAfterARestart() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("phaseladder.ini"));
        const phaseladder::Parameter& theta = *phaseladder::findParameter("rope.theta");
        Settings(path).setSlider(theta, {{}, 1e7, {}, {}});
        Settings settings(path);
        m_panel = std::make_unique<ParameterPanel>(m_document.get(), &settings);
        QCOMPARE(find<ValueSlider>("slider_rope.theta")->mapping().maximum, 1e7);
        m_panel.reset();
    }

    void whatIsTypedInTheFormHoldsWhenItIsLeftOrDestroyed() {
        for (const bool isDestroyed : {false, true}) {
            choose("label_rope.theta", "row_slider");
            auto* form = m_panel->findChild<QWidget*>(QStringLiteral("slider_form"));
            auto* field = form->findChild<NumberField*>(QStringLiteral("slider_form_maximum"));
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, QStringLiteral("1e7"));
            if (isDestroyed) {
                m_panel.reset();
            } else {
                form->close();
                QCOMPARE(find<ValueSlider>("slider_rope.theta")->mapping().maximum, 1e7);
                QCoreApplication::sendPostedEvents(form, QEvent::DeferredDelete);
            }
        }
    }
};

QTEST_MAIN(RowMenuTest)
#include "row_menu_test.moc"
