#include <QTest>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/backends.h"
#include "core/engine.h"

namespace phaseladder::test {
namespace {

/// A backend that notes what reaches it; the reference computes.
class NotedBackend final : public Backend {
public:
    NotedBackend(bool isAvailable, int* runs) : m_isAvailable(isAvailable), m_runs(runs) {}

    BackendInfo info() const override {
        return {.id = "gpu", .label = "GPU", .available = m_isAvailable, .reason = "The GPU is away."};
    }
    Result<AttentionResult> run(const AttentionRequest& request, std::stop_token stop) override {
        *m_runs += 1;
        return makeReferenceBackend()->run(request, std::move(stop));
    }

private:
    bool m_isAvailable;
    int* m_runs;
};

Scene textOf(int tokens, int heads = 1) {
    Scene scene;
    scene.textLength = tokens;
    scene.headDim = 8;
    scene.heads = heads;
    return scene;
}

}  // namespace

class BackendsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void smallMapsAreComputedInDoublePrecisionAndLargeOnesOnTheCpu() {
        const Backends backends;
        QCOMPARE(backends.forScores(65536.0).info().id, std::string("reference"));
        QVERIFY(&backends.forScores(65537.0) != &backends.forScores(65536.0));
        QVERIFY(backends.forStates(1024).info().isDouble);
        QVERIFY(&backends.forStates(1025) == &backends.forScores(1e12));
    }

    void scoresAreCountedOverAllHeads() {
        const Engine engine;
        QVERIFY(engine.mapBackend(textOf(256)).isDouble);
        Backends forced;
        QVERIFY(forced.choose(BackendChoice::cpu).has_value());
        const BackendInfo cpu = Engine(std::move(forced)).mapBackend(textOf(3));
        QCOMPARE(engine.mapBackend(textOf(257)).id, cpu.id);
        QCOMPARE(engine.mapBackend(textOf(256, 2)).id, cpu.id);
    }

    void aGpuComputesWhatIsLargeWhereThereIsOne() {
        int runs = 0;
        Engine engine{Backends(std::make_unique<NotedBackend>(true, &runs))};
        FigureRequest request;
        request.id = "attention";
        QVERIFY(engine.figure(textOf(200), request).has_value());
        QCOMPARE(runs, 0);
        const Result<Figure> large = engine.figure(textOf(300), request);
        QVERIFY(large.has_value());
        QCOMPARE(runs, 1);  // the map; the hidden states that are compared are computed in double precision
        QCOMPARE(large->ranOn, std::string("GPU · float32"));
        QVERIFY(large->matrix->isSingle);
    }

    void singlePrecisionFindsABlindEncodingBlind() {
        for (const char* encoding : {"none", "rope"}) {
            Scene scene = textOf(0);  // three words
            scene.encoding = encoding;
            FigureRequest request;
            request.id = "attention";
            const Result<Figure> figure = Engine(makeCpuBackend()).figure(scene, request);
            QVERIFY(figure.has_value());
            const auto verdict = std::ranges::find(figure->readouts, "order_verdict", &Readout::id);
            QVERIFY(verdict != figure->readouts.end());
            QCOMPARE(std::get<std::string>(verdict->value),
                     std::string(scene.encoding == "none" ? "order-blind" : "order-aware"));
        }
    }

    void aMeanOfOneOtherHeadIsComparedWithItself() {
        Scene scene = textOf(0, 4);
        scene.encoding = "none";
        scene.view.heads = {2};
        FigureRequest request;
        request.id = "attention";
        const Result<Figure> figure = Engine().figure(scene, request);
        QVERIFY(figure.has_value());
        const auto verdict = std::ranges::find(figure->readouts, "order_verdict", &Readout::id);
        QVERIFY(verdict != figure->readouts.end());
        QCOMPARE(std::get<std::string>(verdict->value), std::string("order-blind"));
    }

    void aGpuThatIsAwayIsPassedOverAndRefusedByName() {
        int runs = 0;
        Backends backends(std::make_unique<NotedBackend>(false, &runs));
        QVERIFY(backends.forScores(1e9).info().id != "gpu");
        const Result<void> chosen = backends.choose(BackendChoice::gpu);
        QVERIFY(!chosen.has_value());
        QCOMPARE(chosen.error().kind, ErrorKind::unavailable);
        QCOMPARE(chosen.error().message, std::string("The GPU is away."));
        QVERIFY(!Backends().choose(BackendChoice::gpu).has_value());
    }

    void aChosenBackendComputesEverything() {
        int runs = 0;
        Backends backends(std::make_unique<NotedBackend>(true, &runs));
        QVERIFY(backends.choose(BackendChoice::gpu).has_value());
        QCOMPARE(backends.forScores(9.0).info().id, std::string("gpu"));
        QCOMPARE(backends.forStates(3).info().id, std::string("gpu"));
        QVERIFY(backends.choose(BackendChoice::reference).has_value());
        QCOMPARE(backends.forScores(1e12).info().id, std::string("reference"));
        QVERIFY(backends.choose(BackendChoice::automatic).has_value());
        QCOMPARE(backends.forScores(1e12).info().id, std::string("gpu"));
        QCOMPARE(backends.infos().size(), std::size_t(3));
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::BackendsTest)
#include "backends_test.moc"
