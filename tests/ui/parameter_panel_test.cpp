#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <memory>

#include "core/encodings/encoding.h"
#include "core/ladder/scaling.h"
#include "tests/ui/parameter_panel_test_parts.h"
#include "ui/controls/number_field.h"
#include "ui/controls/pair_row.h"
#include "ui/controls/range_slider.h"
#include "ui/controls/value_slider.h"
#include "ui/document.h"
#include "ui/settings.h"
#include "ui/theme.h"

using phaseladder::ui::NumberField;
using phaseladder::ui::PairRow;
using phaseladder::ui::ParameterPanel;
using phaseladder::ui::RangeSlider;
using phaseladder::ui::SceneDocument;
using phaseladder::ui::Settings;
using phaseladder::ui::ValueSlider;

class ParameterPanelTest : public QObject, private phaseladder::ui::test::ParameterPanelFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { phaseladder::ui::applyTheme(*qApp, phaseladder::ui::ThemeKind::light); }

    void init() { showPanel(); }
    void cleanup() { closePanel(); }

    void everyControlHasANameForPeopleAndTests() {
        const auto checkNames = [this] {
            for (const QWidget* widget : m_panel->findChildren<QWidget*>()) {
                if (widget->isVisible() && (widget->focusPolicy() & Qt::TabFocus) != 0) {
                    QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
                    QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
                }
            }
        };
        for (const std::string scaling : {"none", "yarn", "longrope"}) {
            m_document->setParameter(QStringLiteral("scaling"), scaling);
            checkNames();
        }
        m_document->setParameter(QStringLiteral("rope.axes"), std::string("mrope"));
        checkNames();
        for (const phaseladder::Encoding& encoding : phaseladder::encodings()) {
            m_document->setParameter(QStringLiteral("encoding"), encoding.id);
            checkNames();
        }
    }

    void typedFormsAreRead_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("theta");
        QTest::newRow("1e6") << QByteArray("1e6") << 1e6;
        QTest::newRow("2^20") << QByteArray("2^20") << 1048576.0;
        QTest::newRow("spaces") << QByteArray("1 000 000") << 1e6;
        QTest::newRow("underscores") << QByteArray("1_000_000") << 1e6;
        QTest::newRow("500k") << QByteArray("500k") << 500000.0;
        QTest::newRow("a quarter") << QByteArray("1/4") << 0.25;
        QTest::newRow("2*pi") << QByteArray("2*pi") << 6.283185307179586;
        QTest::newRow("exact") << QByteArray("12345.678901234") << 12345.678901234;
    }
    void typedFormsAreRead() {
        QFETCH(QByteArray, text);
        QFETCH(double, theta);
        type("field_rope.theta", text.constData());
        QCOMPARE(m_document->scene().rope.theta, theta);
        QCOMPARE(find<ValueSlider>("slider_rope.theta")->value(), theta);
        QCOMPARE(m_document->undoStack()->count(), 1);
    }

    void wrongTextIsFramedAndKeptAndTheOldValueStays() {
        const QSignalSpy refused(m_panel.get(), &ParameterPanel::refused);
        type("field_rope.theta", "abc");
        auto* field = find<NumberField>("field_rope.theta");
        QVERIFY(field->isWrong());
        QCOMPARE(field->text(), QStringLiteral("abc"));
        QCOMPARE(m_document->scene().rope.theta, 10000.0);
        QCOMPARE(refused.count(), 1);
        QVERIFY(find<QLabel>("refusal_rope.theta")->isVisible());
        find<QLineEdit>("field_seed")->setFocus();
        QCOMPARE(field->text(), QStringLiteral("abc"));
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!field->isWrong());
        QCOMPARE(field->text(), QStringLiteral("10000"));
        QVERIFY(!find<QLabel>("refusal_rope.theta")->isVisible());
    }

    void hardLimitsAreNamed() {
        type("field_rope.theta", "-10000");
        QVERIFY(find<NumberField>("field_rope.theta")->isWrong());
        QVERIFY(find<QLabel>("refusal_rope.theta")->text().contains(QStringLiteral("-10000")));
        type("field_head_dim", "63");
        QVERIFY(find<QLabel>("refusal_head_dim")->text().contains(QStringLiteral("62 or 64")));
        QCOMPARE(m_document->scene().headDim, 64);
    }

    void leavingTheFieldApplies() {
        auto* field = find<QLineEdit>("field_rope.theta");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("2e5"));
        QCOMPARE(m_document->scene().rope.theta, 10000.0);
        find<QLineEdit>("field_seed")->setFocus();
        QCOMPARE(m_document->scene().rope.theta, 200000.0);
        QVERIFY(field->text() != QStringLiteral("200000"));  // grouped for people
    }

    void escapeRevertsWithoutAStep() {
        auto* field = find<QLineEdit>("field_rope.theta");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("7"));
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(field->text(), QStringLiteral("10000"));
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void alphaIsOneOverTheFactor() {
        chooseYarn();
        type("field_scaling.factor", "2");
        QCOMPARE(find<QLineEdit>("alphaField")->text(), QStringLiteral("1/2"));
        type("alphaField", "1/4");
        QCOMPARE(m_document->scene().scaling.factor, 4.0);
        type("alphaField", "1/49");
        QCOMPARE(m_document->scene().scaling.factor, 49.0);
        type("alphaField", "4");
        QVERIFY(find<NumberField>("alphaField")->isWrong());
        QCOMPARE(m_document->scene().scaling.factor, 49.0);
    }

    void aDragIsOneStepAndUndoIsExact() {
        m_document->setParameter(QStringLiteral("rope.theta"), 483321.123456789);
        auto* slider = find<ValueSlider>("slider_rope.theta");
        const QPoint from = slider->handleCentre().toPoint();
        QTest::mousePress(slider, Qt::LeftButton, Qt::NoModifier, from);
        for (int x = 1; x <= 80; ++x) {
            QTest::mouseMove(slider, from + QPoint(x, 0));
        }
        QTest::mouseRelease(slider, Qt::LeftButton, Qt::NoModifier, from + QPoint(80, 0));
        QCOMPARE(m_document->undoStack()->count(), 2);
        QVERIFY(m_document->scene().rope.theta > 1e6);
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scene().rope.theta, 483321.123456789);
        QCOMPARE(slider->value(), 483321.123456789);
    }

    void keysThenTypingAreTwoSteps() {
        auto* slider = find<ValueSlider>("slider_rope.theta");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QTest::keyClick(slider, Qt::Key_Right);
        type("field_rope.theta", "1e6");
        QCOMPARE(m_document->undoStack()->count(), 2);
    }

    void keysOfTwoSlidersAreTwoSteps() {
        auto* theta = find<ValueSlider>("slider_rope.theta");
        auto* target = find<ValueSlider>("slider_length.target");
        theta->setFocus();
        QTest::keyClick(theta, Qt::Key_Right);
        target->setFocus();
        QTest::keyClick(target, Qt::Key_Right);
        QCOMPARE(m_document->undoStack()->count(), 2);
    }

    void arrowKeysInAFieldStep() {
        auto* field = find<QLineEdit>("field_head_dim");
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Up);
        QCOMPARE(m_document->scene().headDim % 2, 0);
        QVERIFY(m_document->scene().headDim > 64);
    }

    void theRampPushesInTheDocument() {
        chooseYarn();
        auto* ramp = find<RangeSlider>("ramp_slider");
        ramp->lowThumb()->setFocus();
        for (int press = 0; press < 20; ++press) {
            QTest::keyClick(ramp->lowThumb(), Qt::Key_Right);
            QVERIFY(m_document->scene().scaling.betaSlow < m_document->scene().scaling.betaFast);
        }
        QVERIFY(m_document->scene().scaling.betaFast > 32.0);
        QCOMPARE(find<QLineEdit>("field_scaling.beta_fast")->text().toDouble(),
                 m_document->scene().scaling.betaFast);
        QCOMPARE(m_document->undoStack()->count(), 2);  // the choice and one run of keys
    }

    void swappedBetasAreRefusedInTheField() {
        chooseYarn();
        type("field_scaling.beta_slow", "33");
        QCOMPARE(find<QLabel>("refusal_ramp")->text(),
                 QStringLiteral("beta_fast must be larger than beta_slow (32 < 33)."));
        QCOMPARE(m_document->scene().scaling.betaSlow, 1.0);
    }

    void theFormulasValueStandsInTheAttentionFactor() {
        chooseYarn();
        auto* field = find<QLineEdit>("field_scaling.attention_factor");
        QCOMPARE(field->text(), QStringLiteral("1.1386"));
        type("field_scaling.attention_factor", "1.5");
        QCOMPARE(m_document->scene().scaling.attentionFactor, 1.5);
    }

    void theLongestWavelengthIsTheEngines() {
        type("field_head_dim", "128");
        type("field_rope.theta", "1e6");
        QCOMPARE(find<QLabel>("readout_rope.theta")->text(),
                 QStringLiteral("longest wavelength 5.1e6 tokens"));
    }

    void resetAppearsOnlyWhenChanged() {
        auto* reset = find<QToolButton>("reset_rope.theta");
        QVERIFY(!reset->isVisible());
        type("field_rope.theta", "1e6");
        QVERIFY(reset->isVisible());
        QTest::mouseClick(reset, Qt::LeftButton);
        QCOMPARE(m_document->scene().rope.theta, 10000.0);
        QVERIFY(!reset->isVisible());
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scene().rope.theta, 1e6);
    }

    void doubleClickOnTheLabelResets() {
        type("field_rope.theta", "1e6");
        QTest::mouseDClick(find<QLabel>("label_rope.theta"), Qt::LeftButton);
        QCOMPARE(m_document->scene().rope.theta, 10000.0);
    }

    void onlyRowsThatApplyAreShown() {
        QVERIFY(!find<QWidget>("ramp_slider")->isVisible());
        chooseYarn();
        QVERIFY(find<QWidget>("ramp_slider")->isVisible());
        QTest::mouseClick(find<QRadioButton>("segment_encoding_none"), Qt::LeftButton);
        QVERIFY(!find<QWidget>("ramp_slider")->isVisible());
        QVERIFY(!find<QWidget>("field_rope.theta")->isVisible());
        QVERIFY(find<QWidget>("field_causal")->isVisible());
    }

    void nothingIsCutOffAtTheSmallestWidth() {
        m_panel->resize(300, 700);
        QCoreApplication::processEvents();
        const auto check = [this](const char* id, const std::string& value) {
            m_document->setParameter(QLatin1StringView(id), value);
            QCoreApplication::processEvents();
            const auto* content = find<QWidget>("parameterContent");
            QVERIFY2(content->width() <= content->parentWidget()->width(), value.c_str());
            for (const QWidget* widget : content->findChildren<QWidget*>()) {
                if (widget->isVisible()) {
                    const QString seen = QString::fromStdString(value) + QLatin1Char(' ') +
                                         QString::fromLatin1(widget->metaObject()->className()) +
                                         QLatin1Char(' ') + widget->objectName();
                    QVERIFY2(widget->mapTo(content, QPoint(widget->width(), 0)).x() <= content->width(),
                             qPrintable(seen));
                }
            }
        };
        for (const char* method : {"none", "yarn", "llama3", "longrope", "dynamic_ntk"}) {
            check("scaling", method);
        }
        for (const phaseladder::Choice& axes : phaseladder::findParameter("rope.axes")->choices) {
            check("rope.axes", axes.id);
        }
        for (const phaseladder::Encoding& encoding : phaseladder::encodings()) {
            check("encoding", encoding.id);
        }
    }

    void focusFieldFindsTheRow() {
        QVERIFY(m_panel->focusField(QStringLiteral("rope.theta")));
        QVERIFY(find<QLineEdit>("field_rope.theta")->hasFocus());
        QCOMPARE(m_panel->currentParameter(), QStringLiteral("rope.theta"));
        QVERIFY(!m_panel->focusField(QStringLiteral("scaling.beta_fast")));
    }

    void rowsOfRareUseAreFoldedUnderMore() {
        chooseYarn();
        const auto* mscale = find<QWidget>("field_scaling.mscale");
        auto* more = find<QToolButton>("more_Scaling");
        QVERIFY(!mscale->isVisible());
        QCOMPARE(more->text(), QStringLiteral("More (4)"));
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(mscale->isVisible());
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(!mscale->isVisible());
        QTest::mouseClick(find<QRadioButton>("segment_scaling_linear"), Qt::LeftButton);
        QVERIFY(!more->isVisible());
    }

    void aRowInUseStandsAboveMoreAndOneBeingEditedStays() {
        chooseYarn();
        auto* more = find<QToolButton>("more_Scaling");
        const auto y = [this](const char* name) {
            QCoreApplication::processEvents();
            return find<QWidget>(name)->mapTo(m_panel.get(), QPoint()).y();
        };
        m_document->openModel(QStringLiteral("deepseek-v3"));
        QVERIFY(find<QWidget>("field_scaling.mscale")->isVisible());
        QVERIFY(y("field_scaling.mscale") < y("more_Scaling"));
        m_document->undoStack()->undo();
        QVERIFY(!find<QWidget>("field_scaling.mscale")->isVisible());
        QTest::mouseClick(more, Qt::LeftButton);
        type("field_scaling.mscale", "0.7");
        QVERIFY(y("field_scaling.mscale") > y("more_Scaling"));
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(find<QWidget>("field_scaling.mscale")->isVisible());
        QVERIFY(y("field_scaling.mscale") < y("more_Scaling"));
    }

    void whileUnfoldedARowThatReachesItsDefaultKeepsItsPlace() {
        chooseYarn();
        m_document->openModel(QStringLiteral("deepseek-v3"));
        auto* more = find<QToolButton>("more_Scaling");
        QTest::mouseClick(more, Qt::LeftButton);
        const auto isAbove = [&] {
            QCoreApplication::processEvents();
            const auto y = [this](const QWidget* widget) {
                return widget->mapTo(m_panel.get(), QPoint()).y();
            };
            return y(find<QWidget>("field_scaling.mscale")) < y(more);
        };
        QVERIFY(isAbove());
        for (const char* id : {"scaling.mscale", "scaling.mscale_all_dim"}) {
            m_document->setParameter(QLatin1StringView(id),
                                     phaseladder::findParameter(id)->get(phaseladder::Scene()));
        }
        QVERIFY(isAbove());
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(!find<QWidget>("field_scaling.mscale")->isVisible());
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(!isAbove());
    }

    void aRowWithTheFocusIsFoldedWhenTheFocusLeaves() {
        chooseYarn();
        m_document->setParameter(QStringLiteral("scaling.truncate"), false);
        auto* toggle = find<QWidget>("field_scaling.truncate");
        QVERIFY(toggle->isVisible());
        toggle->setFocus();
        QTest::keyClick(toggle, Qt::Key_Space);
        QVERIFY(m_document->scene().scaling.truncate);
        QVERIFY(toggle->isVisible() && toggle->hasFocus());
        find<QToolButton>("more_Scaling")->setFocus();  // which may be about to be pressed
        QVERIFY(toggle->isVisible());
        find<QLineEdit>("field_rope.theta")->setFocus();
        QVERIFY(!toggle->isVisible());
        QCOMPARE(find<QToolButton>("more_Scaling")->text(), QStringLiteral("More (4)"));
    }

    void focusUnfoldsARow() {
        chooseYarn();
        QVERIFY(m_panel->focusField(QStringLiteral("scaling.mscale")));
        QVERIFY(find<QLineEdit>("field_scaling.mscale")->hasFocus());
    }

    void tabFollowsTheEye() {
        chooseYarn();
        m_document->openModel(QStringLiteral("deepseek-v3"));
        QTest::mouseClick(find<QToolButton>("more_Scaling"), Qt::LeftButton);
        int lastY = -1;
        auto* group = find<QWidget>("group_Scaling");
        QVERIFY(m_panel->focusField(QStringLiteral("scaling.factor")));
        while (group->isAncestorOf(QApplication::focusWidget())) {
            const QWidget* row = QApplication::focusWidget();
            while (row->parentWidget() != group) {
                row = row->parentWidget();
            }
            QVERIFY2(row->y() >= lastY, qPrintable(QApplication::focusWidget()->objectName()));
            lastY = row->y();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QVERIFY(lastY > find<QToolButton>("more_Scaling")->y());
    }

    void aWarningStandsAtItsControl() {
        QVERIFY(m_panel->findChild<QToolButton*>(QStringLiteral("note_rope.theta")) == nullptr);
        type("field_rope.theta", "1/4");
        const auto* note = find<QToolButton>("note_rope.theta");
        QVERIFY(note->isVisible());
        QVERIFY(note->accessibleName().contains(QStringLiteral("below 1")));
        QVERIFY(
            find<QLineEdit>("field_rope.theta")->accessibleDescription().contains(QStringLiteral("below 1")));
        type("field_rope.theta", "1e4");
        QVERIFY(!note->isVisible());
        chooseYarn();
        type("field_scaling.factor", "8");
        QVERIFY(find<QToolButton>("note_scaling.factor")->isVisible());
    }

    void aFieldHasItsOwnDescriptionAgainAfterANote() {
        chooseYarn();
        auto* field = find<QLineEdit>("field_scaling.beta_slow");
        const QString own = field->accessibleDescription();
        for (auto* row : m_panel->findChildren<PairRow*>()) {
            if (row->isAncestorOf(field)) {
                row->showNotes({QStringLiteral("Careful.")}, true);
                QCOMPARE(field->accessibleDescription(), QStringLiteral("Careful.\n") + own);
                row->showNotes({}, false);
            }
        }
        QVERIFY(!own.isEmpty());
        QCOMPARE(field->accessibleDescription(), own);
    }

    void readoutsSayWhatAValueLeadsTo() {
        chooseYarn();
        QCOMPARE(find<QLabel>("readout_length.target")->text(), QStringLiteral("4 × the trained length"));
        const QString ramp = find<QLabel>("readout_ramp")->text();
        int pairs = 0;
        for (const QString& word : ramp.split(QLatin1Char(' '))) {
            pairs += word.toInt();
        }
        QCOMPARE(pairs, 32);
        type("field_scaling.attention_factor", "2");
        QCOMPARE(find<QLabel>("readout_scaling.attention_factor")->text(),
                 QStringLiteral("logits of rotated channels × 4"));
    }
};

QTEST_MAIN(ParameterPanelTest)
#include "parameter_panel_test.moc"
