// The acceptance checks of sliders, fields and tokens with real mouse and keys, one slot a check; run by
// tests/acceptance.sh under Xvfb.

#include <QLineEdit>
#include <QTest>

#include <algorithm>
#include <cmath>

#include "core/export/figure_text.h"
#include "core/number_text.h"
#include "tests/acceptance/machine_speed.h"
#include "tests/acceptance/window_session.h"
#include "ui/controls/range_slider.h"
#include "ui/controls/value_slider.h"
#include "ui/frame_loop.h"

using phaseladder::Scene;
using phaseladder::tests::RealInput;
using phaseladder::tests::WindowSession;
using phaseladder::ui::RangeSlider;
using phaseladder::ui::ValueSlider;

class ControlsAcceptanceTest : public WindowSession {
    Q_OBJECT

    QString verdict() {
        for (const phaseladder::Readout& entry : pane(QStringLiteral("attention"))->figure().readouts) {
            if (entry.id == "order_verdict") {
                return QString::fromStdString(std::get<std::string>(entry.value));
            }
        }
        return {};
    }

private Q_SLOTS:
    void check03DraggingThetaRepaintsWithinAFrame() {
        set({{QStringLiteral("head_dim"), 128.0}, {QStringLiteral("view.positions"), 512.0}});
        QCOMPARE(
            std::get<phaseladder::Heatmap>(pane(QStringLiteral("phases"))->figure().panels[0].layers[0]).rows,
            64);
        double share = phaseladder::tests::processorShare();
        QList<double> frames;  // from a change to its picture
        const auto counting =
            connect(m_window->findChild<phaseladder::ui::FrameLoop*>(), &phaseladder::ui::FrameLoop::painted,
                    this, [&frames](double milliseconds) { frames.append(milliseconds); });
        auto* slider = find<ValueSlider>(QStringLiteral("slider_rope.theta"));
        const QPoint from = slider->mapToGlobal(slider->handleCentre().toPoint());
        QList<double> values{scene().rope.theta};
        m_input->moveTo(from);
        m_input->press();
        for (int step = 1; step <= 50; ++step) {
            m_input->moveTo(from + QPoint(4 * step, 0));
            QVERIFY(m_window->waitForPainted(2000));
            values.append(scene().rope.theta);
        }
        disconnect(counting);
        m_input->screenshot(QStringLiteral("check03_drag_theta"));
        m_input->release();
        RealInput::settle();
        QVERIFY(std::is_sorted(values.begin(), values.end()));
        QVERIFY(values.last() > values.first());
        QVERIFY2(frames.size() >= 10, qPrintable(QString::number(frames.size())));
        std::sort(frames.begin(), frames.end());
        const double most = frames[qsizetype(std::ceil(0.95 * double(frames.size()))) - 1];
        qInfo(
            "%lld repaints while held at 64 pairs x 512 positions; median %.1f ms, 95 %% within %.1f ms, "
            "slowest %.1f ms",
            static_cast<long long>(frames.size()), frames[frames.size() / 2], most, frames.last());
        share = std::min(share, phaseladder::tests::processorShare());
        const char* excuse = phaseladder::tests::slowBuildReason();
        if (most > 33.0 && excuse != nullptr) {
            qInfo("More than 33 ms, not asserted: %s.", excuse);
        } else if (most > 33.0 && share < 0.8) {
            qInfo("More than 33 ms, not asserted: other programs leave only %.0f %% of the processors.",
                  100.0 * share);
        } else {
            QVERIFY2(most <= 33.0, qPrintable(QString::number(most)));
        }
    }

    void check04TypedNumbersAreExact() {
        typeInto(QStringLiteral("field_rope.theta"), QStringLiteral("1e6"));
        QCOMPARE(scene().rope.theta, 1e6);
        typeInto(QStringLiteral("field_rope.theta"), QStringLiteral("2^20"));
        QCOMPARE(scene().rope.theta, 1048576.0);
        set({{QStringLiteral("scaling"), std::string("linear")}});
        typeInto(QStringLiteral("alphaField"), QStringLiteral("1/4"));
        QCOMPARE(scene().scaling.factor, 4.0);
        typeInto(QStringLiteral("field_rope.theta"), QStringLiteral("abc"));
        m_input->screenshot(QStringLiteral("check04_refused"));
        QCOMPARE(scene().rope.theta, 1048576.0);
        m_input->key(QStringLiteral("Escape"));
        QCOMPARE(scene().rope.theta, 1048576.0);
    }

    void check05KeysStepTheSliderOnItsLogScale() {
        auto* slider = find<ValueSlider>(QStringLiteral("slider_rope.theta"));
        m_input->click(RealInput::centre(find<QLineEdit>(QStringLiteral("field_rope.theta"))));
        while (!slider->hasFocus()) {
            m_input->key(QStringLiteral("Tab"));
        }
        m_input->screenshot(QStringLiteral("check05_focus_ring"));
        const double range = std::log10(slider->mapping().maximum / slider->mapping().minimum);
        constexpr double tidied = 3.2e-5;  // half a unit of a value's fourth digit, on seven decades
        const auto stepOf = [&](const QString& key) {
            const double before = std::log10(scene().rope.theta);
            m_input->key(key);
            return (std::log10(scene().rope.theta) - before) / range;
        };
        QVERIFY(qAbs(stepOf(QStringLiteral("Right")) - 1.0 / 20.0) < tidied);
        QVERIFY(qAbs(stepOf(QStringLiteral("shift+Right")) - 1.0 / 100.0) < tidied);
        QVERIFY(qAbs(stepOf(QStringLiteral("Prior")) - 1.0 / 10.0) < tidied);
        m_input->key(QStringLiteral("Home"));
        QCOMPARE(scene().rope.theta, slider->mapping().minimum);
        m_input->key(QStringLiteral("End"));
        QCOMPARE(scene().rope.theta, slider->mapping().maximum);
    }

