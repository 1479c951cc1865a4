#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include <signal.h>

#include "core/attention/agreement.h"
#include "core/attention/backends.h"
#include "core/random.h"
#include "gpu/fault_sentences.h"
#include "gpu/gpu_backend.h"
#include "tests/core/word_scene.h"

namespace phaseladder::test {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr auto silence = milliseconds(400);

/// The test helper with these arguments, behind another command or none.
QString helper(const QString& arguments = {}, const QString& before = {}) {
    return QStringLiteral("%1\"%2\" %3").arg(before, QStringLiteral(PHASELADDER_FAKE_HELPER), arguments);
}

QString slowLine(const QString& arguments) {
    return QStringLiteral("python3 \"%1\" %2 ").arg(QStringLiteral(PHASELADDER_SLOW_LINE), arguments);
}

std::unique_ptr<Backend> gpuWith(const QString& command, std::chrono::milliseconds patience = silence) {
    return gpu::makeGpuBackend({.command = command, .looksInBackground = false, .silence = patience});
}

Scene smallScene(const std::string& encoding = "rope") {
    return wordScene(96, encoding, true);
}

std::shared_ptr<const AttentionProblem> problemOf(const Scene& scene) {
    return makeProblem(scene, makePlan(scene, sequenceLength(scene)).value());
}

AttentionRequest mapOf(std::shared_ptr<const AttentionProblem> problem) {
    const std::int64_t rows = problem->queries.rows();
    return {std::move(problem),
            MapRequest{.window = {0, rows, 0, rows}, .pixelRows = 32, .pixelColumns = 32}};
}

bool isSame(const AttentionResult& gpu, const AttentionResult& cpu, const AttentionProblem& problem) {
    const Agreement allowed = agreementInSingle(problem, ViewValues::weights);
    for (std::size_t at = 0; at < cpu.map.size(); ++at) {
        if (std::abs(gpu.map[at] - cpu.map[at]) >
            allowed.absolute + (allowed.relative + 1e-6) * std::abs(cpu.map[at])) {
            return false;
        }
    }
    return gpu.map.size() == cpu.map.size() && gpu.masked == cpu.masked &&
           gpu.definedTokens == cpu.definedTokens && gpu.computedRows == cpu.computedRows &&
           gpu.pixelRows == cpu.pixelRows && gpu.pixelColumns == cpu.pixelColumns;
}

/// Lines that the helper wrote to its log and that begin so.
int countLines(const QString& path, const std::string& beginning) {
    std::ifstream file(path.toStdString());
    int count = 0;
    for (std::string line; std::getline(file, line);) {
        count += line.starts_with(beginning) ? 1 : 0;
    }
    return count;
}

/// Ids of the helpers that were started.
std::vector<int> startedHelpers(const QString& path) {
    std::ifstream file(path.toStdString());
    std::vector<int> ids;
    for (std::string word; file >> word;) {
        if (word == "start") {
            ids.push_back(0);
            file >> ids.back();
        }
    }
    return ids;
}

double secondsOf(const std::function<void()>& work) {
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

class GpuClientTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReadyHelperComputesWhatTheCpuDoes() {
        const auto backend = gpuWith(helper(QStringLiteral("--device \"NVIDIA H200\"")));
        QVERIFY2(backend->info().available, backend->info().reason.c_str());
        QCOMPARE(backend->info().label, std::string("NVIDIA H200"));
        for (const Encoding& encoding : encodings()) {
            const auto problem = problemOf(smallScene(encoding.id));
            AttentionRequest request = mapOf(problem);
            request.hiddenStates = true;
            const Result<AttentionResult> gpu = backend->run(request, {});
            QVERIFY2(gpu.has_value(), encoding.id.c_str());
            QCOMPARE(gpu->ranOn.id, std::string("gpu"));
            const AttentionResult cpu = makeCpuBackend()->run(request, {}).value();
            QVERIFY2(isSame(*gpu, cpu, *problem), encoding.id.c_str());
            QVERIFY((gpu->hiddenStates - cpu.hiddenStates).cwiseAbs().maxCoeff() < 1e-4);
        }
    }

    void partsAndPreviewsOfAMapAreAskedForAsTheyAre() {
        const auto backend = gpuWith(helper());
        const auto problem = problemOf(smallScene());
        for (const Pooling pooling : {Pooling::mean, Pooling::max}) {
            for (const std::int64_t sampled : {0, 20}) {
                AttentionRequest request{
                    problem, MapRequest{{7, 87, 3, 90}, 23, 19, pooling, ViewValues::weights, 4, 11, sampled},
                    false};
                QVERIFY(isSame(backend->run(request, {}).value(), makeCpuBackend()->run(request, {}).value(),
                               *problem));
            }
        }
        AttentionRequest outside = mapOf(problem);
        outside.map->window.rowEnd = 1000;
        QCOMPARE(backend->run(outside, {}).error().kind, ErrorKind::failed);
    }

    void anEmulatedGpuSaysThatItIsOne() {
        QCOMPARE(gpuWith(helper(QStringLiteral("--emulated")))->info().label,
                 std::string("emulated GPU (processor threads)"));
    }

    void matricesAndProblemsAreSentOnce() {
        const QTemporaryDir folder;
        const QString log = folder.filePath(QStringLiteral("log"));
        const auto backend = gpuWith(helper(QStringLiteral("--log ") + log));
        Scene scene = smallScene();
        scene.textLength = 960;  // ten times the same words
        const auto problem = problemOf(scene);
        for (int run = 0; run < 3; ++run) {
            QVERIFY(backend->run(mapOf(problem), {}).has_value());
        }
        QCOMPARE(countLines(log, "rows "), 2);  // queries and keys: nothing asks for values
        QCOMPARE(countLines(log, "rows " + std::to_string(96 * 16)), 2);  // the distinct ones
        QCOMPARE(countLines(log, "problem"), 1);
        // Another theta is another plan over the same matrices.
        auto turned = std::make_shared<AttentionProblem>(*problem);
        turned->plan.rotation->turnsPerToken.front() /= 2;
        QVERIFY(backend->run(mapOf(turned), {}).has_value());
        QCOMPARE(countLines(log, "rows "), 2);
        QCOMPARE(countLines(log, "problem"), 2);
        AttentionRequest states{problem, std::nullopt, true};
        QVERIFY(backend->run(states, {}).has_value());
        QCOMPARE(countLines(log, "rows "), 3);
    }

    void whatTheHelperHasDroppedIsSentAgain() {
        const QTemporaryDir folder;
        const QString log = folder.filePath(QStringLiteral("log"));
        const auto backend = gpuWith(helper(QStringLiteral("unknownRows@2 --log ") + log));
        const auto problem = problemOf(smallScene());
        const AttentionResult first = backend->run(mapOf(problem), {}).value();
        QCOMPARE(backend->run(mapOf(problem), {}).value().map, first.map);
        QCOMPARE(countLines(log, "rows "), 4);
        QCOMPARE(countLines(log, "start"), 1);
        const auto forgetful = gpuWith(helper(QStringLiteral("unknownRows@*")));
        QCOMPARE(forgetful->run(mapOf(problem), {}).error().kind, ErrorKind::unavailable);
    }

    void theForecastKnowsTheRowsWhoseSumsTheHelperHas() {
        const auto backend = gpuWith(helper());
        AttentionRequest request = mapOf(problemOf(smallScene()));
        QVERIFY(backend->info().available);
        QCOMPARE(backend->forecast(request).knownRows, std::int64_t(0));
        QVERIFY(backend->forecast(request).quickProducts >= quickDoubleProducts());
        request.map->window.rowEnd = 32;
        QVERIFY(backend->run(request, {}).has_value());
        request.map->window.rowEnd = 96;
        QCOMPARE(backend->forecast(request).knownRows, std::int64_t(32));
    }

    void eachStateOfAHelperHasItsSentence_data() {
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* state, const char* sentence) {
            QTest::newRow(state) << QString::fromLatin1(state) << QString::fromUtf8(sentence);
        };
        row("noToolkit", "built without CUDA");
        row("noDriver", "no NVIDIA driver found");
        row("driverTooOld", "the NVIDIA driver is too old: 535.104 found, 580 or newer needed");
        row("noDevice", "no GPU found: CUDA_VISIBLE_DEVICES=\"-1\" hides them");
        row("deviceBusy", "NVIDIA H200 is in use by another program; try again");
        row("driverMismatch",
            "the NVIDIA driver was upgraded under the running system; restart the computer");
        row("deviceTooOld", "Tesla P100 has compute capability 6.0, 7.5 is needed");
        row("wrongAnswer", "the probe computed 0.5 where 0.25 is right");
    }
    void eachStateOfAHelperHasItsSentence() {
        QFETCH(QString, state);
        QFETCH(QString, sentence);
        const auto backend = gpuWith(helper(QStringLiteral("--state ") + state));
        const BackendInfo info = backend->info();
        QVERIFY(!info.available);
        QCOMPARE(QString::fromStdString(info.reason), sentence);
        QVERIFY(info.isFault);  // who names a helper expects it
        QCOMPARE(info.canTryAgain, state == QStringLiteral("deviceBusy"));
        const Result<AttentionResult> run = backend->run(mapOf(problemOf(smallScene())), {});
        QCOMPARE(run.error().kind, ErrorKind::unavailable);
    }

