#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/attention/agreement.h"
#include "core/attention/guarded_backend.h"
#include "core/engine.h"
#include "core/export/figure_text.h"
#include "tests/core/word_scene.h"

namespace phaseladder::test {
namespace {

/// A GPU that does with a right answer what it is told.
class FakeGpu final : public Backend {
public:
    using Change = std::function<Result<AttentionResult>(int run, AttentionResult right)>;

    explicit FakeGpu(Change change) : m_change(std::move(change)) {}

    [[nodiscard]] BackendInfo info() const override {
        return {
            .id = "gpu", .label = "Test GPU", .available = isAvailable, .reason = reason, .isFault = isFault};
    }
    [[nodiscard]] Result<AttentionResult> run(const AttentionRequest& request,
                                              std::stop_token stop) override {
        Result<AttentionResult> result = m_cpu->run(request, stop);
        if (!result) {
            return result;
        }
        result->ranOn = info();
        return m_change(++runs, *std::move(result));
    }
    /// A slow one: long maps are made in blocks.
    [[nodiscard]] RunForecast forecast(const AttentionRequest& /*request*/) const override {
        return {.ranOn = info(), .quickProducts = 1e7};
    }
    void tryAgain() override { ++tries; }

    bool isAvailable = true, isFault = false;
    std::string reason;
    int runs = 0, tries = 0;

private:
    Change m_change;
    std::unique_ptr<Backend> m_cpu = makeCpuBackend();
};

Result<AttentionResult> rightly(int /*run*/, AttentionResult right) {
    return right;
}

Result<AttentionResult> lost(int /*run*/, AttentionResult /*right*/) {
    return fail(ErrorKind::unavailable, "the GPU was lost");
}

Result<AttentionResult> wrongly(int /*run*/, AttentionResult right) {
    for (double& number : right.map) {
        number *= 1.001;
    }
    return right;
}

Scene longScene() {
    Scene scene;
    scene.tokens = numberedWords(50);
    scene.textLength = 1024;
    scene.headDim = 32;
    scene.causal = true;
    return scene;
}

std::shared_ptr<const AttentionProblem> problemOf(const Scene& scene) {
    return makeProblem(scene, makePlan(scene, sequenceLength(scene)).value());
}

AttentionRequest mapOf(std::shared_ptr<const AttentionProblem> problem, std::int64_t pixels = 64,
                       ViewValues values = ViewValues::weights) {
    const std::int64_t rows = problem->queries.rows();
    return {std::move(problem),
            MapRequest{
                .window = {0, rows, 0, rows}, .pixelRows = pixels, .pixelColumns = pixels, .values = values}};
}

FigureRequest attentionFigure(Effort effort) {
    FigureRequest request;
    request.id = "attention";
    request.pixelRows = request.pixelColumns = 64;
    request.effort = effort;
    return request;
}

}  // namespace

class GuardedBackendTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatTheFirstCannotComputeIsComputedByTheSecondAndToldOnce() {
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(std::make_unique<FakeGpu>(lost), *cpu);
        for (const std::int64_t pixels : {64, 32}) {
            const AttentionRequest request = mapOf(problemOf(longScene()), pixels);
            const AttentionResult result = guarded.run(request, {}).value();
            QCOMPARE(result.ranOn.id, std::string("cpu"));
            QCOMPARE(result.map, makeCpuBackend()->run(request, {})->map);
        }
        const std::vector<std::string> notices = guarded.takeNotices();
        QCOMPARE(notices.size(), std::size_t(1));
        QVERIFY2(notices.front().starts_with("The GPU was lost; computing on the CPU ("),
                 notices.front().c_str());
        QVERIFY(guarded.takeNotices().empty());
    }

    void aProblemThatTheFirstFailedAtStaysWithTheSecondAndOthersDoNot() {
        auto gpu = std::make_unique<FakeGpu>([](int run, AttentionResult right) {
            return run == 1 ? lost(run, right) : rightly(run, std::move(right));
        });
        FakeGpu* first = gpu.get();
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(std::move(gpu), *cpu);
        const AttentionRequest request = mapOf(problemOf(longScene()));
        QCOMPARE(guarded.forecast(request).ranOn.id, std::string("gpu"));
        QCOMPARE(guarded.run(request, {})->ranOn.id, std::string("cpu"));
        QCOMPARE(guarded.forecast(request).ranOn.id, std::string("cpu"));
        QCOMPARE(guarded.run(request, {})->ranOn.id, std::string("cpu"));
        QCOMPARE(first->runs, 1);
        QCOMPARE(guarded.run(mapOf(problemOf(longScene())), {})->ranOn.id, std::string("gpu"));
    }