    void check06RampThumbsPushAndNeverCross() {
        set({{QStringLiteral("scaling"), std::string("yarn")}});
        auto* slider = find<RangeSlider>(QStringLiteral("ramp_slider"));
        const QPoint from = RealInput::centre(slider->lowThumb());
        const QPoint beyond = RealInput::centre(slider->highThumb()) + QPoint(30, 0);
        const QString rangeBefore =
            QString::fromStdString(phaseladder::writeCanonicalText(pane(QStringLiteral("ramp"))->figure()));
        m_input->moveTo(from);
        m_input->press();
        for (int step = 1; step <= 20; ++step) {
            m_input->moveTo(from + (beyond - from) * step / 20);
            QVERIFY(scene().scaling.betaSlow < scene().scaling.betaFast);
        }
        m_input->release();
        QVERIFY(m_window->waitForPainted(2000));
        m_input->screenshot(QStringLiteral("check06_ramp"));
        QVERIFY(scene().scaling.betaSlow > 1.0);
        QVERIFY(scene().scaling.betaFast > 32.0);
        const auto shown = [this](const QString& field) {
            return phaseladder::parseNumber(
                find<QLineEdit>(field)->text().remove(QChar(0x2009)).toStdString());
        };
        QVERIFY(qAbs(*shown(QStringLiteral("field_scaling.beta_slow")) / scene().scaling.betaSlow - 1.0) <
                1e-3);
        QVERIFY(qAbs(*shown(QStringLiteral("field_scaling.beta_fast")) / scene().scaling.betaFast - 1.0) <
                1e-3);
        QVERIFY(rangeBefore != QString::fromStdString(
                                   phaseladder::writeCanonicalText(pane(QStringLiteral("ramp"))->figure())));
    }

    void check07UndoIsOneStepAnAction() {
        const Scene before = scene();
        auto* slider = find<ValueSlider>(QStringLiteral("slider_rope.theta"));
        const QPoint handle = slider->mapToGlobal(slider->handleCentre().toPoint());
        m_input->drag(handle, handle + QPoint(60, 0));
        const Scene dragged = scene();
        QVERIFY(dragged.rope.theta > before.rope.theta);
        typeInto(QStringLiteral("field_length.trained"), QStringLiteral("4096"));
        const Scene typed = scene();
        m_input->drag(chip(0), chip(2) + QPoint(20, 0));
        const Scene permuted = scene();
        QVERIFY(permuted.order != typed.order);
        QVERIFY(m_window->isWindowModified());
        for (const Scene& expected : {typed, dragged, before}) {
            m_input->key(QStringLiteral("ctrl+z"));
            QCOMPARE(scene() == expected, true);
        }
        QVERIFY(!m_window->isWindowModified());
        for (const Scene& expected : {dragged, typed, permuted}) {
            m_input->key(QStringLiteral("ctrl+shift+z"));
            QCOMPARE(scene() == expected, true);
        }
    }

    void check08ResetGoesBackAndCanBeUndone() {
        typeInto(QStringLiteral("field_rope.theta"), QStringLiteral("500k"));
        auto* label = find<QWidget>(QStringLiteral("label_rope.theta"));
        m_input->doubleClick(label->mapToGlobal(QPoint(8, label->height() / 2)));
        QCOMPARE(scene().rope.theta, 10000.0);
        typeInto(QStringLiteral("field_rope.theta"), QStringLiteral("500k"));
        m_input->drag(chip(0), chip(2) + QPoint(20, 0));
        const Scene changed = scene();
        m_input->key(QStringLiteral("alt+r"));
        QCOMPARE(scene() == Scene(), true);
        m_input->key(QStringLiteral("ctrl+z"));
        QCOMPARE(scene() == changed, true);
    }

    void check10DraggingATokenShowsWhetherOrderMatters() {
        m_input->click(RealInput::centre(find<QWidget>(QStringLiteral("segment_encoding_none"))));
        QCOMPARE(scene().encoding, std::string("none"));
        m_input->drag(chip(0), chip(2) + QPoint(20, 0));
        QVERIFY(m_window->waitForPainted(2000));
        QCOMPARE(scene().order, (std::vector<int>{1, 2, 0}));
        QCOMPARE(verdict(), QStringLiteral("order-blind"));
        QVERIFY(readout(QStringLiteral("attention"), "order_difference") <= 1e-6);
        m_input->screenshot(QStringLiteral("check10_none"));
        m_input->click(RealInput::centre(find<QWidget>(QStringLiteral("segment_encoding_rope"))));
        QVERIFY(m_window->waitForPainted(2000));
        QCOMPARE(verdict(), QStringLiteral("order-aware"));
        QVERIFY(readout(QStringLiteral("attention"), "order_difference") > 1e-3);
        QCOMPARE(QString::fromStdString(pane(QStringLiteral("attention"))->figure().panels[0].y.labels[0]),
                 QStringLiteral("bites"));
        m_input->screenshot(QStringLiteral("check10_rope"));
    }

    void check11KeysPermuteLikeTheMouse() {
        m_input->click(chip(0));
        m_input->key(QStringLiteral("alt+Right"));
        m_input->key(QStringLiteral("alt+Right"));
        QCOMPARE(scene().order, (std::vector<int>{1, 2, 0}));
        m_input->screenshot(QStringLiteral("check11_keys"));
    }
};

QTEST_MAIN(ControlsAcceptanceTest)
#include "controls_acceptance_test.moc"
