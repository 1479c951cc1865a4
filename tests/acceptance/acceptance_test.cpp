// The acceptance checks of the window with real mouse and keys, one slot a check; run by tests/acceptance.sh
// under Xvfb.

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/engine.h"
#include "core/export/figure_text.h"
#include "core/number_text.h"
#include "core/parameter.h"
#include "tests/acceptance/machine_speed.h"
#include "tests/acceptance/real_input.h"
#include "ui/controls/range_slider.h"
#include "ui/controls/token_strip.h"
#include "ui/controls/value_slider.h"
#include "ui/document.h"
#include "ui/figure/axis_ticks.h"
#include "ui/figure/figure_files.h"
#include "ui/figure/figure_pane.h"
#include "ui/figure/legend_layout.h"
#include "ui/figure/panel_view.h"
#include "ui/frame_loop.h"
#include "ui/main_window.h"
#include "ui/pane_grid.h"

using phaseladder::Scene;
using phaseladder::tests::RealInput;
using phaseladder::ui::FigurePane;
using phaseladder::ui::MainWindow;
using phaseladder::ui::PanelView;
using phaseladder::ui::RangeSlider;
using phaseladder::ui::SceneDocument;
using phaseladder::ui::ValueSlider;

class AcceptanceTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<RealInput> m_input;
    std::unique_ptr<MainWindow> m_window;

    SceneDocument& document() { return *m_window->document(); }
    const Scene& scene() { return document().scene(); }

    template <class Widget>
    Widget* find(const QString& name) {
        auto* widget = m_window->findChild<Widget*>(name);
        if (widget == nullptr) {
            qFatal("There is no %s.", qPrintable(name));
        }
        return widget;
    }

    FigurePane* pane(const QString& figureId) {
        for (FigurePane* candidate : m_window->panes()->panes()) {
            if (candidate->figureId() == figureId) {
                return candidate;
            }
        }
        qFatal("No pane shows %s.", qPrintable(figureId));
    }

    PanelView* plot(const QString& figureId) {
        return pane(figureId)->findChild<PanelView*>(QStringLiteral("plot_0"));
    }

    static QPoint onScreen(const PanelView* view, double x, double y) {
        return view->mapToGlobal(view->dataToWidget(x, y).toPoint());
    }

    QPoint chip(int position) {
        return m_window->tokenStrip()->mapToGlobal(m_window->tokenStrip()->chipRect(position).center());
    }

    void set(const std::vector<std::pair<QString, phaseladder::ParameterValue>>& values) {
        const QString refusal = document().setParameters(values);
        QVERIFY2(refusal.isEmpty(), qPrintable(refusal));
        QVERIFY(m_window->waitForPainted(5000));
    }

    /// Puts a text into a field as a person does: click, select all, type, Enter.
    void typeInto(const QString& field, const QString& text) {
        m_input->click(RealInput::centre(find<QLineEdit>(field)));
        m_input->key(QStringLiteral("ctrl+a"));
        m_input->type(text);
        m_input->key(QStringLiteral("Return"));
    }

    double readout(const QString& figureId, const char* id) {
        for (const phaseladder::Readout& entry : pane(figureId)->figure().readouts) {
            if (entry.id == id) {
                const auto* number = std::get_if<double>(&entry.value);
                return number != nullptr ? *number : std::nan("");
            }
        }
        return std::nan("");
    }

    QString verdict() {
        for (const phaseladder::Readout& entry : pane(QStringLiteral("attention"))->figure().readouts) {
            if (entry.id == "order_verdict") {
                return QString::fromStdString(std::get<std::string>(entry.value));
            }
        }
        return {};
    }