    void anAbsentFirstIsPassedOverAndToldOfOnlyWhereItIsAFault() {
        for (const bool isFault : {false, true}) {
            auto gpu = std::make_unique<FakeGpu>(rightly);
            gpu->isAvailable = false;
            gpu->isFault = isFault;
            gpu->reason = "the driver is too old";
            Backends backends(std::move(gpu));
            QCOMPARE(backends.forScores(1e9).info().id, std::string("cpu"));
            QCOMPARE(backends.forScores(1e9).info().id, std::string("cpu"));
            QCOMPARE(backends.takeNotices().size(), std::size_t(isFault ? 1 : 0));
            QVERIFY(backends.takeNotices().empty());
        }
    }

    void aCancelledRunIsNoFault() {
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(std::make_unique<FakeGpu>(rightly), *cpu);
        std::stop_source stop;
        stop.request_stop();
        const Result<AttentionResult> result = guarded.run(mapOf(problemOf(longScene())), stop.get_token());
        QCOMPARE(result.error().kind, ErrorKind::cancelled);
        QVERIFY(guarded.takeNotices().empty());
        QCOMPARE(guarded.recheck({}), Recheck::done);
    }

    void rightMapsPassTheirRecheckWhateverTheEncoding() {
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        for (const Encoding& encoding : encodings()) {
            Scene scene = longScene();
            scene.encoding = encoding.id;
            for (const ViewValues values : {ViewValues::weights, ViewValues::logits}) {
                // The second computes in double precision, so that they really differ.
                const std::unique_ptr<Backend> reference = makeReferenceBackend();
                GuardedBackend guarded(std::make_unique<FakeGpu>(rightly), *reference);
                QVERIFY(guarded.run(mapOf(problemOf(scene), 64, values), {}).has_value());
                QCOMPARE(guarded.recheck({}), Recheck::done);
                QCOMPARE(guarded.info().available, true);
            }
        }
    }

    void whatIsAllowedLiesBetweenTheErrorOfTheCpuAndAHundredth() {
        for (const Encoding& encoding : encodings()) {
            Scene scene = longScene();
            scene.encoding = encoding.id;
            const AttentionRequest request = mapOf(problemOf(scene));
            const double allowed = agreementInSingle(*request.problem, ViewValues::weights).relative;
            const std::vector<double> exact = makeReferenceBackend()->run(request, {})->map;
            const std::vector<double> single = makeCpuBackend()->run(request, {})->map;
            double error = 0.0;
            for (std::size_t at = 0; at < exact.size(); ++at) {
                error = std::max(error, exact[at] > 0.0 ? std::abs(single[at] / exact[at] - 1.0) : 0.0);
            }
            const QString numbers = QStringLiteral("%1: %2 of %3")
                                        .arg(QString::fromStdString(encoding.id))
                                        .arg(error)
                                        .arg(allowed);
            QVERIFY2(error < allowed && allowed < 1e-2, qPrintable(numbers));
        }
    }

    void aWrongMapEndsTheFirstForGoodWithBothNumbers() {
        auto gpu = std::make_unique<FakeGpu>(wrongly);
        FakeGpu* first = gpu.get();
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(std::move(gpu), *cpu);
        const AttentionRequest request = mapOf(problemOf(longScene()));
        QCOMPARE(guarded.run(request, {})->ranOn.id, std::string("gpu"));
        QCOMPARE(guarded.recheck({}), Recheck::wrong);
        QVERIFY(!guarded.info().available);
        QCOMPARE(guarded.run(request, {})->ranOn.id, std::string("cpu"));
        const std::vector<std::string> notices = guarded.takeNotices();
        QCOMPARE(notices.size(), std::size_t(1));
        QVERIFY2(notices.front().starts_with("Test GPU computed ") &&
                     notices.front().find(" where the CPU computes ") != std::string::npos,
                 notices.front().c_str());
        guarded.tryAgain();
        QCOMPARE(first->tries, 0);
        QVERIFY(!guarded.info().available);
    }

