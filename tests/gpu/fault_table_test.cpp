#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gpu/gpu_backend.h"
#include "tests/ui/main_window_test_parts.h"
#include "ui/document.h"
#include "ui/status_line.h"

namespace phaseladder::ui::test {
namespace {

constexpr int textLength = 300;  // more scores than what is always computed in double precision

/// The command of a helper with a fault at each moment. Drags come to the third request.
struct Fault {
    const char* what;
    QString firstLook, midDrag, midExport;
};

/// The real helper, whose calls to its emulated device go wrong (gpu/helper/faulty_device.h).
Fault ofDevice(const char* what, const char* first, const char* laterCall, const char* besides = "") {
    const auto command = [besides](const QString& fault) {
        return QStringLiteral("\"" PHASELADDER_GPU_HELPER "\" --emulate %1 --fault %2")
            .arg(QLatin1String(besides), fault);
    };
    const auto later = [&](const char* request) {
        return command(QString::fromLatin1(laterCall).replace(QStringLiteral("%1"), QLatin1String(request)));
    };
    return {what, command(QString::fromLatin1(first)), later("@3"), later("@1")};
}

/// A helper that misbehaves itself (tests/gpu/fake_helper.cpp).
Fault ofHelper(const char* what, const char* name) {
    const QString command = QStringLiteral("\"" PHASELADDER_FAKE_HELPER "\" ") + QString::fromLatin1(name);
    return {what, command + QStringLiteral("@hello"), command + QStringLiteral("@3"),
            command + QStringLiteral("@1")};
}

/// What can go wrong with a GPU, but for the driver that is not there (that one is real, gpu_command_test);
/// below, what can go wrong with the helper. Where the numbers are wrong, all are: it is found when there is
/// time, and a drag has none.
const Fault faults[] = {
    ofDevice("driver too old (35)", "deviceCount:35", "upload:35%1", "--fault driverVersion=12020"),
    ofDevice("no device, or hidden (100)", "deviceCount:100", "launch:100%1"),
    ofDevice("device busy (46)", "properties:46", "launch:46%1"),
    ofDevice("driver, library differ (803)", "deviceCount:803", "allocate:803%1"),
    ofDevice("GPU too old (209, 222)", "launch:209", "launch:222%1"),
    ofDevice("probe is wrong", "download:flip", "download:flip*"),
    ofDevice("out of memory (2)", "allocate:2*", "allocate:2%1*"),
    ofDevice("watchdog of the display (702)", "query:702", "query:702%1"),
    ofDevice("illegal address, kin (700, 719)", "query:700", "query:719%1"),
    ofDevice("ECC, off the bus (214, 999)", "query:214", "download:999%1"),
    ofDevice("launch never ends", "query:hang", "query:hang%1", "--deadline 0.3"),
    ofDevice("silent wrong tile", "download:flip", "download:flip*"),
    ofHelper("helper crashes", "crash"),
    ofHelper("helper hangs", "hang"),
    ofHelper("helper answers garbage", "garbage"),
    ofHelper("helper is killed", "kill"),
};

/// The map of the window's start-up words in a text that is long enough for a GPU.
Scene longScene() {
    Scene scene;
    scene.textLength = textLength;
    scene.headDim = 16;
    return scene;
}

}  // namespace

/// Each fault at the first look for a GPU, in a drag and in an export: the right picture, one message, and no
/// end of the program. Prints one table.
class FaultTableTest : public QObject, private MainWindowFixture {
    Q_OBJECT

private:
    struct Outcome {
        bool isRight = false, isRunning = false;
        qsizetype messages = 0;
        qint64 longestStall = 0;  // in milliseconds; for people, since machines differ
    };

    FigurePane* pane() const { return m_window->panes()->panes().first(); }

    static bool areClose(const std::vector<double>& shown, const std::vector<double>& expected) {
        const auto isClose = [](double one, double other) { return std::abs(one - other) <= 1e-5; };
        return !shown.empty() && std::ranges::equal(shown, expected, isClose);
    }

    bool isRight() const {
        const Figure& shown = pane()->figure();
        if (!shown.matrix) {
            return false;
        }
        FigureRequest request = pane()->request();
        request.pixelRows = static_cast<int>(shown.matrix->rows);
        request.pixelColumns = static_cast<int>(shown.matrix->columns);
        const Figure expected = Engine().figure(m_window->document()->scene(), request).value();
        return expected.matrix && areClose(shown.matrix->values, expected.matrix->values);
    }

