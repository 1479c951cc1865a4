#include <QTest>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/backends.h"
#include "core/engine.h"
#include "core/export/figure_text.h"

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
        Result<AttentionResult> result = makeReferenceBackend()->run(request, std::move(stop));
        if (result) {
            result->ranOn = info();
        }
        return result;
    }

private:
    bool m_isAvailable;
    int* m_runs;
};

/// Backends that were told to compute everything in single precision.
Backends forcedToSingle() {
    Backends backends;
    (void)backends.choose(BackendChoice::cpu);  // every program has it
    return backends;
}

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
        const BackendInfo cpu = Engine(forcedToSingle()).mapBackend(textOf(3));
        QCOMPARE(cpu.id, std::string("cpu"));
        QCOMPARE(engine.mapBackend(textOf(257)).id, cpu.id);
        QCOMPARE(engine.mapBackend(textOf(256, 2)).id, cpu.id);
    }

    /// Factors of xPos that no single precision holds are left to the reference, and files say so.
    void aFigureSaysWhatComputedItInTheEnd() {
        Engine engine(forcedToSingle());
        for (const char* id : {"attention", "heads"}) {
            for (const bool fits : {true, false}) {
                Scene scene = textOf(400, 2);
                scene.encoding = "xpos";
                scene.xpos.scaleBase = fits ? 512.0 : 2.0;
                for (const ViewValues values : {ViewValues::weights, ViewValues::logits}) {
                    scene.view.values = values;
                    FigureRequest request;
                    request.id = id;
                    const Result<Figure> figure = engine.figure(scene, request);
                    QVERIFY2(figure.has_value(), figure ? "" : figure.error().message.c_str());
                    QCOMPARE(figure->ranOn.ends_with("float32"), fits);
                    QCOMPARE(figure->ranOn == "CPU · double", !fits);
                    QCOMPARE(figure->matrix->isSingle, fits);
                    const std::vector<std::uint8_t> npy = writeNpy(*figure);
                    const std::string header(npy.begin(), npy.begin() + 128);
                    QVERIFY(header.find(fits ? "'<f4'" : "'<f8'") != std::string::npos);
                }
                QCOMPARE(engine.stateTolerance(scene) == stateTolerance, !fits);
            }
        }
    }

    void aFirstPictureCostsWhatItRunsOn() {
        Engine engine(forcedToSingle());
        FigureRequest request;
        request.id = "attention";
        request.effort = Effort::quick;
        for (const bool fits : {true, false}) {
            Scene scene = textOf(4096);  // 2^30 products: quick in single precision alone
            scene.headDim = 64;
            scene.encoding = "xpos";
            scene.xpos.scaleBase = fits ? 512.0 : 20.0;
            const Result<Figure> figure = engine.figure(scene, request);
            QVERIFY2(figure.has_value(), figure ? "" : figure.error().message.c_str());
            QCOMPARE(figure->isPartial, !fits);
        }
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
