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

/// What can go wrong with a GPU and with its helper, by the names of tests/gpu/fake_helper.cpp.
struct Fault {
    const char* what;
    const char* name;
};
constexpr Fault faults[] = {
    {"driver too old", "driverTooOld"},
    {"no device, or hidden", "noDevice"},
    {"device busy", "deviceBusy"},
    {"driver and library differ", "driverMismatch"},
    {"GPU too old", "deviceTooOld"},
    {"probe computes something else", "wrongAnswer"},
    {"out of memory", "outOfMemory"},
    {"watchdog of the display", "launchTimedOut"},
    {"illegal address and kin", "deviceLost"},
    {"launch never ends", "hung"},
    {"hang", "hang"},
    {"wrong tile", "wrongNumbers"},
    {"helper crashes", "crash"},
    {"helper answers garbage", "garbage"},
    {"helper is killed", "kill"},
};

QString helper(const QString& fault) {
    return QStringLiteral("\"" PHASELADDER_FAKE_HELPER "\" ") + fault;
}

/// The map of the window's start-up words in a text of 1024 tokens.
Scene longScene() {
    Scene scene;
    scene.textLength = 1024;
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
    Outcome inWindow(const QString& fault) {
        startProgram();
        Outcome outcome;
        connect(m_window->findChild<StatusLine*>(), &QStatusBar::messageChanged, this,
                [&outcome](const QString& text) { outcome.messages += text.isEmpty() ? 0 : 1; });
        m_window->panes()->setPaneCount(1);
        pane()->setFigureId(QStringLiteral("attention"));
        m_window->setParameter(QStringLiteral("head_dim"), 16.0);
        m_window->setParameter(QStringLiteral("text.length"), 1024.0);
        (void)m_window->waitForPainted(patienceMilliseconds);
        m_window->useGpu([fault](const QString&) {
            return gpu::makeGpuBackend({.command = helper(fault),
                                        .looksInBackground = true,
                                        .silence = std::chrono::milliseconds(400)});
        });
        QTimer beat;
        QElapsedTimer since;
        connect(&beat, &QTimer::timeout, this,
                [&] { outcome.longestStall = std::max(outcome.longestStall, since.restart()); });
        since.start();
        beat.start(5);
        QTest::qWait(100);  // for the first look
        for (int tick = 0; tick < 10 || (outcome.messages == 0 && tick < 200); ++tick) {
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
    Outcome inExport(const QString& fault) {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("map.csv"));
        QProcess program;
        program.start(QStringLiteral(PHASELADDER_PROGRAM),
                      {QStringLiteral("figure"), QStringLiteral("attention"), QStringLiteral("--set"),
                       QStringLiteral("text.length=1024"), QStringLiteral("--set"),
                       QStringLiteral("head_dim=16"), QStringLiteral("--pixels"), QStringLiteral("64x64"),
                       QStringLiteral("--helper"), helper(fault), QStringLiteral("-o"), path});
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
            std::printf("%-30s %-12s %-6s %-8s %lld message  stall %3lld ms%s\n", fault.what, when,
                        outcome.isRight ? "right" : "WRONG", outcome.isRunning ? "goes on" : "ENDED",
                        static_cast<long long>(outcome.messages),
                        static_cast<long long>(outcome.longestStall),
                        isGood ? "" : "   <- not as it should be");
        };
        for (const Fault& fault : faults) {
            const QString name = QString::fromLatin1(fault.name);
            // What is wrong is found when there is time, and not in a drag: every map is.
            const bool isFoundLater = name == QStringLiteral("wrongNumbers");
            const char* first = isFoundLater ? "@*" : "@hello";
            const char* inDrag = isFoundLater ? "@*" : "@3";
            tell(fault, "first look", inWindow(name + QLatin1String(first)));
            tell(fault, "mid-drag", inWindow(name + QLatin1String(inDrag)));
            tell(fault, "mid-export", inExport(name + QStringLiteral("@1")));
        }
        QCOMPARE(wrong, 0);
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::FaultTableTest)
#include "fault_table_test.moc"