    void onlyAComputerWithoutSuchAGpuIsOrdinary() {
        QVERIFY(gpu::isOrdinary(gpu::HelperState::noDriver) && gpu::isOrdinary(gpu::HelperState::noToolkit));
        QVERIFY(!gpu::isOrdinary(gpu::HelperState::driverTooOld) &&
                !gpu::isOrdinary(gpu::HelperState::deviceBusy));
    }

    void whatIsNoHelperIsSaid() {
        const auto absent = gpuWith(QStringLiteral("/nowhere/helper"))->info();
        QVERIFY(!absent.available && absent.isFault);
        QVERIFY2(absent.reason.find("\"helper\" cannot be started") != std::string::npos,
                 absent.reason.c_str());
        const auto talker = gpuWith(QStringLiteral("echo hello there, this is not a helper at all"))->info();
        QVERIFY2(!talker.available && talker.reason.find("language") != std::string::npos,
                 talker.reason.c_str());
        const auto quitter = gpuWith(QStringLiteral("sh -c \"echo no such host >&2; exit 255\""))->info();
        QVERIFY2(quitter.reason.ends_with("ended with code 255: no such host"), quitter.reason.c_str());
        // One that does not read ends nobody by a broken pipe.
        const auto deaf = gpuWith(QStringLiteral("sh -c \"exec 0<&-; sleep 2\""))->info();
        QVERIFY2(deaf.reason.ends_with("has not answered for 0.4 s"), deaf.reason.c_str());
        // No shell runs: what would be a second command is an argument.
        const QTemporaryDir folder;
        const QString trace = folder.filePath(QStringLiteral("trace"));
        QVERIFY(!gpuWith(QStringLiteral("echo ; touch %1").arg(trace))->info().available);
        QVERIFY(!QFile::exists(trace));
    }

