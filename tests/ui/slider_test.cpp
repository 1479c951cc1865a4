#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

#include "ui/controls/range_slider.h"
#include "ui/controls/slider_change.h"
#include "ui/controls/value_slider.h"
#include "ui/theme.h"

using phaseladder::findParameter;
using phaseladder::SliderScale;
using phaseladder::ui::mappingOf;
using phaseladder::ui::RangeSlider;
using phaseladder::ui::refusalOf;
using phaseladder::ui::SliderChange;
using phaseladder::ui::sliderChangeFrom;
using phaseladder::ui::SliderMapping;
using phaseladder::ui::textsOf;
using phaseladder::ui::ValueSlider;
using phaseladder::ui::withoutOwn;

class SliderTest : public QObject {
    Q_OBJECT

private:
    const SliderMapping m_theta{SliderScale::log10, 1e2, 1e8, {1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}, 0};
    const SliderMapping m_turns{SliderScale::log2, 0.25, 128.0, {0.25, 1, 4, 16, 32, 128}, 0};

    static void show(QWidget& widget) {
        widget.resize(300, widget.sizeHint().height());
        widget.show();
        widget.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&widget));
    }

    static void drag(QWidget* widget, const QPoint& from, int pixels,
                     Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mousePress(widget, Qt::LeftButton, modifiers, from);
        for (int step = 1; step <= 20; ++step) {
            QMouseEvent move(QEvent::MouseMove, QPointF(from.x() + pixels * step / 20.0, from.y()),
                             widget->mapToGlobal(from), Qt::NoButton, Qt::LeftButton, modifiers);
            QApplication::sendEvent(widget, &move);
        }
        QTest::mouseRelease(widget, Qt::LeftButton, modifiers, from + QPoint(pixels, 0));
    }

