#include <QElapsedTimer>
#include <QProcess>
#include <QTest>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {
namespace {

constexpr int patience = 60000;  // milliseconds; nothing is expected to take so long

/// The helper program, spoken to frame by frame.
class Line {
public:
    explicit Line(QStringList arguments = {}) {
        arguments.prepend(QStringLiteral("--emulate"));
        m_process.start(QStringLiteral(PHASELADDER_GPU_HELPER), arguments);
    }
    ~Line() {
        m_process.kill();
        m_process.waitForFinished();
    }

    void send(const Bytes& bytes) {
        m_process.write(reinterpret_cast<const char*>(bytes.data()), qint64(bytes.size()));
    }

    /// The next frame but for those of progress; none at the end.
    std::optional<Frame> receive() {
        for (;;) {
            Result<std::optional<Frame>> frame = m_reader.next();
            if (!frame) {
                return std::nullopt;
            }
            if (*frame && (*frame)->kind != FrameKind::progress) {
                return **frame;
            }
            if (*frame) {
                continue;
            }
            if (m_process.bytesAvailable() == 0 && !m_process.waitForReadyRead(patience)) {
                return std::nullopt;
            }
            const QByteArray bytes = m_process.readAllStandardOutput();
            m_reader.add(std::as_bytes(std::span(bytes.constData(), std::size_t(bytes.size()))));
        }
    }

    HelperHello greet() {
        send(encode(Hello{"test"}));
        const std::optional<Frame> frame = receive();
        return frame ? decodeHelperHello(frame->payload).value_or(HelperHello{}) : HelperHello{};
    }

    std::optional<ErrorMessage> receiveError() {
        const std::optional<Frame> frame = receive();
        if (!frame || frame->kind != FrameKind::error) {
            return std::nullopt;
        }
        return decodeError(frame->payload).value();
    }

    std::optional<ResultMessage> receiveResult() {
        const std::optional<Frame> frame = receive();
        if (!frame || frame->kind != FrameKind::result) {
            return std::nullopt;
        }
        return decodeResult(frame->payload).value();
    }

    QProcess& process() { return m_process; }

private:
    QProcess m_process;
    FrameReader m_reader{Side::helper};
};

/// A problem of four queries and keys of two channels, all 0, without a plan: each sees all alike.
void sendPlainProblem(Line& line, std::uint64_t key) {
    for (const std::uint64_t rows : {1, 2}) {
        line.send(encode(RowsMessage{.key = rows, .width = 2, .distinct = std::vector<float>(8, 0.0F)}));
    }
    ProblemMessage problem;
    problem.key = key;
    problem.queries = 1;
    problem.keys = 2;
    problem.width = 2;
    problem.queryRows = problem.keyRows = problem.defined = 4;
    line.send(encode(problem));
}

RunMessage wholeMap(std::uint64_t id, std::uint64_t problem) {
    RunMessage run;
    run.id = id;
    run.problem = problem;
    run.map = MapMessage{.rowEnd = 4, .columnEnd = 4, .pixelRows = 4, .pixelColumns = 4};
    return run;
}

}  // namespace