    /// The fault happens at the second run, and then at every one.
    void aLostHelperIsStartedOnceMoreAndThenNoMore_data() {
        QTest::addColumn<QString>("fault");
        for (const char* fault : {"crash", "exit", "kill", "hang", "garbage", "halfFrame", "halfThenHang",
                                  "bye", "wrongId", "shortResult", "deviceLost", "launchTimedOut", "hung"}) {
            QTest::newRow(fault) << QString::fromLatin1(fault);
        }
    }
    void aLostHelperIsStartedOnceMoreAndThenNoMore() {
        QFETCH(QString, fault);
        const QTemporaryDir folder;
        const QString log = folder.filePath(QStringLiteral("log"));
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(gpuWith(helper(QStringLiteral("%1@2 --log %2").arg(fault, log))), *cpu);
        const auto runSome = [&](const char* ranOn) {
            const AttentionRequest request = mapOf(problemOf(smallScene()));
            const Result<AttentionResult> result = guarded.run(request, {});
            QVERIFY(result.has_value());
            QCOMPARE(result->ranOn.id, std::string(ranOn));
            QVERIFY(isSame(*result, makeCpuBackend()->run(request, {}).value(), *request.problem));
        };
        runSome("gpu");
        runSome("cpu");
        std::vector<std::string> notices = guarded.takeNotices();
        QCOMPARE(notices.size(), std::size_t(1));
        qInfo("%s", notices.front().c_str());
        QVERIFY(notices.front().find("; computing on the CPU (") != std::string::npos);
        runSome("gpu");
        runSome("cpu");
        runSome("cpu");
        QVERIFY(guarded.takeNotices().empty());  // it is told once
        QVERIFY(!guarded.info().available);
        QCOMPARE(countLines(log, "start"), 2);
        for (const int id : startedHelpers(log)) {
            QTRY_VERIFY(kill(id, 0) != 0);
        }
    }

