// The acceptance checks of long texts and real heads with real mouse and keys, one slot a check; run by
// tests/acceptance.sh under Xvfb.

#include <QCoreApplication>
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QTest>
#include <QToolButton>

#include <cmath>

#include "core/figures/map_tiles.h"
#include "core/number_text.h"
#include "tests/acceptance/window_session.h"
#include "tests/core/capture_files.h"
#include "ui/controls/parameter_panel.h"
#include "ui/controls/value_slider.h"
#include "ui/figure/readout_words.h"
#include "ui/frame_loop.h"

using phaseladder::Figure;
using phaseladder::Heatmap;
using phaseladder::tests::RealInput;
using phaseladder::tests::WindowSession;
using phaseladder::ui::PanelView;
using phaseladder::ui::ValueSlider;

class AttentionAcceptanceTest : public WindowSession {
    Q_OBJECT

    static constexpr int patienceMilliseconds = 20000;
    const QString m_attention = QStringLiteral("attention"), m_heads = QStringLiteral("heads");

    const Figure& figureOf(const QString& id) { return pane(id)->figure(); }

    /// Scrolls the panel to a row's field, if it has to.
    void bringIntoView(const QString& parameter) {
        QVERIFY(m_window->parameterPanel()->focusField(parameter));
        RealInput::settle();
    }

    /// The weight that the command line gives for one cell of the window's text.
    double weightOfCommandLine(std::int64_t query, std::int64_t key) {
        const auto setting = [](const char* id, double value) {
            return QString::fromStdString(id + ("=" + phaseladder::formatNumber(value)));
        };
        const auto range = [](std::int64_t at) { return QStringLiteral("%1:%2").arg(at).arg(at + 1); };
        QProcess program;
        program.start(
            QCoreApplication::applicationDirPath() + QStringLiteral("/phaseladder"),
            {QStringLiteral("figure"), m_attention, QStringLiteral("--set"),
             setting("text.length", static_cast<double>(scene().textLength)), QStringLiteral("--set"),
             setting("rope.theta", scene().rope.theta), QStringLiteral("--window"),
             range(query) + QLatin1Char(',') + range(key), QStringLiteral("--format"), QStringLiteral("csv"),
             QStringLiteral("-o"), QStringLiteral("-")});
        program.waitForFinished(60000);
        const QByteArray lastLine = program.readAllStandardOutput().trimmed().split('\n').last();
        bool isNumber = false;
        const double weight = lastLine.split(',').last().toDouble(&isNumber);
        return isNumber ? weight : std::nan("");
    }

private Q_SLOTS:
    void check26ALongTextIsSeenAtOnceAndReadTokenByToken() {
        bringIntoView(QStringLiteral("text.length"));
        typeInto(QStringLiteral("field_text.length"), QStringLiteral("131072"));
        QCOMPARE(scene().textLength, 131072);
        QTRY_VERIFY_WITH_TIMEOUT(figureOf(m_attention).isPartial, patienceMilliseconds);
        const auto& readouts = figureOf(m_attention).readouts;
        const auto chip = std::ranges::find(readouts, "preview_rows", &phaseladder::Readout::id);
        QVERIFY(chip != readouts.end());
        QVERIFY(chip->chip.starts_with("preview, ") && chip->chip.ends_with(" of 131,072 rows"));
        m_input->screenshot(QStringLiteral("check26_preview"));

        // A slider moves on while the map grows, and the map with it.
        const std::vector<double> before = figureOf(m_attention).matrix->values;
        int pictures = 0;
        const auto counting =
            connect(m_window->findChild<phaseladder::ui::FrameLoop*>(), &phaseladder::ui::FrameLoop::painted,
                    this, [&pictures] { ++pictures; });
        bringIntoView(QStringLiteral("rope.theta"));
        auto* slider = find<ValueSlider>(QStringLiteral("slider_rope.theta"));
        const QPoint handle = slider->mapToGlobal(slider->handleCentre().toPoint());
        m_input->moveTo(handle);
        m_input->press();
        for (int step = 1; step <= 5; ++step) {
            const int seen = pictures;
            m_input->moveTo(handle + QPoint(8 * step, 0));
            QTRY_VERIFY_WITH_TIMEOUT(pictures > seen, patienceMilliseconds);
        }
        m_input->release();
        disconnect(counting);
        QVERIFY(scene().rope.theta > 10000.0);
        QVERIFY(figureOf(m_attention).isPartial);
        QVERIFY(figureOf(m_attention).matrix->values != before);
        m_input->screenshot(QStringLiteral("check26_slider"));

        PanelView* view = plot(m_attention);
        const QPoint place = onScreen(view, 90000.0, 40000.0);
        const auto shownTokens = [view] { return view->shownRange().xMaximum - view->shownRange().xMinimum; };
        for (int turn = 0; turn < 12 && shownTokens() > 6.0; ++turn) {
            m_input->wheel(place, 6);
        }
        QVERIFY(shownTokens() <= 6.0);
        QVERIFY(find<QLabel>(QStringLiteral("status_zoom"))->text() != QStringLiteral("zoom 100 %"));
        QTRY_VERIFY_WITH_TIMEOUT(
            !figureOf(m_attention).isPartial && !figureOf(m_attention).panels[0].x.labels.empty(),
            patienceMilliseconds);
        const auto middle = [](double low, double high) { return std::llround(0.5 * (low + high)); };
        const std::int64_t key = middle(view->shownRange().xMinimum, view->shownRange().xMaximum);
        const std::int64_t query = middle(view->shownRange().yMinimum, view->shownRange().yMaximum);
        m_input->moveTo(onScreen(view, static_cast<double>(key), static_cast<double>(query)));
        RealInput::settle();
        m_input->screenshot(QStringLiteral("check26_tokens"));
        const QString said = pane(m_attention)->readoutText();
        const QString position = QStringLiteral(" at %1 ");
        const auto isNamed = [&](std::int64_t at) {
            return said.contains(position.arg(phaseladder::ui::shownNumber(static_cast<double>(at))));
        };
        QVERIFY2(isNamed(query) && isNamed(key), qPrintable(said));
        const double weight = weightOfCommandLine(query, key);
        const double shown = said.section(QLatin1Char(' '), -1).toDouble();
        QVERIFY2(std::abs(shown / weight - 1.0) <= 1e-5,
                 qPrintable(said + QStringLiteral(", not %1").arg(weight)));
    }

