#include <QFile>
#include <QProcess>
#include <QTest>

#include <cmath>

#include <signal.h>

#include "tests/app/command_line_test_parts.h"

namespace phaseladder::app::test {
namespace {

QString helper(const QString& arguments = {}) {
    return QStringLiteral("\"" PHASELADDER_FAKE_HELPER "\" ") + arguments;
}

}  // namespace

class GpuCommandTest : public QObject, private CommandLineFixture {
    Q_OBJECT

private:
    /// The map of a text of 200 tokens, with further options.
    Outcome draw(const QString& file, const QStringList& options,
                 const QString& length = QStringLiteral("text.length=200")) const {
        return run(QStringList{QStringLiteral("figure"), QStringLiteral("attention"), QStringLiteral("--set"),
                               length, QStringLiteral("--pixels"), QStringLiteral("100x100"),
                               QStringLiteral("-o"), path(file)} +
                   options);
    }

    NpyMatrix matrix(const QString& name) const {
        QFile file(path(name));
        file.open(QIODevice::ReadOnly);
        return readNpy(file.readAll());
    }

    static bool areClose(const NpyMatrix& one, const NpyMatrix& other) {
        for (qsizetype cell = 0; cell < one.values.size(); ++cell) {
            if (!(std::abs(one.values[cell] - other.values[cell]) <= 1e-5)) {
                return false;
            }
        }
        return one.shape == other.shape && !one.values.isEmpty();
    }

private Q_SLOTS:
    void aHelperComputesMapsOfAnySizeAsTheCpuDoes() {
        const QString cpu = QStringLiteral("cpu.npy"), gpu = QStringLiteral("gpu.npy");
        QCOMPARE(draw(cpu, {QStringLiteral("--backend"), QStringLiteral("cpu")}).code, 0);
        for (const char* backend : {"gpu", "auto"}) {
            const Outcome outcome = draw(gpu, {QStringLiteral("--backend"), QLatin1String(backend),
                                               QStringLiteral("--helper"), helper()});
            QCOMPARE(outcome.code, 0);
            QCOMPARE(outcome.errors, QByteArray());
            QVERIFY(areClose(matrix(gpu), matrix(cpu)));
            QVERIFY(matrix(gpu).isSingle);  // the helper, which computes in single precision
        }
    }

    void aGpuAskedForAndAwayExitsFiveWithItsReason() {
        const QString out = QStringLiteral("absent.npy");
        const auto outcome = [&](const QString& state) {
            return draw(out, {QStringLiteral("--backend"), QStringLiteral("gpu"), QStringLiteral("--helper"),
                              helper(QStringLiteral("--state ") + state)});
        };
        QCOMPARE(outcome(QStringLiteral("noDriver")).errors,
                 QByteArray("phaseladder: GPU asked for, but: no NVIDIA driver found. Use --backend cpu.\n"));
        QCOMPARE(outcome(QStringLiteral("noDriver")).code, 5);
        QCOMPARE(
            outcome(QStringLiteral("driverMismatch")).errors,
            QByteArray("phaseladder: GPU asked for, but: the NVIDIA driver was upgraded under the running "
                       "system; restart the computer. Use --backend cpu.\n"));
        QVERIFY(!QFile::exists(path(out)));
    }

    void backendsAreListedWithTheReason() {
        const auto list = [](const QString& arguments) {
            return run({QStringLiteral("list"), QStringLiteral("backends"), QStringLiteral("--helper"),
                        helper(arguments)});
        };
        const Outcome absent = list(QStringLiteral("--state noDriver"));
        QCOMPARE(absent.code, 0);
        QVERIFY2(absent.output.contains("unavailable: no NVIDIA driver found; computing on the CPU ("),
                 absent.output.constData());
        const Outcome there = list(QStringLiteral("--device \"NVIDIA H200\""));
        QVERIFY2(there.output.contains("NVIDIA H200. available"), there.output.constData());
        QVERIFY(list(QStringLiteral("--emulated"))
                    .output.contains("emulated GPU (processor threads). available"));
    }

    void aHelperThatIsAwayIsToldOnceAndTheCpuDrawsTheFigure() {
        const QString cpu = QStringLiteral("cpu.npy"), out = QStringLiteral("away.npy");
        QCOMPARE(draw(cpu, {QStringLiteral("--backend"), QStringLiteral("reference")}).code, 0);
        const Outcome outcome =
            draw(out, {QStringLiteral("--helper"), helper(QStringLiteral("--state driverTooOld"))});
        QCOMPARE(outcome.code, 0);
        QCOMPARE(outcome.errors.count('\n'), qsizetype(1));
        QVERIFY2(
            outcome.errors.startsWith("phaseladder: warning: The NVIDIA driver is too old: 535.104 found, "
                                      "580 or newer needed; computing on the CPU ("),
            outcome.errors.constData());
        QVERIFY(areClose(matrix(out), matrix(cpu)));
    }

