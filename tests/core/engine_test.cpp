#include <QTest>

#include <memory>
#include <set>

#include "core/encodings/encoding.h"
#include "core/export/figure_text.h"
#include "core/ladder/scaling.h"
#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {
namespace {

/// Counts what reaches the reference backend.
class CountingBackend final : public Backend {
public:
    explicit CountingBackend(int& runs) : m_reference(makeReferenceBackend()), m_runs(runs) {}

    [[nodiscard]] BackendInfo info() const override { return m_reference->info(); }

    [[nodiscard]] Result<AttentionResult> run(const AttentionRequest& request,
                                              std::stop_token stop) override {
        ++m_runs;
        return m_reference->run(request, stop);
    }

private:
    std::unique_ptr<Backend> m_reference;
    int& m_runs;
};

/// A scene that the figure has something to draw for.
Scene drawnScene(const std::string& id) {
    Scene scene;
    if (id == "relative-bias") {
        scene.encoding = "shaw";
    } else if (id == "frequency-use") {
        scene.encoding = "sinusoidal";  // whose rows are in Q and K: another order changes their lengths
    }
    return scene;
}

FigureRequest requestOf(std::string id) {
    FigureRequest request;
    request.id = std::move(id);
    return request;
}

}  // namespace

class EngineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSameSceneGivesTheSameBytes() {
        for (const FigureKind& kind : figureKinds()) {
            const std::string first = writeCanonicalText(figureOf(llama2At64k(), kind.id));
            QVERIFY(!first.empty());
            QCOMPARE(writeCanonicalText(figureOf(llama2At64k(), kind.id)), first);
        }
    }

    void onlyFiguresThatFollowTheOrderChangeWithIt() {
        for (const FigureKind& kind : figureKinds()) {
            const Scene scene = drawnScene(kind.id);
            Scene reordered = scene;
            reordered.order = {2, 0, 1};
            const bool isChanged = writeCanonicalText(figureOf(scene, kind.id)) !=
                                   writeCanonicalText(figureOf(reordered, kind.id));
            QVERIFY2(isChanged == kind.followsOrder, kind.id.c_str());
        }
    }

    void aCachedFigureEqualsAFreshOne() {
        Engine engine;
        Scene scene;
        std::vector<Scene> scenes;
        for (const double theta : {1e4, 5e5, 1e4}) {
            scene.rope.theta = theta;
            for (const char* encoding : {"rope", "none", "sinusoidal", "rope"}) {
                scene.encoding = encoding;
                for (const bool causal : {false, true}) {
                    scene.causal = causal;
                    scenes.push_back(scene);
                }
            }
        }
        for (const Scene& one : scenes) {
            const Result<Figure> cached = engine.figure(one, requestOf("attention"));
            QVERIFY(cached.has_value());
            QCOMPARE(writeCanonicalText(*cached), writeCanonicalText(figureOf(one, "attention")));
        }
    }

    void everyRegisteredFigureTellsItself() {
        std::set<std::string> ids;
        for (const FigureKind& kind : figureKinds()) {
            QVERIFY(ids.insert(kind.id).second);
            QVERIFY(!kind.label.empty() && !kind.help.empty());
            const Figure figure = figureOf(drawnScene(kind.id), kind.id);
            QCOMPARE(figure.id, kind.id);
            QCOMPARE(figure.title, kind.label);
            QVERIFY(!figure.panels.empty());
            for (const Panel& panel : figure.panels) {
                QVERIFY(panel.x.minimum < panel.x.maximum && panel.y.minimum < panel.y.maximum);
                QVERIFY(!panel.axesShown || !panel.x.title.empty());
            }
        }
    }

    void everyFigureHandlesEveryEncodingAndScaling() {
        Engine engine;
        for (const FigureKind& kind : figureKinds()) {
            for (const Encoding& encoding : encodings()) {
                for (const Scaling& scaling : scalings()) {
                    Scene scene;
                    scene.encoding = encoding.id;
                    scene.scaling.method = scaling.id;
                    scene.scaling.shortFactors.assign(32, 1.0);
                    scene.scaling.longFactors.assign(32, 2.0);
                    const Result<Figure> figure = engine.figure(scene, requestOf(kind.id));
                    QVERIFY2(figure.has_value(), figure ? "" : figure.error().message.c_str());
                    QVERIFY(figure->panels.empty() != figure->emptyState.empty());
                }
            }
        }
    }

    void everyFigureHandlesSmallLongAndUnusualScenes() {
        std::vector<Scene> scenes(9);
        scenes[0].tokens = {"alone"};
        scenes[1].tokens.clear();
        scenes[2].join = AbsoluteJoin::concatenate;
        scenes[3].rope.axes = RopeAxes::vision_2d;
        scenes[4].rope.axes = RopeAxes::mrope;
        scenes[4].causal = true;
        scenes[5].headDim = 2;
        scenes[6].learned.rows = 2;
        scenes[6].view.shift = 5000;
        scenes[7].textLength = 600;
        scenes[7].heads = 12;
        scenes[7].head = 11;
        scenes[8].length = {1, 1};
        scenes[8].view.positions = 1;
        scenes[8].view.shift = 0;
        Engine engine;
        for (const FigureKind& kind : figureKinds()) {
            for (const Encoding& encoding : encodings()) {
                for (Scene scene : scenes) {
                    scene.encoding = encoding.id;
                    const Result<Figure> figure = engine.figure(scene, requestOf(kind.id));
                    QVERIFY2(figure.has_value(), figure ? "" : figure.error().message.c_str());
                    QVERIFY(figure->panels.empty() != figure->emptyState.empty());
                    for (const Panel& panel : figure->panels) {
                        QVERIFY2(panel.x.minimum < panel.x.maximum && panel.y.minimum < panel.y.maximum,
                                 (kind.id + " " + encoding.id).c_str());
                    }
                }
            }
        }
    }

    void attentionIsComputedAgainOnlyWhenItCanChange() {
        int runs = 0;
        Engine engine(std::make_unique<CountingBackend>(runs));
        Scene scene;
        const auto runsFor = [&](const Scene& one) {
            runs = 0;
            const Result<Figure> figure = engine.figure(one, requestOf("attention"));
            return figure ? runs : -1;
        };
        QCOMPARE(runsFor(scene), 2);  // the map, and the hidden states of the other order
        QCOMPARE(runsFor(scene), 0);
        scene.view.positions = 99;
        scene.length.target = 16384;  // without a scaling nothing reads it
        scene.model = "a model";
        QCOMPARE(runsFor(scene), 0);
        scene.rope.theta = 5e5;
        QCOMPARE(runsFor(scene), 2);
        scene.encoding = "none";
        QCOMPARE(runsFor(scene), 2);
        scene.rope.theta = 1e3;  // no encoding, so theta does nothing
        QCOMPARE(runsFor(scene), 0);
        scene.seed = 2;
        QCOMPARE(runsFor(scene), 2);
    }

    void aPinnedSceneIsComputedOnce() {
        int runs = 0;
        Engine engine(std::make_unique<CountingBackend>(runs));
        Scene scene;
        FigureRequest request = requestOf("attention");
        request.pinned = std::make_shared<const Scene>(scene);
        for (int tick = 0; tick < 40; ++tick) {
            scene.rope.theta = 2e4 + tick;
            for (const CompareMode mode : {CompareMode::live, CompareMode::difference, CompareMode::pinned}) {
                request.compare = mode;
                runs = 0;
                QVERIFY(engine.figure(scene, request).has_value());
                QCOMPARE(runs, tick == 0 && mode == CompareMode::live ? 4
                               : mode == CompareMode::live            ? 2
                                                                      : 0);
            }
        }
    }

    void anyTwoEncodingsCanBeCompared() {
        Engine engine;
        for (const FigureKind& kind : figureKinds()) {
            for (const Encoding& pinned : encodings()) {
                for (const Encoding& live : encodings()) {
                    Scene scene;
                    FigureRequest request = requestOf(kind.id);
                    request.pixelColumns = request.pixelRows = 64;
                    scene.encoding = pinned.id;
                    request.pinned = std::make_shared<const Scene>(scene);
                    scene.encoding = live.id;
                    for (const CompareMode mode :
                         {CompareMode::live, CompareMode::difference, CompareMode::pinned}) {
                        request.compare = mode;
                        const Result<Figure> figure = engine.figure(scene, request);
                        QVERIFY2(figure.has_value(), figure ? "" : figure.error().message.c_str());
                        QVERIFY(figure->panels.empty() != figure->emptyState.empty());
                        QCOMPARE(figure->readouts.at(0).id, std::string("compared"));
                        QVERIFY(!writeCanonicalText(*figure).empty() && !writeCsv(*figure).empty());
                    }
                }
            }
        }
    }

    void anUnknownFigureIsAUsageErrorWithTheNearestName() {
        Engine engine;
        const Result<Figure> figure = engine.figure(Scene{}, requestOf("lader"));
        QVERIFY(!figure.has_value());
        QCOMPARE(figure.error().kind, ErrorKind::usage);
        QVERIFY(figure.error().message.find("ladder") != std::string::npos);
    }

    void anInvalidSceneIsRefusedBeforeAnythingIsComputed() {
        Engine engine;
        Scene scene;
        scene.order = {1, 2, 2};
        for (const FigureKind& kind : figureKinds()) {
            const Result<Figure> figure = engine.figure(scene, requestOf(kind.id));
            QVERIFY(!figure.has_value());
            QVERIFY(figure.error().message.find("permutation") != std::string::npos);
        }
    }

    void aStopIsObeyed() {
        Engine engine;
        std::stop_source source;
        source.request_stop();
        for (const FigureKind& kind : figureKinds()) {
            const Result<Figure> figure = engine.figure(Scene{}, requestOf(kind.id), source.get_token());
            QVERIFY(!figure.has_value());
            QCOMPARE(figure.error().kind, ErrorKind::cancelled);
        }
    }

    void notesOfTheSceneAreInEveryFigureOnce() {
        Scene scene = ropeScene(1e4, 2048, 1024);
        for (const FigureKind& kind : figureKinds()) {
            const Figure figure = figureOf(scene, kind.id);
            for (const std::string& note : sentencesOf(sceneNotes(scene).notes)) {
                QCOMPARE(std::ranges::count(figure.notes, note), 1);
            }
        }
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::EngineTest)
#include "engine_test.moc"