private Q_SLOTS:
    void initTestCase() { phaseladder::ui::applyTheme(*qApp, phaseladder::ui::ThemeKind::light); }

    void placesAndValuesAreInverse_data() {
        QTest::addColumn<int>("scale");
        QTest::newRow("linear") << static_cast<int>(SliderScale::linear);
        QTest::newRow("log10") << static_cast<int>(SliderScale::log10);
        QTest::newRow("log2") << static_cast<int>(SliderScale::log2);
    }
    void placesAndValuesAreInverse() {
        QFETCH(int, scale);
        const SliderMapping mapping{static_cast<SliderScale>(scale), 3.0, 7000.0, {}, 0};
        for (double fraction = 0.0; fraction <= 1.0; fraction += 0.01) {
            QVERIFY(std::abs(mapping.fraction(mapping.value(fraction)) - fraction) < 1e-12);
        }
        QCOMPARE(mapping.value(0.0), 3.0);
        QCOMPARE(mapping.value(1.0), 7000.0);
    }

    void wholeAndEvenNumbersStayWholeAndEven() {
        const SliderMapping even{SliderScale::log2, 8.0, 512.0, {}, 2};
        for (double fraction = 0.0; fraction <= 1.0; fraction += 0.003) {
            QCOMPARE(std::fmod(even.tidied(even.value(fraction)), 2.0), 0.0);
        }
        const SliderMapping few{SliderScale::linear, 0.0, 7.0, {}, 1};
        QCOMPARE(few.stepped(3.0, 0.01), 4.0);
        QCOMPARE(few.stepped(3.0, -0.01), 2.0);
        QCOMPARE(few.stepped(7.0, 0.01), 7.0);
    }

    void showingAValueNeverRoundsIt() {
        ValueSlider slider(m_theta);
        show(slider);
        const QSignalSpy edited(&slider, &ValueSlider::valueEdited);
        slider.setValue(483321.123456789);
        QCOMPARE(slider.value(), 483321.123456789);
        // A press on the handle without a move is no edit.
        QTest::mouseClick(&slider, Qt::LeftButton, Qt::NoModifier, slider.handleCentre().toPoint());
        QCOMPARE(slider.value(), 483321.123456789);
        QCOMPARE(edited.count(), 0);
    }

    void aDragIsMonotoneAndOneGesture() {
        ValueSlider slider(m_theta);
        show(slider);
        slider.setValue(1e3);
        const QSignalSpy started(&slider, &ValueSlider::gestureStarted);
        const QSignalSpy ended(&slider, &ValueSlider::gestureEnded);
        const QSignalSpy edited(&slider, &ValueSlider::valueEdited);
        drag(&slider, slider.handleCentre().toPoint(), 180);
        QCOMPARE(started.count(), 1);
        QCOMPARE(ended.count(), 1);
        QVERIFY(edited.count() >= 10);
        double last = 1e3;
        for (const QList<QVariant>& arguments : edited) {
            QVERIFY(arguments[0].toDouble() > last);
            last = arguments[0].toDouble();
        }
    }

    void altDragsAtATwentiethOfTheSpeed() {
        ValueSlider slider(m_theta);
        show(slider);
        slider.setValue(1e4);
        const double before = m_theta.fraction(slider.value());
        drag(&slider, slider.handleCentre().toPoint(), 100, Qt::AltModifier);
        const double slow = m_theta.fraction(slider.value()) - before;
        slider.setValue(1e4);
        drag(&slider, slider.handleCentre().toPoint(), 100);
        const double fast = m_theta.fraction(slider.value()) - before;
        QVERIFY(std::abs(slow * 20.0 - fast) < 0.02);
    }

    void controlSnapsToTicks() {
        ValueSlider slider(m_theta);
        show(slider);
        slider.setValue(1e4);
        const QSignalSpy edited(&slider, &ValueSlider::valueEdited);
        drag(&slider, slider.handleCentre().toPoint(), 110, Qt::ControlModifier);
        QVERIFY(edited.count() > 0);
        for (const QList<QVariant>& arguments : edited) {
            const double exponent = std::log10(arguments[0].toDouble());
            QCOMPARE(exponent, std::round(exponent));
        }
    }

    void aPressOnTheTrackJumps() {
        ValueSlider slider(m_theta);
        show(slider);
        slider.setValue(1e2);
        QTest::mouseClick(&slider, Qt::LeftButton, Qt::NoModifier, QPoint(slider.width() / 2, 10));
        QVERIFY(std::abs(std::log10(slider.value()) - 5.0) < 0.05);
    }

    void keysStepByFractionsOfTheRange_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
        QTest::addColumn<double>("decades");
        QTest::newRow("Right") << int{Qt::Key_Right} << Qt::KeyboardModifiers() << 0.3;
        QTest::newRow("Up") << int{Qt::Key_Up} << Qt::KeyboardModifiers() << 0.3;
        QTest::newRow("Left") << int{Qt::Key_Left} << Qt::KeyboardModifiers() << -0.3;
        QTest::newRow("Shift+Right") << int{Qt::Key_Right} << Qt::KeyboardModifiers(Qt::ShiftModifier)
                                     << 0.06;
        QTest::newRow("PageUp") << int{Qt::Key_PageUp} << Qt::KeyboardModifiers() << 0.6;
        QTest::newRow("PageDown") << int{Qt::Key_PageDown} << Qt::KeyboardModifiers() << -0.6;
    }
    void keysStepByFractionsOfTheRange() {
        QFETCH(int, key);
        QFETCH(Qt::KeyboardModifiers, modifiers);
        QFETCH(double, decades);
        ValueSlider slider(m_theta);
        show(slider);
        slider.setValue(1e5);
        QTest::keyClick(&slider, static_cast<Qt::Key>(key), modifiers);
        QVERIFY(std::abs(std::log10(slider.value()) - 5.0 - decades) < 1e-3);
    }

    void homeAndEndGoToTheLimits() {
        ValueSlider slider(m_theta);
        show(slider);
        slider.setValue(12345.0);
        QTest::keyClick(&slider, Qt::Key_Home);
        QCOMPARE(slider.value(), 1e2);
        QTest::keyClick(&slider, Qt::Key_End);
        QCOMPARE(slider.value(), 1e8);
    }

    void keysInQuickSuccessionAreOneGesture() {
        ValueSlider slider(m_theta);
        show(slider);
        const QSignalSpy started(&slider, &ValueSlider::gestureStarted);
        const QSignalSpy ended(&slider, &ValueSlider::gestureEnded);
        for (int press = 0; press < 5; ++press) {
            QTest::keyClick(&slider, Qt::Key_Right);
        }
        QCOMPARE(started.count(), 1);
        QCOMPARE(ended.count(), 0);
        QTRY_COMPARE(ended.count(), 1);
    }

    void leavingTheSliderEndsTheGesture() {
        ValueSlider slider(m_theta);
        show(slider);
        const QSignalSpy ended(&slider, &ValueSlider::gestureEnded);
        QTest::keyClick(&slider, Qt::Key_Right);
        slider.clearFocus();
        QCOMPARE(ended.count(), 1);
    }

    void theWheelWorksOnlyWithFocus() {
        ValueSlider slider(m_theta);
        show(slider);
        slider.setValue(1e4);
        const auto turn = [&] {
            QWheelEvent wheel(QPointF(50, 10), slider.mapToGlobal(QPointF(50, 10)), QPoint(), QPoint(0, 120),
                              Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&slider, &wheel);
        };
        slider.clearFocus();
        turn();
        QCOMPARE(slider.value(), 1e4);
        slider.setFocus();
        turn();
        QVERIFY(slider.value() > 1e4);
    }

    void aValueOutsideWidensTheSliderWhileItLasts() {
        ValueSlider slider(m_theta);
        slider.setValue(1e10);
        QCOMPARE(slider.value(), 1e10);
        QCOMPARE(slider.mapping().maximum, 1e10);
        slider.setValue(1e4);
        QCOMPARE(slider.mapping().maximum, 1e8);
    }

    void assistiveToolsReadTheValue() {
        ValueSlider slider(m_theta);
        slider.setAccessibleName(QStringLiteral("Theta base"));
        slider.setUnit(QStringLiteral("tokens"));
        slider.setValue(1e6);
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&slider);
        QVERIFY(accessible != nullptr);
        QCOMPARE(accessible->role(), QAccessible::Slider);
        QCOMPARE(accessible->text(QAccessible::Name), QStringLiteral("Theta base"));
        QVERIFY(accessible->text(QAccessible::Value).endsWith(QStringLiteral("tokens")));
        QCOMPARE(accessible->valueInterface()->currentValue().toDouble(), 1e6);
    }

    void pushedThumbsNeverCross() {
        RangeSlider slider(m_turns);
        slider.setObjectName(QStringLiteral("ramp_slider"));
        slider.setThumbNames(QStringLiteral("slow"), QStringLiteral("fast"));
        show(slider);
        slider.setValues(1.0, 32.0);
        const QSignalSpy edited(&slider, &RangeSlider::valuesEdited);
        drag(slider.lowThumb(), QPoint(10, 10), 280);
        QVERIFY(edited.count() > 0);
        for (const QList<QVariant>& values : edited) {
            QVERIFY(values[0].toDouble() < values[1].toDouble());
        }
        QVERIFY(slider.high() > 32.0);
        drag(slider.highThumb(), QPoint(10, 10), -290);
        QVERIFY(slider.low() < slider.high());
        QVERIFY(slider.low() < 1.0);
    }

    void keysPushToo() {
        RangeSlider slider(m_turns);
        show(slider);
        slider.setValues(1.0, 1.2);
        slider.lowThumb()->setFocus();
        QTest::keyClick(slider.lowThumb(), Qt::Key_End);
        QVERIFY(slider.low() < slider.high());
        QCOMPARE(slider.high(), 128.0);
    }

    void eachThumbIsATabStopWithAName() {
        RangeSlider slider(m_turns);
        slider.setObjectName(QStringLiteral("ramp_slider"));
        slider.setThumbNames(QStringLiteral("Beta slow"), QStringLiteral("Beta fast"));
        show(slider);
        slider.lowThumb()->setFocus();
        QTest::keyClick(slider.lowThumb(), Qt::Key_Tab);
        QVERIFY(slider.highThumb()->hasFocus());
        QCOMPARE(slider.highThumb()->accessibleName(), QStringLiteral("Beta fast"));
        QCOMPARE(slider.lowThumb()->objectName(), QStringLiteral("ramp_slider_low"));
        QCOMPARE(QAccessible::queryAccessibleInterface(slider.lowThumb())->role(), QAccessible::Slider);
    }

    void swappedValuesOfAFileAreShownAsTheyAre() {
        RangeSlider slider(m_turns);
        slider.setValues(32.0, 1.0);
        QCOMPARE(slider.low(), 32.0);
        QCOMPARE(slider.high(), 1.0);
    }

    void aStepOfOnesOwnIsWhatArrowKeysMoveBy() {
        SliderMapping mapping = m_theta;
        mapping.step = 1000.0;
        ValueSlider slider(mapping);
        show(slider);
        slider.setValue(12345.678);
        QTest::keyClick(&slider, Qt::Key_Right);
        QCOMPARE(slider.value(), 13345.678);
        QTest::keyClick(&slider, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(slider.value(), 13545.678);
        QTest::keyClick(&slider, Qt::Key_PageDown);
        QCOMPARE(slider.value(), 11545.678);
        slider.setValue(500.0);
        QTest::keyClick(&slider, Qt::Key_Left);
        QCOMPARE(slider.value(), 1e2);  // the limit
    }

    void manySmallStepsAddUpWithoutDust() {
        SliderMapping mapping{SliderScale::linear, 0.0, 1000.0, {}, 0};
        mapping.step = 0.1;
        double value = 0.0;
        for (int press = 0; press < 1000; ++press) {
            value = mapping.stepped(value, 0.05);
        }
        QCOMPARE(value, 100.0);
        const SliderMapping even{SliderScale::log2, 8.0, 512.0, {}, 2, 6.0};
        QCOMPARE(even.stepped(64.0, 0.05), 70.0);
        QCOMPARE(even.stepped(64.0, 0.01), 66.0);  // a fifth would be no even number
    }

    void aSliderCanBeChangedWithinTheHardLimits_data() {
        QTest::addColumn<SliderChange>("change");
        QTest::addColumn<QString>("refusal");
        const auto row = [](const char* name, const SliderChange& change, const char* refusal) {
            QTest::newRow(name) << change << QString::fromUtf8(refusal);
        };
        row("fine", {1.0, 1e12, 5.0, SliderScale::linear}, "");
        row("minimum", {0.0, {}, {}, {}}, "Minimum of Theta base must be > 0 (got 0).");
        row("maximum", {{}, 1e13, {}, {}},
            "Maximum of Theta base must be ≤ 1 000 000 000 000 (got 10000000000000).");
        row("crossed", {2e9, {}, {}, {}},
            "Minimum of Theta base must be below its maximum 1000000000 (got 2000000000).");
        row("step 0", {1.0, 11.0, 0.0, {}},
            "Step of Theta base must be > 0 and ≤ 10, its maximum less its minimum (got 0).");
        row("step too far", {1.0, 11.0, 11.0, {}},
            "Step of Theta base must be > 0 and ≤ 10, its maximum less its minimum (got 11).");
        row("not a number", {std::nan(""), {}, {}, {}},
            "Minimum of Theta base must be a finite number (got nan).");
    }
    void aSliderCanBeChangedWithinTheHardLimits() {
        QFETCH(SliderChange, change);
        QFETCH(QString, refusal);
        QCOMPARE(refusalOf(*findParameter("rope.theta"), change), refusal);
    }

    void evenRowsKeepEvenLimitsAndSteps() {
        const phaseladder::Parameter& width = *findParameter("head_dim");
        QVERIFY(refusalOf(width, {9.0, {}, {}, {}}).contains(QStringLiteral("even")));
        QCOMPARE(refusalOf(width, {{}, {}, 3.0, {}}),
                 QStringLiteral("Step of Head width must be even (got 3)."));
        QCOMPARE(refusalOf(width, {10.0, 20.0, 4.0, SliderScale::linear}), QString());
    }

    void aChangedSliderHasTicksAtItsEndsAndBetween_data() {
        QTest::addColumn<SliderChange>("change");
        QTest::newRow("linear") << SliderChange{1.0, 1000.0, {}, SliderScale::linear};
        QTest::newRow("decades") << SliderChange{1.0, 1e12, {}, SliderScale::log10};
        QTest::newRow("octaves") << SliderChange{3.0, 100.0, {}, SliderScale::log2};
        QTest::newRow("narrow") << SliderChange{0.11, 0.12, {}, SliderScale::linear};
    }
    void aChangedSliderHasTicksAtItsEndsAndBetween() {
        QFETCH(SliderChange, change);
        const SliderMapping mapping = mappingOf(*findParameter("rope.theta"), change);
        QVERIFY(mapping.ticks.size() >= 4 && mapping.ticks.size() <= 9);
        QCOMPARE(mapping.ticks.front(), *change.minimum);
        QCOMPARE(mapping.ticks.back(), *change.maximum);
        QVERIFY(std::is_sorted(mapping.ticks.begin(), mapping.ticks.end()));
        QVERIFY(std::adjacent_find(mapping.ticks.begin(), mapping.ticks.end()) == mapping.ticks.end());
    }

    void withoutAChangeTheSliderIsTheTables() {
        for (const phaseladder::Parameter& row : phaseladder::parameters()) {
            if (row.scale == SliderScale::none) {
                continue;
            }
            QCOMPARE(mappingOf(row, {}), SliderMapping::of(row));
            QCOMPARE(refusalOf(row, {}), QString());
            const SliderChange same{row.sliderMinimum, row.sliderMaximum, {}, row.scale};
            QCOMPARE(withoutOwn(row, same), SliderChange());
            const SliderChange read = sliderChangeFrom(textsOf(same));
            QCOMPARE(read, same);
        }
    }
};

QTEST_MAIN(SliderTest)
#include "slider_test.moc"