private Q_SLOTS:
    void initTestCase() {
        m_input = std::make_unique<RealInput>(
            qEnvironmentVariable("PHASELADDER_SCREENSHOTS", QStringLiteral("screenshots")));
    }

    void init() {
        m_window = std::make_unique<MainWindow>(std::make_unique<phaseladder::Engine>(), nullptr,
                                                m_folder.filePath(QStringLiteral("settings.ini")));
        m_window->setGeometry(0, 0, 1440, 900);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QVERIFY(m_window->waitForPainted(5000));
        m_input->moveTo({1438, 2});
    }

    void cleanup() {
        document().undoStack()->setClean();
        m_window.reset();
    }

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

    void check12LogAxesKeepTheirLabelsAtEveryZoom() {
        PanelView* view = plot(QStringLiteral("ladder"));
        const auto full = view->shownRange();
        QList<PanelView*> linked = pane(QStringLiteral("ramp"))->findChildren<PanelView*>();
        QCOMPARE(linked.size(), 2);
        const auto follow = [&](double minimum, double maximum) {
            return std::ranges::all_of(linked, [&](const PanelView* one) {
                return std::abs(one->shownRange().xMinimum - minimum) < 1e-9 &&
                       std::abs(one->shownRange().xMaximum - maximum) < 1e-9;
            });
        };
        const auto labels = [view] {
            const auto range = view->shownRange();
            const auto ticks = phaseladder::ui::axisTicks(view->panel().y, range.yMinimum, range.yMaximum, 6);
            return std::count_if(ticks.begin(), ticks.end(),
                                 [](const auto& tick) { return !tick.label.isEmpty(); });
        };
        for (int notch = 0; notch < 12; ++notch) {
            m_input->wheel(onScreen(view, 8.0, 30.0), 1);
            QVERIFY2(labels() >= 2, qPrintable(QString::number(notch)));
            QVERIFY(view->isZoomed());
            QVERIFY(follow(view->shownRange().xMinimum, view->shownRange().xMaximum));
        }
        QVERIFY(m_window->waitForPainted(2000));
        m_input->screenshot(QStringLiteral("check12_wheel"));
        m_input->key(QStringLiteral("ctrl+0"));
        QVERIFY(view->shownRange() == full);
        QVERIFY(std::ranges::none_of(linked, &PanelView::isZoomed));
        m_input->drag(onScreen(view, 0.2, 9.0), onScreen(view, 6.0, 2.0));
        QVERIFY(view->shownRange().yMinimum > 1.7 && view->shownRange().yMaximum < 10.0);
        QVERIFY(labels() >= 2);
        QVERIFY(follow(view->shownRange().xMinimum, view->shownRange().xMaximum));
        m_input->screenshot(QStringLiteral("check12_box"));
        m_input->key(QStringLiteral("ctrl+0"));
        QVERIFY(view->shownRange() == full);
        QVERIFY(std::ranges::none_of(linked, &PanelView::isZoomed));
        m_input->key(QStringLiteral("l"));
        QVERIFY(!pane(QStringLiteral("ladder"))->areAxesLinked());
        m_input->wheel(onScreen(view, 8.0, 30.0), 2);
        QVERIFY(view->isZoomed());
        QVERIFY(std::ranges::none_of(linked, &PanelView::isZoomed));
    }

    /// Leaves the files for acceptance.sh, which renders them with other programs.
    void check18TheZoomedViewIsWrittenForOtherRenderers() {
        set({{QStringLiteral("scaling"), std::string("yarn")}});
        PanelView* view = plot(QStringLiteral("ladder"));
        m_input->drag(onScreen(view, 6.0, 20.0), onScreen(view, 20.0, 800.0));
        QVERIFY(view->isZoomed());
        phaseladder::ui::ExportOptions options;
        options.format = QStringLiteral("svg");
        options.page.style = phaseladder::ui::figureStyle(phaseladder::ui::StyleKind::print);
        options.page.sizePoints = QSizeF(80.0, 55.0) * 72.0 / 25.4;
        options.page.title = QStringLiteral("a<b & \"c\"");
        for (const bool asPaths : {false, true}) {
            options.textAsPaths = asPaths;
            const auto bytes = phaseladder::ui::renderFigure(pane(QStringLiteral("ladder"))->shownFigure(),
                                                             scene(), options);
            QVERIFY(bytes.has_value());
            QFile file(QDir(qEnvironmentVariable("PHASELADDER_EXPORTS", m_folder.path()))
                           .filePath(asPaths ? QStringLiteral("zoomed_paths.svg")
                                             : QStringLiteral("zoomed_text.svg")));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(*bytes);
        }
    }

    void check13TheCrosshairTellsWhatTheFileSays() {
        set({{QStringLiteral("head_dim"), 128.0}, {QStringLiteral("scaling"), std::string("yarn")}});
        const QStringList lines =
            QString::fromStdString(phaseladder::writeCsv(pane(QStringLiteral("ladder"))->figure()))
                .split(QLatin1Char('\n'));
        PanelView* view = plot(QStringLiteral("ladder"));
        for (const int pair : {3, 17, 27, 44, 60}) {
            const QStringList cells = lines[pair + 1].split(QLatin1Char(','));
            const double wavelength = cells[4].toDouble();
            m_input->moveTo(onScreen(view, pair, wavelength));
            RealInput::settle();
            const QString text = view->readoutText();
            QVERIFY2(text.contains(QStringLiteral("pair %1").arg(pair)), qPrintable(text));
            // The digits shown are the file's digits, rounded.
            const QString digits = QString(text).remove(QChar(0x2009)).remove(QLatin1Char(','));
            bool found = false;
            for (int significant = 4; significant <= 12; ++significant) {
                found = found || digits.contains(QString::number(wavelength, 'g', significant));
            }
            QVERIFY2(found, qPrintable(text + QStringLiteral(" / ") + cells[4]));
        }
        m_input->screenshot(QStringLiteral("check13_crosshair"));
    }

    void check14APinnedSceneIsComparedWithTheLiveOne() {
        const auto map = [this] {
            return std::get<phaseladder::Heatmap>(
                pane(QStringLiteral("attention"))->figure().panels[0].layers[0]);
        };
        const auto press = [this](const char* key) {
            m_input->key(QLatin1StringView(key));
            QVERIFY(m_window->waitForPainted(5000));
        };
        m_input->click(onScreen(plot(QStringLiteral("ladder")), 8.0, 30.0));
        press("p");
        set({{QStringLiteral("rope.theta"), 500000.0}});
        QStringList legend;
        for (const auto& entry :
             phaseladder::ui::legendEntries(pane(QStringLiteral("ladder"))->figure().panels[0])) {
            legend.append(entry.label);
        }
        QVERIFY2(legend.contains(QStringLiteral("A")) && legend.contains(QStringLiteral("B")),
                 qPrintable(legend.join(QLatin1Char(' '))));
        m_input->screenshot(QStringLiteral("check14_live"));
        const auto live = map();
        press("d");
        m_input->screenshot(QStringLiteral("check14_difference"));
        const auto delta = map();
        QVERIFY(delta.map == phaseladder::ColorMapKind::diverging);
        QCOMPARE(delta.low, -delta.high);
        pane(QStringLiteral("attention"))
            ->findChild<QAction*>(QStringLiteral("lock_colors"))
            ->setChecked(true);
        set({{QStringLiteral("encoding"), std::string("none")}});
        QVERIFY(map().low == delta.low && map().high == delta.high);
        QVERIFY(map().values != delta.values);
        m_input->screenshot(QStringLiteral("check14_locked"));
        set({{QStringLiteral("encoding"), std::string("rope")}});
        press("d");
        m_input->screenshot(QStringLiteral("check14_pinned"));
        for (std::size_t cell = 0; cell < live.values.size(); ++cell) {
            QCOMPARE(map().values[cell] == live.values[cell] ? 0.0 : live.values[cell] - map().values[cell],
                     delta.values[cell]);
        }
        press("d");
        QCOMPARE(map().values, live.values);
        m_window->setTheme(phaseladder::ui::ThemeChoice::dark);
        m_input->screenshot(QStringLiteral("check14_live_dark"));
        press("d");
        m_input->screenshot(QStringLiteral("check14_difference_dark"));
        m_window->setTheme(phaseladder::ui::ThemeChoice::light);
    }

    void check15SavedScenesComeBackByteForByte() {
        const QString first = m_folder.filePath(QStringLiteral("first.pldr"));
        const QString second = m_folder.filePath(QStringLiteral("second.pldr"));
        typeInto(QStringLiteral("field_rope.theta"), QStringLiteral("123456.5"));
        m_input->drag(chip(0), chip(2) + QPoint(20, 0));
        // A file dialog runs its own event loop, so its keys come from one sequence that does not wait for
        // us.
        const auto answerDialog = [this](const QString& shortcut, const QString& path) {
            m_input->sequence({{QStringLiteral("key"), shortcut},
                               {QStringLiteral("sleep"), QStringLiteral("1")},
                               {QStringLiteral("key"), QStringLiteral("ctrl+a")},
                               {QStringLiteral("type"), QStringLiteral("--args"), QStringLiteral("1"), path},
                               {QStringLiteral("key"), QStringLiteral("Return")}});
            m_window->activateWindow();  // no window manager gives the focus back
            m_input->click({700, 888});
        };
        const auto saveAs = [&](const QString& path) { answerDialog(QStringLiteral("ctrl+shift+s"), path); };
        saveAs(first);
        QVERIFY(QFile::exists(first));
        const Scene saved = scene();
        m_input->key(QStringLiteral("alt+r"));
        document().undoStack()->setClean();
        answerDialog(QStringLiteral("ctrl+o"), first);
        QCOMPARE(scene() == saved, true);
        saveAs(second);
        QFile one(first), two(second);
        QVERIFY(one.open(QIODevice::ReadOnly) && two.open(QIODevice::ReadOnly));
        QCOMPARE(one.readAll(), two.readAll());
        QVERIFY(m_window->recentFiles().contains(first));
        m_input->screenshot(QStringLiteral("check15_saved"));

        m_input->key(QStringLiteral("alt+r"));
        document().undoStack()->setClean();
        document().startNew();
        QProcess source;
        source.start(QCoreApplication::applicationDirPath() + QStringLiteral("/drag_source"), {first});
        QVERIFY(source.waitForStarted());
        RealInput::settle(1000);
        m_input->moveTo({1360, 850});
        m_input->press();
        for (int step = 1; step <= 20; ++step) {
            m_input->moveTo(QPoint(1360, 850) + QPoint(-30, -20) * step);
            RealInput::settle(30);
        }
        m_input->screenshot(QStringLiteral("check15_drop"));
        m_input->release();
        RealInput::settle(600);
        source.kill();
        source.waitForFinished();
        QCOMPARE(scene() == saved, true);
    }

    void themesAndSizesForTheEye() {
        m_window->openFile(QStringLiteral(PHASELADDER_SOURCE_DIR "/resources/scenes/llama-3.1-8b-yarn.pldr"));
        QVERIFY(m_window->waitForPainted(5000));
        m_input->screenshot(QStringLiteral("window_light_1440"));
        m_window->setTheme(phaseladder::ui::ThemeChoice::dark);
        m_input->screenshot(QStringLiteral("window_dark_1440"));
        m_window->setGeometry(0, 0, 1024, 700);
        QVERIFY(m_window->waitForPainted(5000));
        m_input->screenshot(QStringLiteral("window_dark_1024"));
        m_window->setTheme(phaseladder::ui::ThemeChoice::light);
        m_input->screenshot(QStringLiteral("window_light_1024"));
    }
};

QTEST_MAIN(AcceptanceTest)
#include "acceptance_test.moc"
