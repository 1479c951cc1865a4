#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "core/engine.h"
#include "core/export/figure_text.h"
#include "tests/core/painted_backend.h"
#include "tests/core/word_scene.h"
#include "ui/compute_controller.h"

namespace phaseladder::ui::test {
using phaseladder::test::longText;
using phaseladder::test::longTextTokens;
using phaseladder::test::mapOfLongText;
using phaseladder::test::numberedWords;
using phaseladder::test::PaintedBackend;
using phaseladder::test::paintedEngine;
using phaseladder::ui::ComputeController;
using phaseladder::ui::ComputedFigures;
using phaseladder::ui::SharedFigure;

namespace {

constexpr int patienceMilliseconds = 20000;

Scene longScene(int tokens) {
    Scene scene;
    scene.headDim = 128;
    scene.tokens = numberedWords(tokens);
    return scene;
}

/// A text whose attention takes a few frames on this machine, in this build.
Scene slowScene() {
    FigureRequest request;
    request.id = "attention";
    for (int tokens = 128;; tokens += tokens / 4) {
        const Scene scene = longScene(tokens);
        QElapsedTimer timer;
        timer.start();
        const bool isComputed = Engine().figure(scene, request).has_value();
        if (!isComputed || timer.elapsed() > 60) {
            return scene;
        }
    }
}

QList<FigureRequest> requests(std::initializer_list<const char*> ids) {
    QList<FigureRequest> list;
    for (const char* id : ids) {
        FigureRequest request;
        request.id = id;
        list.append(request);
    }
    return list;
}

/// Attention that goes on until it is told to stop.
struct EndlessBackend : Backend {
    EndlessBackend(std::atomic<int>& begun, std::atomic<int>& stopped) : m_begun(begun), m_stopped(stopped) {}

    BackendInfo info() const override { return {"endless", "endless"}; }
    Result<AttentionResult> run(const AttentionRequest&, std::stop_token stop) override {
        ++m_begun;
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any().wait(lock, stop, [] { return false; });
        ++m_stopped;
        return fail(ErrorKind::cancelled, "stopped");
    }

    std::atomic<int>& m_begun;
    std::atomic<int>& m_stopped;
};

/// Collects what is delivered: the newest figure at each place and every generation.
struct Receiver {
    explicit Receiver(ComputeController& controller, qsizetype count) {
        figures.resize(count);
        QObject::connect(&controller, &ComputeController::finished, &context,
                         [this](const ComputedFigures& portion) {
                             generations.append(portion.generation);
                             completed = portion.complete ? portion.generation : completed;
                             for (qsizetype index = 0; index < portion.figures.size(); ++index) {
                                 if (portion.figures[index]) {
                                     figures[index] = **portion.figures[index];
                                 }
                             }
                         });
    }

    QObject context;
    QList<Figure> figures;
    QList<quint64> generations;
    quint64 completed = 0;
};

Scene longTextAt(double theta) {
    Scene scene = longText();
    scene.rope.theta = theta;
    return scene;
}

QList<FigureRequest> mapAndLadder() {
    QList<FigureRequest> list = requests({"attention", "ladder"});
    list[0] = mapOfLongText(Effort::whole);
    return list;
}

/// The rows that a map is made of.
double rowsOf(const Figure& figure) {
    for (const Readout& readout : figure.readouts) {
        if (readout.id == "preview_rows") {
            return std::get<double>(readout.value);
        }
    }
    return static_cast<double>(longTextTokens);
}

}  // namespace

class ComputeControllerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void deliversTheFiguresOfARequestInItsOrder() {
        ComputeController controller(std::make_unique<Engine>());
        Receiver receiver(controller, 3);
        QSignalSpy busy(&controller, &ComputeController::busyChanged);
        const quint64 generation = controller.request(Scene{}, requests({"attention", "ladder", "ramp"}));
        QVERIFY(controller.isBusy());
        QTRY_COMPARE_WITH_TIMEOUT(receiver.completed, generation, patienceMilliseconds);
        QVERIFY(!controller.isBusy());
        QCOMPARE(receiver.figures[0].id, std::string("attention"));
        QCOMPARE(receiver.figures[1].id, std::string("ladder"));
        QCOMPARE(receiver.figures[2].id, std::string("ramp"));
        QCOMPARE(busy.count(), 2);
    }

