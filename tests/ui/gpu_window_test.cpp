#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <chrono>
#include <cmath>
#include <functional>

#include "core/attention/backends.h"
#include "gpu/gpu_backend.h"
#include "tests/ui/main_window_test_parts.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/document.h"
#include "ui/status_line.h"

namespace phaseladder::ui::test {
namespace {

constexpr double wholeMap = 1024.0;  // tokens of a text whose map is computed at once

QString helper(const QString& arguments = {}) {
    return QStringLiteral("\"" PHASELADDER_FAKE_HELPER "\" ") + arguments;
}

GpuFactory factory(std::chrono::milliseconds silence = std::chrono::milliseconds(400)) {
    return [silence](const QString& command) {
        return gpu::makeGpuBackend({.command = command, .looksInBackground = true, .silence = silence});
    };
}

double secondsOf(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

class GpuWindowTest : public QObject, private MainWindowFixture {
    Q_OBJECT

private:
    /// A window whose attention is computed by this helper.
    void startWith(const QString& arguments,
                   std::chrono::milliseconds silence = std::chrono::milliseconds(400)) {
        startProgram();
        m_messages.clear();
        m_window->panes()->setPaneCount(1);
        connect(m_window->findChild<StatusLine*>(), &QStatusBar::messageChanged, this,
                [this](const QString& text) {
                    if (!text.isEmpty()) {
                        m_messages.append(text);
                    }
                });
        m_window->useGpu([this, make = factory(silence), arguments](const QString& command) {
            return make(command.isEmpty() ? helper(arguments) : command);
        });
        pane()->setFigureId(QStringLiteral("attention"));
        setParameter("causal", true);
        setParameter("head_dim", 16.0);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
    }

    FigurePane* pane() const { return m_window->panes()->panes().first(); }

    void setParameter(const char* id, const ParameterValue& value) {
        m_window->setParameter(QLatin1StringView(id), value);
    }

    /// Shows the map of a long text and waits for it.
    void showLongText() {
        setParameter("text.length", wholeMap);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
    }

    QString gpuState() const {
        return m_window->findChild<QLabel*>(QStringLiteral("status_backend"))->toolTip();
    }

    bool waitForGpu() const {
        return QTest::qWaitFor(
            [this] { return gpuState().contains(QStringLiteral("Large maps are computed on")); });
    }

    /// Whether what is shown is what the CPU computes.
    bool isRight() const {
        const Figure& shown = pane()->figure();
        if (!shown.matrix) {
            return false;
        }
        FigureRequest request = pane()->request();
        request.pixelRows = static_cast<int>(shown.matrix->rows);  // a pane bears a pixel or two
        request.pixelColumns = static_cast<int>(shown.matrix->columns);
        const Figure expected = Engine().figure(m_window->document()->scene(), request).value();
        if (!expected.matrix || shown.matrix->values.size() != expected.matrix->values.size()) {
            return false;
        }
        for (std::size_t cell = 0; cell < shown.matrix->values.size(); ++cell) {
            if (!(std::abs(shown.matrix->values[cell] - expected.matrix->values[cell]) <= 1e-5)) {
                return false;
            }
        }
        return true;
    }

    QStringList m_messages;

private Q_SLOTS:
    void cleanup() { m_window.reset(); }

    void theStatusLineSaysWhereAttentionRunsAndWhy() {
        startWith(QStringLiteral("--device \"NVIDIA H200\""));
        QVERIFY(waitForGpu());
        QCOMPARE(gpuState(), QStringLiteral("Large maps are computed on NVIDIA H200."));
        showLongText();
        QCOMPARE(shownText("status_backend"), QStringLiteral("NVIDIA H200 · float32"));
        QTRY_VERIFY(isRight());
        QVERIFY(m_messages.isEmpty());
    }

    void aMessageStaysAloneWhateverComesAndGoesBesideIt() {
        startProgram();
        auto* line = m_window->findChild<StatusLine*>();
        line->say(QStringLiteral("Something was said."));
        line->setWarnings({QStringLiteral("A warning.")});
        line->setGpu(QStringLiteral("A sentence."), true);
        QCoreApplication::processEvents();
        line->setWarnings({});
        line->setGpu(QStringLiteral("Another sentence."), false);
        QCoreApplication::processEvents();
        QCOMPARE(line->currentMessage(), QStringLiteral("Something was said."));
        QVERIFY(!line->findChild<QLabel*>(QStringLiteral("status_backend"))->isVisible());
    }

    void aGpuThatIsAwaySaysWhy() {
        startWith(QStringLiteral("--state noDriver"));
        QTRY_VERIFY2(
            gpuState().startsWith(QStringLiteral("No GPU: no NVIDIA driver found; computing on the CPU (")),
            qPrintable(gpuState()));
        showLongText();
        QVERIFY(shownText("status_backend").startsWith(QStringLiteral("CPU (")));
        QTRY_VERIFY(isRight());
    }

    void aBusyGpuIsTriedAgain() {
        const QTemporaryDir folder;
        const QString busy = folder.filePath(QStringLiteral("busy"));
        QFile(busy).open(QIODevice::WriteOnly);
        startWith(QStringLiteral("--busy-while ") + busy);
        auto* button = m_window->findChild<QToolButton*>(QStringLiteral("status_try_again"));
        QTRY_VERIFY(button->isVisible());
        QTRY_COMPARE(m_messages.size(), qsizetype(1));
        auto* warning = m_window->findChild<QToolButton*>(QStringLiteral("status_warning"));
        QVERIFY(warning->accessibleName().contains(QStringLiteral("in use by another program; try again")));
        QFile::remove(busy);
        button->click();
        QVERIFY(waitForGpu());
        QVERIFY(!button->isVisible() && !warning->isVisible());
    }

    void aHelperThatDiesInADragLosesNoPicture_data() {
        QTest::addColumn<QString>("fault");
        for (const char* fault : {"crash", "hang", "garbage", "kill", "halfFrame", "outOfMemory",
                                  "deviceLost", "launchTimedOut", "hung", "wrongNumbers"}) {
            QTest::newRow(fault) << QString::fromLatin1(fault);
        }
    }
    void aHelperThatDiesInADragLosesNoPicture() {
        QFETCH(QString, fault);
        startWith(fault + QStringLiteral("@3"));
        QVERIFY(waitForGpu());
        showLongText();
        for (int tick = 0; tick < 12; ++tick) {
            setParameter("rope.theta", 10000.0 + tick);
            QTest::qWait(10);
        }
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QTRY_COMPARE(m_messages.size(), qsizetype(1));
        QVERIFY2(m_messages.first().contains(QStringLiteral("; computing on the CPU (")),
                 qPrintable(m_messages.first()));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QTRY_VERIFY(isRight());
        QVERIFY(m_window->isVisible());
    }

    void wrongNumbersDoNotLeaveTheWindow() {
        startWith(QStringLiteral("wrongNumbers@*"));
        QVERIFY(waitForGpu());
        QGuiApplication::clipboard()->clear();
        showLongText();
        const auto copied = [this] {
            command("action_copy_values")->trigger();
            return QGuiApplication::clipboard()->text();
        };
        QTRY_VERIFY(!copied().isEmpty());
        const QString values = QGuiApplication::clipboard()->text();
        QTRY_VERIFY(isRight());
        QCOMPARE(copied(), values);  // that was the right map already
    }

    void theWindowGoesOnWhileAHelperHangsAndItsEndDoesNotWait() {
        startWith(QStringLiteral("hang@*"), std::chrono::milliseconds(60000));
        QVERIFY(waitForGpu());
        setParameter("text.length", wholeMap);
        QTest::qWait(200);
        const double muchLess = 10.0;  // seconds, than the silence that ends a helper here
        QVERIFY(secondsOf([] { QTest::qWait(50); }) < muchLess);
        QVERIFY(secondsOf([this] { m_window.reset(); }) < muchLess);
    }

    void theCommandInTheSettingsIsTakenOnAtOnce() {
        startWith(QStringLiteral("--state noDriver"));
        QTRY_VERIFY(gpuState().contains(QStringLiteral("no NVIDIA driver found")));
        m_window->showSettings();
        auto* dialog = m_window->findChild<SettingsDialog*>();
        auto* field = dialog->findChild<QLineEdit*>(QStringLiteral("setting_helper"));
        QVERIFY(field->text().isEmpty());
        field->setText(helper(QStringLiteral("--device \"Far GPU\"")));
        Q_EMIT field->editingFinished();
        QVERIFY(waitForGpu());
        QTRY_COMPARE(dialog->findChild<QLabel*>(QStringLiteral("setting_gpu_state"))->text(),
                     QStringLiteral("Large maps are computed on Far GPU."));
        dialog->close();
        showLongText();
        QCOMPARE(shownText("status_backend"), QStringLiteral("Far GPU · float32"));
        const Settings kept(m_folder->filePath(QStringLiteral("config/phaseladder.ini")));
        QVERIFY(kept.helperCommand().contains(QStringLiteral("Far GPU")));
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::GpuWindowTest)
#include "gpu_window_test.moc"