    /// A window whose helper has this fault; slider ticks meanwhile.
    Outcome inWindow(const QString& command) {
        startProgram();
        Outcome outcome;
        connect(m_window->findChild<StatusLine*>(), &QStatusBar::messageChanged, this,
                [&outcome](const QString& text) { outcome.messages += text.isEmpty() ? 0 : 1; });
        m_window->panes()->setPaneCount(1);
        pane()->setFigureId(QStringLiteral("attention"));
        m_window->setParameter(QStringLiteral("head_dim"), 16.0);
        m_window->setParameter(QStringLiteral("text.length"), double(textLength));
        (void)m_window->waitForPainted(patienceMilliseconds);
        m_window->useGpu([command](const QString&) {
            return gpu::makeGpuBackend(
                {.command = command, .looksInBackground = true, .silence = std::chrono::milliseconds(1500)});
        });
        QTimer beat;
        QElapsedTimer since;
        connect(&beat, &QTimer::timeout, this,
                [&] { outcome.longestStall = std::max(outcome.longestStall, since.restart()); });
        since.start();
        beat.start(5);
        QTest::qWait(100);  // for the first look
        for (int tick = 0; tick < 10 || (outcome.messages == 0 && tick < 2000); ++tick) {
            m_window->setParameter(QStringLiteral("rope.theta"), 10000.0 + tick);
            QTest::qWait(10);
        }
        (void)QTest::qWaitFor([&] { return outcome.messages > 0; });
        (void)m_window->waitForPainted(patienceMilliseconds);
        beat.stop();
        outcome.isRight = QTest::qWaitFor([this] { return isRight(); });
        outcome.isRunning = m_window->isVisible();
        m_window.reset();
        return outcome;
    }

    /// The program, which draws a figure with such a helper; where it hangs, this takes what a person waits.
    Outcome inExport(const QString& command) {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("map.csv"));
        QProcess program;
        program.start(QStringLiteral(PHASELADDER_PROGRAM),
                      {QStringLiteral("figure"), QStringLiteral("attention"), QStringLiteral("--set"),
                       QStringLiteral("text.length=%1").arg(textLength), QStringLiteral("--set"),
                       QStringLiteral("head_dim=16"), QStringLiteral("--pixels"), QStringLiteral("64x64"),
                       QStringLiteral("--helper"), command, QStringLiteral("-o"), path});
        program.waitForFinished(60000);
        Outcome outcome;
        outcome.isRunning = program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0;
        outcome.messages = program.readAllStandardError().count('\n');
        QFile file(path);
        file.open(QIODevice::ReadOnly);
        std::vector<double> values;
        for (const QByteArray& line : file.readAll().trimmed().split('\n').mid(1)) {
            values.push_back(line.split(',').value(2).toDouble());
        }
        FigureRequest request;
        request.id = "attention";
        request.pixelRows = request.pixelColumns = 64;
        outcome.isRight = areClose(values, Engine().figure(longScene(), request)->matrix->values);
        return outcome;
    }

private Q_SLOTS:
    void noFaultCostsAPictureOrEndsTheProgram() {
        int wrong = 0;
        const auto tell = [&wrong](const Fault& fault, const char* when, const Outcome& outcome) {
            const bool isGood = outcome.isRight && outcome.isRunning && outcome.messages == 1;
            wrong += isGood ? 0 : 1;
            std::printf("%-32s %-12s %-6s %-8s %lld message  stall %3lld ms%s\n", fault.what, when,
                        outcome.isRight ? "right" : "WRONG", outcome.isRunning ? "goes on" : "ENDED",
                        static_cast<long long>(outcome.messages),
                        static_cast<long long>(outcome.longestStall),
                        isGood ? "" : "   <- not as it should be");
        };
        for (const Fault& fault : faults) {
            tell(fault, "first look", inWindow(fault.firstLook));
            tell(fault, "mid-drag", inWindow(fault.midDrag));
            tell(fault, "mid-export", inExport(fault.midExport));
        }
        QCOMPARE(wrong, 0);
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::FaultTableTest)
#include "fault_table_test.moc"
