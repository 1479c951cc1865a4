// The acceptance checks of the figures with real mouse and keys, one slot a check; run by
// tests/acceptance.sh under Xvfb.

#include <QAction>
#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>

#include "core/export/figure_text.h"
#include "tests/acceptance/window_session.h"
#include "ui/figure/axis_ticks.h"
#include "ui/figure/figure_files.h"
#include "ui/figure/legend_layout.h"

using phaseladder::tests::RealInput;
using phaseladder::tests::WindowSession;
using phaseladder::ui::PanelView;

class FiguresAcceptanceTest : public WindowSession {
    Q_OBJECT

private Q_SLOTS:
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
        for (const char* line : {"A: theta base 10,000", "B: theta base 500,000"}) {
            QVERIFY2(legend.contains(QLatin1StringView(line)), qPrintable(legend.join(QLatin1Char(' '))));
        }
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
};

QTEST_MAIN(FiguresAcceptanceTest)
#include "figures_acceptance_test.moc"