    void whatTakesLongComesAfterTheQuickPart() {
        ComputeController controller(std::make_unique<Engine>());
        QList<bool> partial;
        connect(&controller, &ComputeController::finished, this, [&](const ComputedFigures& portion) {
            for (const Result<SharedFigure>& figure : portion.figures) {
                if (figure && (*figure)->id == "invariance") {
                    partial.append((*figure)->isPartial);
                }
            }
        });
        Receiver receiver(controller, 2);
        const quint64 generation = controller.request(longScene(9), requests({"invariance", "ladder"}));
        QTRY_COMPARE_WITH_TIMEOUT(receiver.completed, generation, patienceMilliseconds);
        QCOMPARE(partial, (QList<bool>{true, false}));
        QCOMPARE(receiver.figures[1].id, std::string("ladder"));
    }

    void aCountTellsItsProgressAndEndsWithTheNextChange() {
        ComputeController controller(std::make_unique<Engine>());
        Receiver receiver(controller, 1);
        QList<double> shares;
        QString what;
        bool isShown = false;
        connect(&controller, &ComputeController::progressed, this,
                [&](quint64, qsizetype, double share, const QString& activity) {
                    shares.append(share);
                    what = activity;
                });
        connect(&controller, &ComputeController::finished, this,
                [&](const ComputedFigures& portion) { isShown = isShown || portion.shown; });
        Scene scene = longScene(10);
        scene.layers = 2;
        scene.causal = true;
        scene.headDim = 64;
        const quint64 first = controller.request(scene, requests({"invariance"}));
        QTRY_VERIFY_WITH_TIMEOUT(shares.size() >= 2, patienceMilliseconds);
        QVERIFY(isShown);  // the quick part does not wait for the count
        QVERIFY(receiver.figures[0].isPartial);
        QVERIFY(shares.first() >= 0.0 && shares.last() <= 1.0 && std::ranges::is_sorted(shares));
        QVERIFY(!what.isEmpty());
        QVERIFY(receiver.completed < first);
        const quint64 second = controller.request(Scene{}, requests({"invariance"}));
        QTRY_COMPARE_WITH_TIMEOUT(receiver.completed, second, patienceMilliseconds);
        QVERIFY(!receiver.figures[0].isPartial);
    }

    void anUnknownFigureIsAnErrorBesideTheOthers() {
        ComputeController controller(std::make_unique<Engine>());
        QSignalSpy finished(&controller, &ComputeController::finished);
        ComputedFigures last;
        connect(&controller, &ComputeController::finished, this,
                [&last](const ComputedFigures& f) { last = f; });
        controller.request(Scene{}, requests({"nonsense", "ladder"}));
        QTRY_VERIFY_WITH_TIMEOUT(last.complete, patienceMilliseconds);
        QVERIFY(!last.figures[0].has_value());
        QVERIFY(last.figures[0].error().kind != ErrorKind::cancelled);
        QVERIFY(last.figures[1].has_value());
    }

    void aThousandRequestsEndAtTheNewestAndQueueOne() {
        ComputeController controller(std::make_unique<Engine>());
        Receiver receiver(controller, 2);
        Scene scene = longScene(64);
        quint64 newest = 0;
        for (int tick = 0; tick < 1000; ++tick) {
            scene.rope.theta = 10000.0 + tick;
            newest = controller.request(scene, requests({"ladder", "attention"}));
        }
        QTRY_COMPARE_WITH_TIMEOUT(receiver.completed, newest, patienceMilliseconds);
        // The one that ran when the spam began, perhaps one more, and the newest: all others were
        // overwritten.
        QVERIFY2(receiver.generations.size() < 100, qPrintable(QString::number(receiver.generations.size())));
        QVERIFY(std::is_sorted(receiver.generations.begin(), receiver.generations.end()));
        Engine fresh;
        for (qsizetype index = 0; index < 2; ++index) {
            const Result<Figure> expected = fresh.figure(scene, requests({"ladder", "attention"})[index]);
            QVERIFY(expected.has_value());
            QVERIFY(writeCanonicalText(receiver.figures[index]) == writeCanonicalText(*expected));
            QVERIFY(writeCsv(receiver.figures[index]) == writeCsv(*expected));
        }
    }