    void aHelperThatFailsAtHelloIsAskedOnceMore_data() { aLostHelperIsStartedOnceMoreAndThenNoMore_data(); }
    void aHelperThatFailsAtHelloIsAskedOnceMore() {
        QFETCH(QString, fault);
        if (fault == QStringLiteral("wrongId") || fault == QStringLiteral("shortResult")) {
            QSKIP("a hello has neither");
        }
        const QTemporaryDir folder;
        const QString log = folder.filePath(QStringLiteral("log"));
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(gpuWith(helper(QStringLiteral("%1@hello --log %2").arg(fault, log))), *cpu);
        for (int run = 0; run < 3; ++run) {
            QCOMPARE(guarded.run(mapOf(problemOf(smallScene())), {})->ranOn.id, std::string("cpu"));
        }
        QCOMPARE(guarded.takeNotices().size(), std::size_t(1));
        QCOMPARE(countLines(log, "start"), 2);
    }

    void outOfMemoryIsForThisJobOnly() {
        const QTemporaryDir folder;
        const QString log = folder.filePath(QStringLiteral("log"));
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(gpuWith(helper(QStringLiteral("outOfMemory@1 --log ") + log)), *cpu);
        const auto problem = problemOf(smallScene());
        QCOMPARE(guarded.run(mapOf(problem), {})->ranOn.id, std::string("cpu"));
        QCOMPARE(guarded.takeNotices().size(), std::size_t(1));
        QCOMPARE(guarded.run(mapOf(problem), {})->ranOn.id, std::string("cpu"));
        QCOMPARE(guarded.run(mapOf(problemOf(smallScene())), {})->ranOn.id, std::string("gpu"));
        QVERIFY(guarded.takeNotices().empty());
        QCOMPARE(countLines(log, "start"), 1);
    }

    void wrongNumbersAreFoundByTheRecheck() {
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(gpuWith(helper(QStringLiteral("wrongNumbers@*"))), *cpu);
        QCOMPARE(guarded.run(mapOf(problemOf(smallScene())), {})->ranOn.id, std::string("gpu"));
        QCOMPARE(guarded.recheck({}), Recheck::wrong);
        GuardedBackend right(gpuWith(helper()), *cpu);
        QCOMPARE(right.run(mapOf(problemOf(smallScene())), {})->ranOn.id, std::string("gpu"));
        QCOMPARE(right.recheck({}), Recheck::done);
        QVERIFY(right.info().available);
    }

    void aSlowHelperThatTellsItsProgressIsWaitedFor() {
        const auto backend = gpuWith(helper(QStringLiteral("slow")));
        QVERIFY(backend->info().available);
        const double seconds =
            secondsOf([&] { QVERIFY(backend->run(mapOf(problemOf(smallScene())), {}).has_value()); });
        QVERIFY(seconds > 2.0 * std::chrono::duration<double>(silence).count());
    }

    void aCancelledRunReturnsAtOnceAndItsAnswerIsPassedOver() {
        const QTemporaryDir folder;
        const QString log = folder.filePath(QStringLiteral("log"));
        const auto backend = gpuWith(helper(QStringLiteral("slow --log ") + log));
        QVERIFY(backend->info().available);
        const auto problem = problemOf(smallScene());
        std::stop_source stop;
        std::jthread person([&] {
            std::this_thread::sleep_for(milliseconds(100));
            stop.request_stop();
        });
        const double seconds = secondsOf([&] {
            QCOMPARE(backend->run(mapOf(problem), stop.get_token()).error().kind, ErrorKind::cancelled);
        });
        QVERIFY2(seconds < 0.5, std::to_string(seconds).c_str());
        AttentionRequest other = mapOf(problem);
        other.map->pixelRows = 48;
        QVERIFY(isSame(backend->run(other, {}).value(), makeCpuBackend()->run(other, {}).value(), *problem));
        QCOMPARE(countLines(log, "cancel"), 1);
        QCOMPARE(countLines(log, "start"), 1);
    }

    void theEndDoesNotWaitForAHelperThatHangs() {
        const QTemporaryDir folder;
        const QString log = folder.filePath(QStringLiteral("log"));
        auto backend = gpuWith(helper(QStringLiteral("hang --log ") + log), milliseconds(60000));
        QVERIFY(backend->info().available);
        std::stop_source stop;
        std::jthread person([&] {
            std::this_thread::sleep_for(milliseconds(100));
            stop.request_stop();
        });
        (void)backend->run(mapOf(problemOf(smallScene())), stop.get_token());
        QVERIFY(secondsOf([&] { backend.reset(); }) < 1.0);
        for (const int id : startedHelpers(log)) {
            QTRY_VERIFY(kill(id, 0) != 0);
        }
    }