    void oneWrongRowIsFoundWhenTheMovingPlaceComesToIt() {
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(std::make_unique<FakeGpu>([](int, AttentionResult right) {
                                   for (std::int64_t at = 0; at < right.pixelColumns; ++at) {
                                       right.map[std::size_t(3 * right.pixelColumns + at)] *= 2.0;
                                   }
                                   return Result<AttentionResult>(std::move(right));
                               }),
                               *cpu);
        const auto problem = problemOf(longScene());
        int runs = 0;
        Recheck found = Recheck::done;
        while (found == Recheck::done && runs < 200) {
            ++runs;
            QVERIFY(guarded.run(mapOf(problem, 16), {}).has_value());
            found = guarded.recheck({});
        }
        QCOMPARE(found, Recheck::wrong);
        QVERIFY(runs > 1);  // a row in 16 is not met at once
    }

    void noHeadOfAFigureGoesUnchecked() {
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(std::make_unique<FakeGpu>([](int run, AttentionResult right) {
                                   return run == 1 ? wrongly(run, std::move(right)) : rightly(run, right);
                               }),
                               *cpu);
        for (int head = 0; head < 32; ++head) {
            QVERIFY(guarded.run(mapOf(problemOf(longScene()), 8), {}).has_value());
        }
        Recheck found = Recheck::more;
        while (found == Recheck::more) {
            found = guarded.recheck({});
        }
        QCOMPARE(found, Recheck::wrong);
    }

    void aStoppedRecheckGoesOn() {
        const std::unique_ptr<Backend> cpu = makeCpuBackend();
        GuardedBackend guarded(std::make_unique<FakeGpu>(wrongly), *cpu);
        QVERIFY(guarded.run(mapOf(problemOf(longScene())), {}).has_value());
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(guarded.recheck(stop.get_token()), Recheck::stopped);
        QVERIFY(guarded.info().available);
        QCOMPARE(guarded.recheck({}), Recheck::wrong);
    }

    void afterAWrongMapFiguresAreComputedAgain() {
        Engine engine{Backends(std::make_unique<FakeGpu>(wrongly))};
        const Scene scene = longScene();
        const Figure wrong = engine.figure(scene, attentionFigure(Effort::whole)).value();
        QCOMPARE(wrong.ranOn, std::string("Test GPU · float32"));
        QCOMPARE(engine.recheck({}), Recheck::wrong);
        const Figure right = engine.figure(scene, attentionFigure(Effort::whole)).value();
        QVERIFY(right.ranOn.starts_with("CPU ("));
        QCOMPARE(writeNpy(right), writeNpy(Engine().figure(scene, attentionFigure(Effort::whole)).value()));
        QCOMPARE(engine.takeNotices().size(), std::size_t(1));
    }

    void aMapWhoseGpuIsLostOnItsWayBeginsAnewOnTheCpu() {
        auto gpu = std::make_unique<FakeGpu>([](int run, AttentionResult right) {
            return run < 4 ? wrongly(run, std::move(right)) : lost(run, std::move(right));
        });
        Engine engine{Backends(std::move(gpu))};
        Scene scene = longScene();
        scene.textLength = 2048;  // more than what is shown in the order of the tokens
        Figure figure = engine.figure(scene, attentionFigure(Effort::quick)).value();
        QCOMPARE(figure.ranOn, std::string("Test GPU · float32"));
        QVERIFY(figure.isPartial);
        for (int step = 0; figure.isPartial && step < 1000; ++step) {
            figure = engine.figure(scene, attentionFigure(Effort::more)).value();
        }
        QVERIFY(figure.ranOn.starts_with("CPU ("));
        QCOMPARE(engine.takeNotices().size(), std::size_t(1));
        // No number of the lost one, which were all wrong, is in it.
        const Figure whole = Engine().figure(scene, attentionFigure(Effort::whole)).value();
        QCOMPARE(writeNpy(figure), writeNpy(whole));
    }

    void gpuFirstComputesSmallMapsTooAndGivesWayToTheUsualWithoutAGpu() {
        for (const bool isAvailable : {true, false}) {
            auto gpu = std::make_unique<FakeGpu>(rightly);
            gpu->isAvailable = isAvailable;
            Backends backends(std::move(gpu));
            QVERIFY(backends.choose(BackendChoice::gpuFirst).has_value());
            QCOMPARE(backends.forScores(9.0).info().id, std::string(isAvailable ? "gpu" : "reference"));
            QCOMPARE(backends.forScores(1e9).info().id, std::string(isAvailable ? "gpu" : "cpu"));
        }
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::GuardedBackendTest)
#include "guarded_backend_test.moc"