    void aLongDragOverASlowFigureStillShowsPictures() {
        ComputeController controller(std::make_unique<Engine>());
        int attentionPictures = 0;
        int ladderPictures = 0;
        connect(&controller, &ComputeController::finished, this, [&](const ComputedFigures& portion) {
            attentionPictures += portion.figures[0].has_value() ? 1 : 0;
            ladderPictures += portion.figures[1].has_value() ? 1 : 0;
        });
        Scene scene = slowScene();
        QElapsedTimer drag;
        drag.start();
        while (drag.elapsed() < 3000) {
            scene.rope.theta += 1.0;
            controller.request(scene, requests({"attention", "ladder"}));
            QTest::qWait(16);
        }
        QVERIFY2(attentionPictures >= 1, qPrintable(QString::number(attentionPictures)));
        QVERIFY2(ladderPictures > attentionPictures || attentionPictures > 30,
                 qPrintable(QStringLiteral("%1 %2").arg(ladderPictures).arg(attentionPictures)));
    }

    void closesWithoutWaitingForWhatItComputes() {
        // Its computation ends only when it is told to: a close that waits for it never comes back.
        std::atomic<int> begun = 0, stopped = 0;
        auto controller = std::make_unique<ComputeController>(
            std::make_unique<Engine>(std::make_unique<EndlessBackend>(begun, stopped)));
        Receiver receiver(*controller, 1);
        controller->request(longScene(8), requests({"attention"}));
        QTRY_COMPARE_WITH_TIMEOUT(begun.load(), 1, patienceMilliseconds);
        controller->request(longScene(9), requests({"attention"}));
        controller.reset();
        QCOMPARE(stopped.load(), begun.load());
        QCoreApplication::processEvents();
        QCOMPARE(receiver.completed, quint64(0));
    }

    void whereAttentionRunsIsToldBeforeAFigureComes() {
        std::atomic<int> begun = 0, stopped = 0;
        ComputeController controller(
            std::make_unique<Engine>(std::make_unique<EndlessBackend>(begun, stopped)));
        std::string backend;
        int pictures = 0;
        connect(&controller, &ComputeController::finished, this, [&](const ComputedFigures& portion) {
            backend = portion.backend;
            pictures += portion.figures[0].has_value() ? 1 : 0;
        });
        controller.request(longScene(8), requests({"attention"}));
        QTRY_COMPARE_WITH_TIMEOUT(backend, std::string("endless · float32"), patienceMilliseconds);
        QCOMPARE(pictures, 0);
    }

    void aPortionIsHandedOnWithoutACopyOfItsFigures() {
        ComputeController controller(std::make_unique<Engine>());
        QList<SharedFigure> first, second;
        for (QList<SharedFigure>* seen : {&first, &second}) {
            connect(&controller, &ComputeController::finished, this, [seen](const ComputedFigures& portion) {
                for (const Result<SharedFigure>& figure : portion.figures) {
                    seen->append(figure.value_or(nullptr));
                }
            });
        }
        Receiver receiver(controller, 2);
        const quint64 generation = controller.request(Scene{}, requests({"attention", "ladder"}));
        QTRY_COMPARE_WITH_TIMEOUT(receiver.completed, generation, patienceMilliseconds);
        QVERIFY(first.count(nullptr) < first.size());
        QVERIFY(first == second);
    }