    void aHelperInPeaceIsToldGoodbye() {
        const QTemporaryDir folder;
        const QString log = folder.filePath(QStringLiteral("log"));
        QVERIFY(gpuWith(helper(QStringLiteral("--log ") + log))->info().available);
        QCOMPARE(countLines(log, "bye"), 1);
    }

    void inTheBackgroundNobodyWaits() {
        const auto backend = gpu::makeGpuBackend({.command = helper(QStringLiteral("hang@hello")),
                                                  .looksInBackground = true,
                                                  .silence = milliseconds(60000)});
        QVERIFY(secondsOf([&] { QVERIFY(!backend->info().available); }) < 0.2);
        QVERIFY(!backend->info().isFault);
        auto found = gpu::makeGpuBackend({.command = helper(), .looksInBackground = true});
        QVERIFY(!found->info().available);
        QTRY_VERIFY(found->info().available);
        QVERIFY(secondsOf([&] { found.reset(); }) < 1.0);
    }

    void aDeviceThatIsLookedForLongerThanSilenceIsWaitedFor() {
        const QString slow =
            QStringLiteral("\"" PHASELADDER_GPU_HELPER "\" --emulate --fault query:hang --deadline 4");
        const BackendInfo info = gpuWith(slow, milliseconds(2000))->info();
        QVERIFY2(info.reason.find("within 4 s") != std::string::npos, info.reason.c_str());
    }

    void aBusyGpuIsFoundOnceItIsFree() {
        const QTemporaryDir folder;
        const QString busy = folder.filePath(QStringLiteral("busy"));
        QFile(busy).open(QIODevice::WriteOnly);
        const auto backend = gpuWith(helper(QStringLiteral("--busy-while ") + busy));
        QVERIFY(backend->info().canTryAgain);
        QVERIFY(!backend->info().available);
        QFile::remove(busy);
        QVERIFY(!backend->info().available);  // nobody asked to look again
        backend->tryAgain();
        QVERIFY(backend->info().available);
    }

    void farHostsWork() {
        const auto backend =
            gpuWith(helper({}, slowLine(QStringLiteral("--delay 0.05"))), milliseconds(3000));
        QVERIFY2(backend->info().available, backend->info().reason.c_str());
        const auto problem = problemOf(smallScene());
        QVERIFY(isSame(backend->run(mapOf(problem), {}).value(),
                       makeCpuBackend()->run(mapOf(problem), {}).value(), *problem));
    }

    void aDroppedLineIsALostHelper() {
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(
            gpuWith(helper({}, slowLine(QStringLiteral("--drop 2000"))), milliseconds(3000)), *cpu);
        QVERIFY(guarded.info().available);
        const AttentionRequest request = mapOf(problemOf(smallScene()));
        const AttentionResult result = guarded.run(request, {}).value();
        QCOMPARE(result.ranOn.id, std::string("cpu"));
        QCOMPARE(result.map, makeCpuBackend()->run(request, {})->map);
        const std::vector<std::string> notices = guarded.takeNotices();
        QCOMPARE(notices.size(), std::size_t(1));
        QVERIFY2(notices.front().find("connection closed by the far host") != std::string::npos,
                 notices.front().c_str());
    }

    void largeUploadsAndAnswersPassEachOther() {
        const auto backend = gpuWith(helper(), milliseconds(20000));
        Random random(1);
        auto problem = std::make_shared<AttentionProblem>();
        const auto rows = [&] {
            return FloatRows::NullaryExpr(20000, 256, [&] { return static_cast<float>(random.normal()); })
                .eval();
        };
        problem->queries = rows();
        problem->keys = rows();
        const AttentionRequest request{
            problem, MapRequest{.window = {0, 64, 0, 20000}, .pixelRows = 64, .pixelColumns = 20000}, false};
        QVERIFY(
            isSame(backend->run(request, {}).value(), makeCpuBackend()->run(request, {}).value(), *problem));
    }
};

}  // namespace phaseladder::test

QTEST_GUILESS_MAIN(phaseladder::test::GpuClientTest)
#include "gpu_client_test.moc"