/// The program phaseladder-gpu --emulate, by its protocol.
class EmulatedHelperTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void emulatedHelperSaysThatItIsOne() {
        const HelperHello hello = Line().greet();
        QCOMPARE(hello.state, HelperState::ready);
        QVERIFY(hello.isEmulated);
        QCOMPARE(hello.device, std::string("emulated GPU"));
        QCOMPARE(hello.driverVersion, 0);  // no driver was asked
        QVERIFY(hello.memoryBytes > 0);
    }

    void evenRowsWeighAllKeysAlike() {
        Line line;
        (void)line.greet();
        sendPlainProblem(line, 3);
        line.send(encode(wholeMap(5, 3)));
        const auto result = line.receiveResult();
        QVERIFY(result);
        QCOMPARE(result->id, std::uint64_t{5});
        QVERIFY(result->map == std::vector<float>(16, 0.25F));
        QVERIFY(result->shownColumns == std::vector<std::uint32_t>(4, 4));
    }

    void aProblemThatNeverCameIsUnknown() {
        Line line;
        (void)line.greet();
        line.send(encode(wholeMap(5, 3)));
        const auto error = line.receiveError();
        QVERIFY(error);
        QCOMPARE(error->state, HelperState::unknownRows);
        QCOMPARE(error->id, std::uint64_t{5});
        sendPlainProblem(line, 3);  // it goes on
        line.send(encode(wholeMap(6, 3)));
        QVERIFY(line.receiveResult());
    }

    void anEchoIsNumbersInOrder() {
        Line line;
        (void)line.greet();
        line.send(encode(EchoMessage{9, 1 << 20}));
        const auto result = line.receiveResult();
        QVERIFY(result);
        std::vector<float> expected(1 << 20);
        std::iota(expected.begin(), expected.end(), 0.0F);
        QVERIFY(result->map == expected);
    }

    void whatIsNoMessageEndsIt_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const Bytes& bytes, const char* reason) {
            QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(bytes.data()),
                                              qsizetype(bytes.size()))
                                << QString::fromLatin1(reason);
        };
        row("garbage", Bytes(64, std::byte{0x5a}), "");
        row("a second hello", encode(Hello{"test"}), "second hello");
        row("a run without its end", encodeFrame(FrameKind::run, Bytes(3)), "");
        row("what only a helper sends", encode(ProgressMessage{1, 0, 1}), "");
        ProblemMessage problem;
        problem.key = 9;
        problem.queries = problem.keys = 1;
        problem.width = 2;
        problem.queryRows = 5;
        problem.keyRows = 4;
        Bytes both = encode(RowsMessage{.key = 1, .width = 2, .distinct = std::vector<float>(8, 0.0F)});
        const Bytes second = encode(problem);
        both.insert(both.end(), second.begin(), second.end());
        row("a problem of other rows", both, "5 queries");
    }
    void whatIsNoMessageEndsIt() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        Line line;
        (void)line.greet();
        line.process().write(bytes);
        const auto error = line.receiveError();
        QVERIFY(error);
        QCOMPARE(error->state, HelperState::badMessage);
        QVERIFY2(QString::fromStdString(error->reason).contains(reason), error->reason.c_str());
        const auto bye = line.receive();
        QVERIFY(bye && bye->kind == FrameKind::bye);
        QVERIFY(line.process().waitForFinished(patience));
        QCOMPARE(line.process().exitCode(), 1);
    }

    void theFirstFrameIsHello() {
        Line line;
        line.send(encode(EchoMessage{9, 4}));
        const auto error = line.receiveError();
        QVERIFY(error && error->state == HelperState::badMessage);
    }

    void aMapBeyondItsProblemIsRefused() {
        Line line;
        (void)line.greet();
        sendPlainProblem(line, 3);
        RunMessage run = wholeMap(5, 3);
        run.map->rowEnd = 5;
        line.send(encode(run));
        const auto error = line.receiveError();
        QVERIFY(error);
        QCOMPARE(error->id, std::uint64_t{5});
        QVERIFY2(error->reason.find("row 5") != std::string::npos, error->reason.c_str());
    }

    void byeAndTheEndOfTheLineEndIt() {
        for (const bool isBye : {true, false}) {
            Line line;
            (void)line.greet();
            if (isBye) {
                line.send(encodeBye());
            } else {
                line.process().closeWriteChannel();
            }
            QVERIFY(line.process().waitForFinished(patience));
            QCOMPARE(line.process().exitCode(), 0);
        }
    }

    void aDeviceThatHangsDoesNotKeepItWhenNobodyListens() {
        Line line({QStringLiteral("--fault"), QStringLiteral("query:hang@1"), QStringLiteral("--deadline"),
                   QStringLiteral("3600")});
        (void)line.greet();
        sendPlainProblem(line, 3);
        line.send(encode(wholeMap(5, 3)));
        line.process().closeWriteChannel();
        QVERIFY(line.process().waitForFinished(patience));
        QCOMPARE(line.process().exitCode(), 0);
    }

    void aFaultIsToldOnceAndEndsIt() {
        Line line({QStringLiteral("--fault"), QStringLiteral("launch:700@1")});
        QCOMPARE(line.greet().state, HelperState::ready);
        sendPlainProblem(line, 3);
        line.send(encode(wholeMap(5, 3)));
        const auto error = line.receiveError();
        QVERIFY(error && error->state == HelperState::deviceLost && error->id == 5);
        QVERIFY2(error->reason.find("CUDA 700") != std::string::npos, error->reason.c_str());
        QVERIFY(line.process().waitForFinished(patience));
        QCOMPARE(line.process().exitCode(), 1);
    }

    void eachLackHasItsSentence_data() {
        QTest::addColumn<QString>("faults");
        QTest::addColumn<HelperState>("state");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* faults, HelperState state, const char* reason) {
            QTest::newRow(faults) << QString::fromLatin1(faults) << state << QString::fromLatin1(reason);
        };
        row("deviceCount:35 driverVersion=0", HelperState::noDriver, "no NVIDIA driver found");
        row("deviceCount:35 driverVersion=12020", HelperState::driverTooOld,
            "the NVIDIA driver is too old: it offers CUDA 12.2, and 13.0 (driver 580 or newer) is needed");
        row("deviceCount:100", HelperState::noDevice, "no GPU found: CUDA_VISIBLE_DEVICES=\"-1\" hides it");
        row("properties:46", HelperState::deviceBusy, "the GPU is in use by another program (CUDA 46)");
        row("launch:46", HelperState::deviceBusy, "emulated GPU is in use by another program (CUDA 46)");
        row("deviceCount:803", HelperState::driverMismatch,
            "the NVIDIA driver and its library differ, as after an upgrade (CUDA 803)");
        row("launch:209", HelperState::deviceTooOld,
            "emulated GPU cannot run the kernels: compute capability 8.0 found, 7.5 or above needed (CUDA "
            "209)");
        row("download:flip", HelperState::wrongAnswer, "the probe computed");
        row("launch:700", HelperState::deviceLost,
            "the GPU was lost by an illegal memory access (CUDA 700, launch)");
        row("deviceCount:-1", HelperState::noToolkit, "the GPU helper was built without CUDA");
    }
    void eachLackHasItsSentence() {
        QFETCH(QString, faults);
        QFETCH(HelperState, state);
        QFETCH(QString, reason);
        qputenv("CUDA_VISIBLE_DEVICES", "-1");
        QStringList arguments;
        for (const QString& fault : faults.split(u' ')) {
            arguments << QStringLiteral("--fault") << fault;
        }
        const HelperHello hello = Line(arguments).greet();
        qunsetenv("CUDA_VISIBLE_DEVICES");
        QCOMPARE(hello.state, state);
        QVERIFY2(QString::fromStdString(hello.reason).startsWith(reason), hello.reason.c_str());
    }

    void withoutADeviceItAnswersWhyNot() {
        Line line({QStringLiteral("--fault"), QStringLiteral("deviceCount:100")});
        const HelperHello hello = line.greet();
        QCOMPARE(hello.state, HelperState::noDevice);
        sendPlainProblem(line, 3);
        line.send(encode(wholeMap(5, 3)));
        const auto error = line.receiveError();
        QVERIFY(error && error->state == HelperState::noDevice && error->id == 5);
    }

    void wrongArgumentsAreNamed() {
        for (const char* wrong : {"--wrong", "--fault", "--fault launch", "--fault sing:700", "--order up",
                                  "--deadline x", "--fault launch:700@-1"}) {
            QProcess program;
            program.start(QStringLiteral(PHASELADDER_GPU_HELPER), QString::fromLatin1(wrong).split(u' '));
            QVERIFY(program.waitForFinished(patience));
            QCOMPARE(program.exitCode(), 2);
            const QByteArray text = program.readAllStandardError();
            QVERIFY2(text.contains(QByteArray(wrong).split(' ').last()) && text.count('\n') == 1, text);
        }
    }
};

}  // namespace phaseladder::gpu

QTEST_GUILESS_MAIN(phaseladder::gpu::EmulatedHelperTest)
#include "emulated_helper_test.moc"