    void closesAtAnyMomentOfARealComputation() {
        const Scene scene = longScene(20000);  // takes minutes
        for (int round = 0; round < 3; ++round) {
            auto controller = std::make_unique<ComputeController>(std::make_unique<Engine>());
            Receiver receiver(*controller, 2);
            controller->request(scene, requests({"attention", "ladder"}));
            controller->request(scene, requests({"attention", "phases"}));
            QTest::qWait(round * 20);
            controller.reset();
            QCoreApplication::processEvents();
            QCOMPARE(receiver.completed, quint64(0));
        }
    }

    void aMapOfALongTextGrowsFromAPreviewToTheWhole() {
        PaintedBackend::Log log;
        ComputeController controller(paintedEngine(log, std::chrono::milliseconds(8)));
        QList<double> rows;
        QList<bool> partial;
        connect(&controller, &ComputeController::finished, this, [&](const ComputedFigures& portion) {
            if (portion.figures[0]) {
                partial.append((*portion.figures[0])->isPartial);
                rows.append(rowsOf(**portion.figures[0]));
            }
        });
        Receiver receiver(controller, 2);
        const quint64 generation = controller.request(longTextAt(1e4), mapAndLadder());
        QTRY_COMPARE_WITH_TIMEOUT(receiver.completed, generation, patienceMilliseconds);
        QVERIFY2(partial.size() >= 3, qPrintable(QString::number(partial.size())));
        QVERIFY(!partial.last() && partial.count(false) == 1);
        QVERIFY(std::ranges::is_sorted(rows));
        QVERIFY(std::ranges::all_of(receiver.figures[0].matrix->values, [](double v) { return v == 2.0; }));
        QCOMPARE(receiver.figures[1].id, std::string("ladder"));
    }

    void aNewerRequestEndsTheOldOneAtItsNextBlock() {
        PaintedBackend::Log log;
        ComputeController controller(paintedEngine(log, std::chrono::milliseconds(20)));
        Receiver receiver(controller, 2);
        controller.request(longTextAt(1e4), mapAndLadder());
        QTRY_VERIFY_WITH_TIMEOUT(!receiver.generations.isEmpty() && receiver.figures[0].isPartial,
                                 patienceMilliseconds);
        QTRY_VERIFY_WITH_TIMEOUT(log.size() >= 4, patienceMilliseconds);
        const std::size_t runs = log.size();
        const quint64 second = controller.request(longTextAt(2e4), mapAndLadder());
        QTRY_COMPARE_WITH_TIMEOUT(receiver.completed, second, patienceMilliseconds);
        QVERIFY(std::is_sorted(receiver.generations.begin(), receiver.generations.end()));
        const auto& old = log.problems.front();
        QVERIFY(std::ranges::count(log.problems.begin() + static_cast<std::ptrdiff_t>(runs),
                                   log.problems.end(), old) <= 1);
        QVERIFY(!receiver.figures[0].isPartial);
    }

    void aMapThatIsAskedForAgainGoesOnWhereItStood() {
        PaintedBackend::Log log;
        ComputeController controller(paintedEngine(log, std::chrono::milliseconds(8)));
        Receiver receiver(controller, 2);
        const quint64 first = controller.request(longTextAt(1e4), mapAndLadder());
        QTRY_VERIFY_WITH_TIMEOUT(log.size() >= 6, patienceMilliseconds);
        const quint64 second = controller.request(longTextAt(1e4), mapAndLadder());
        QTRY_COMPARE_WITH_TIMEOUT(receiver.completed, second, patienceMilliseconds);
        QVERIFY(first < second);
        qsizetype previews = 0;
        std::int64_t pixelRows = 0;
        for (const MapRequest& map : log.maps) {
            previews += map.sampledRows > 0 ? 1 : 0;
            pixelRows += map.endPixelRow - map.firstPixelRow;
        }
        QCOMPARE(previews, qsizetype(1));
        // Every row of pixels once, and again at most the block that was stopped.
        QVERIFY(pixelRows >= 64 &&
                pixelRows <= 64 + log.maps.back().endPixelRow - log.maps.back().firstPixelRow);
    }
};

}  // namespace phaseladder::ui::test

QTEST_GUILESS_MAIN(phaseladder::ui::test::ComputeControllerTest)
#include "compute_controller_test.moc"