    void check27RealHeadsAreSeenAtOnceEnlargedAndScaled() {
        const QString path = m_folder.filePath(QStringLiteral("qk.safetensors"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(
            phaseladder::tests::safetensorsFile({{"q", phaseladder::tests::normalNumbers({4, 48, 16}, 1)},
                                                 {"k", phaseladder::tests::normalNumbers({2, 48, 16}, 2)}})));
        file.close();
        answerFileDialog(QStringLiteral("ctrl+o"), path);
        QVERIFY(phaseladder::hasCapture(scene()));
        QCOMPARE(scene().heads, 4);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));

        m_input->key(QStringLiteral("1"));
        m_input->key(QStringLiteral("ctrl+shift+p"));
        m_input->type(QStringLiteral("All heads"));
        m_input->key(QStringLiteral("Return"));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        PanelView* sheet = plot(m_heads);
        const auto stack = [this] { return std::get<Heatmap>(figureOf(m_heads).panels[0].layers[0]); };
        QCOMPARE(stack().rows, std::int64_t{4} * stack().tiles->rows);
        m_input->screenshot(QStringLiteral("check27_sheet"));

        const std::vector<double> first = figureOf(m_attention).matrix->values;
        const phaseladder::TilePlace third = phaseladder::tilePlace(*stack().tiles, 2);
        m_input->click(onScreen(sheet, third.x + 0.5, third.y + 0.5));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QCOMPARE(scene().head, 2);
        QCOMPARE(readout(m_attention, "head"), 2.0);
        QVERIFY(figureOf(m_attention).matrix->values != first);
        const int narrow = pane(m_heads)->width();
        const auto* enlarge = pane(m_heads)->findChild<QToolButton*>(QStringLiteral("figure_enlarge"));
        m_input->click(RealInput::centre(enlarge));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QVERIFY(pane(m_heads)->width() > 3 * narrow / 2);
        m_input->screenshot(QStringLiteral("check27_enlarged"));
        m_input->click(RealInput::centre(enlarge));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QCOMPARE(pane(m_heads)->width(), narrow);

        bringIntoView(QStringLiteral("scaling"));
        m_input->click(RealInput::centre(find<QWidget>(QStringLiteral("segment_scaling_linear"))));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        const std::vector<double> scaled = figureOf(m_attention).matrix->values, heads = stack().values;
        bringIntoView(QStringLiteral("scaling.factor"));
        auto* slider = find<ValueSlider>(QStringLiteral("slider_scaling.factor"));
        const QPoint handle = slider->mapToGlobal(slider->handleCentre().toPoint());
        const double factor = scene().scaling.factor;
        m_input->drag(handle, handle + QPoint(40, 0), 5);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QVERIFY(scene().scaling.factor > factor);
        QVERIFY(figureOf(m_attention).matrix->values != scaled);
        QVERIFY(stack().values != heads);
        m_input->screenshot(QStringLiteral("check27_scaled"));
    }
};

QTEST_MAIN(AttentionAcceptanceTest)
#include "attention_acceptance_test.moc"
