#include <QTest>

#include <chrono>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/encodings/encoding.h"
#include "core/engine.h"
#include "tests/core/word_scene.h"

namespace phaseladder::test {
namespace {

Scene words(int count) {
    Scene scene;
    scene.tokens = numberedWords(count);
    scene.view.token = count - 1;
    scene.view.positions = 131072;
    scene.length.target = 1000000;
    scene.learned.rows = 200000;
    scene.shaw.valueVectors = true;
    return scene;
}

/// What takes minutes in one figure or another, where a loop in it does not look at its stop token.
std::vector<Scene> heavyScenes() {
    Scene manyHeads = words(10);
    manyHeads.layers = 4;
    manyHeads.heads = 64;
    manyHeads.headDim = 128;
    Scene manyOrders = words(10);
    manyOrders.layers = 2;
    manyOrders.causal = true;
    Scene manyWords = words(1024);
    manyWords.layers = 2;
    manyWords.headDim = 256;
    Scene longText = words(2048);
    longText.textLength = 200000;
    return {manyHeads, manyOrders, manyWords, longText};
}

}  // namespace

class StopTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFigureEndsWhenItIsAskedTo_data() {
        QTest::addColumn<QString>("figure");
        for (const FigureKind& kind : figureKinds()) {
            QTest::newRow(kind.id.c_str()) << QString::fromStdString(kind.id);
        }
    }

    void everyFigureEndsWhenItIsAskedTo() {
        QFETCH(QString, figure);
        FigureRequest request;
        request.id = figure.toStdString();
        for (const Scene& heavy : heavyScenes()) {
            for (const char* encoding : {"none", "learned", "sinusoidal", "transformer_xl", "rope"}) {
                Scene scene = heavy;
                scene.encoding = encoding;
                QVERIFY(validate(scene).has_value());
                std::stop_source stop;
                const std::jthread stopper([&stop] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(10));
                    stop.request_stop();
                });
                const Result<Figure> made = Engine().figure(scene, request, stop.get_token());
                QVERIFY2(made || made.error().kind == ErrorKind::cancelled, encoding);
            }
        }
    }

    void whatWasStoppedIsComputedWhenAskedForAgain() {
        Scene scene = words(7);
        scene.layers = 2;
        scene.causal = true;
        FigureRequest request;
        request.id = "invariance";
        Engine engine;
        std::stop_source stop;
        stop.request_stop();
        const Result<Figure> stopped = engine.figure(scene, request, stop.get_token());
        QVERIFY(!stopped && stopped.error().kind == ErrorKind::cancelled);
        const Result<Figure> made = engine.figure(scene, request);
        QVERIFY(made && !made->isPartial && made->emptyState.empty());
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::StopTest)
#include "stop_test.moc"