    void noFaultOfAHelperSpoilsAnExport_data() {
        QTest::addColumn<QString>("fault");
        for (const char* fault :
             {"crash", "exit", "kill", "garbage", "halfFrame", "bye", "wrongId", "shortResult", "outOfMemory",
              "deviceLost", "launchTimedOut", "hung", "wrongNumbers"}) {
            for (const char* when : {"@1", "@*"}) {
                QTest::addRow("%s%s", fault, when) << QString::fromLatin1(fault) + QString::fromLatin1(when);
            }
        }
        for (const char* fault : {"crash", "garbage", "halfFrame", "bye"}) {
            QTest::addRow("%s@hello", fault) << QString::fromLatin1(fault) + QStringLiteral("@hello");
        }
        QTest::addRow("hang@1") << QStringLiteral("hang@1");
    }
    void noFaultOfAHelperSpoilsAnExport() {
        QFETCH(QString, fault);
        const QString cpu = QStringLiteral("cpu.npy"), out = QStringLiteral("fault.npy");
        QCOMPARE(draw(cpu, {QStringLiteral("--backend"), QStringLiteral("cpu")}).code, 0);
        QFile::remove(path(out));
        const Outcome outcome = draw(out, {QStringLiteral("--helper"), helper(fault)});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.errors.count('\n') == 1 && outcome.errors.contains("; computing on the CPU ("),
                 outcome.errors.constData());
        QVERIFY(areClose(matrix(out), matrix(cpu)));
    }

    void aHelperBehindABadLineDrawsTheSame() {
        const QString cpu = QStringLiteral("cpu.npy"), out = QStringLiteral("far.npy");
        QCOMPARE(draw(cpu, {QStringLiteral("--backend"), QStringLiteral("cpu")}).code, 0);
        const QString line = QStringLiteral("python3 \"" PHASELADDER_SLOW_LINE "\" --delay 0.05 ");
        const Outcome slow = draw(out, {QStringLiteral("--backend"), QStringLiteral("gpu"),
                                        QStringLiteral("--helper"), line + helper()});
        QCOMPARE(slow.errors, QByteArray());
        QVERIFY(areClose(matrix(out), matrix(cpu)));
        const Outcome dropped =
            draw(out, {QStringLiteral("--helper"), line + QStringLiteral("--drop 2000 ") + helper()});
        QCOMPARE(dropped.code, 0);
        QVERIFY2(dropped.errors.contains("connection closed by the far host"), dropped.errors.constData());
        QVERIFY(areClose(matrix(out), matrix(cpu)));
    }

    void aHelperThatHangsEndsWithTheProgram() {
        const QString log = path(QStringLiteral("log"));
        QProcess program;
        program.start(QStringLiteral(PHASELADDER_PROGRAM),
                      {QStringLiteral("list"), QStringLiteral("backends"), QStringLiteral("--helper"),
                       helper(QStringLiteral("hang@hello --log ") + log)});
        QTRY_VERIFY(QFile::exists(log));
        QFile file(log);
        file.open(QIODevice::ReadOnly);
        QTRY_VERIFY(file.size() > 0);
        const int id = file.readAll().simplified().split(' ').value(1).toInt();
        QVERIFY(id > 0 && kill(id, 0) == 0);
        program.kill();  // on the spot
        program.waitForFinished();
        // Its entry goes with whoever inherits it; a process that is only an entry has no command any more.
        QTRY_VERIFY([id] {
            QFile command(QStringLiteral("/proc/%1/cmdline").arg(id));
            return !command.open(QIODevice::ReadOnly) || command.readAll().isEmpty();
        }());
    }

    void aHelperNeedsACommand() {
        QCOMPARE(draw(QStringLiteral("x.npy"), {QStringLiteral("--helper"), QString()}).code, 2);
        QCOMPARE(run({QStringLiteral("list"), QStringLiteral("backends"), QStringLiteral("--helper")}).code,
                 2);
        QCOMPARE(run({QStringLiteral("list"), QStringLiteral("models"), QStringLiteral("--helper"), helper()})
                     .code,
                 2);
    }
};

}  // namespace phaseladder::app::test

QTEST_GUILESS_MAIN(phaseladder::app::test::GpuCommandTest)
#include "gpu_command_test.moc"
