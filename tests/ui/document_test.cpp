#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/scene_json.h"
#include "tests/ui/written_file.h"
#include "ui/document.h"
#include "ui/resources.h"

namespace phaseladder::ui::test {
namespace {

const QString theta = QStringLiteral("rope.theta");

}  // namespace

/// Steps, resets and defaults of a document.
class DocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { phaseladder::ui::loadResources(); }

    void aGestureIsOneStep() {
        SceneDocument document;
        document.beginGesture();
        for (int tick = 1; tick <= 50; ++tick) {
            QCOMPARE(document.setParameter(theta, 10000.0 + tick), QString());
        }
        document.endGesture();
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(document.scene().rope.theta, 10050.0);
        document.undoStack()->undo();
        QCOMPARE(document.scene(), Scene{});
        document.undoStack()->redo();
        QCOMPARE(document.scene().rope.theta, 10050.0);
    }

    void aGestureThatEndsWhereItBeganIsNoStep() {
        SceneDocument document;
        document.beginGesture();
        document.setParameter(theta, 20000.0);
        document.setParameter(theta, 10000.0);
        document.endGesture();
        QCOMPARE(document.undoStack()->count(), 0);
        QVERIFY(!document.isModified());
    }

    void aGestureOutAndBackLosesNothingOfADrawnTable() {
        SceneDocument document;
        document.setParameter(QStringLiteral("encoding"), std::string("relative_bias"));
        const std::vector<double> drawn{1, 2, 3, 4, 5, 6, 7, 8, 9};
        document.setParameter(QStringLiteral("relative_bias.values"), drawn);
        const int steps = document.undoStack()->count();
        document.beginGesture();
        for (const double clip : {3.0, 1.0, 2.0}) {
            document.setParameter(QStringLiteral("relative_bias.clip"), clip);
        }
        QCOMPARE(document.scene().relativeBias.values, (std::vector<double>{3, 4, 5, 6, 7}));
        document.setParameter(QStringLiteral("relative_bias.clip"), 5.0);
        QCOMPARE(document.scene().relativeBias.values,
                 (std::vector<double>{1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9}));
        document.setParameter(QStringLiteral("relative_bias.clip"), 4.0);
        document.endGesture();
        QCOMPARE(document.scene().relativeBias.values, drawn);
        QCOMPARE(document.undoStack()->count(), steps);  // it ended where it began

        document.setParameter(QStringLiteral("relative_bias.clip"), 1.0);
        QCOMPARE(document.scene().relativeBias.values, (std::vector<double>{4, 5, 6}));
        document.undoStack()->undo();
        QCOMPARE(document.scene().relativeBias.values, drawn);
    }

    void aGestureKeepsAllThatItSet() {
        SceneDocument document;
        document.beginGesture();
        document.setParameter(QStringLiteral("rope.theta"), 500.0);
        document.setParameter(QStringLiteral("heads"), 4.0);
        QVERIFY(!document.setParameter(QStringLiteral("rope.theta"), -1.0).isEmpty());
        document.setParameter(QStringLiteral("head"), 3.0);
        document.undoStack()->undo();  // all of it: one step
        QCOMPARE(document.scene().heads, 1);
        document.setParameter(QStringLiteral("seed"), 9.0);
        document.endGesture();
        QCOMPARE(document.scene().rope.theta, 10000.0);
        QCOMPARE(document.scene().heads, 1);
        QCOMPARE(document.scene().seed, std::int64_t{9});
    }

    void twoGesturesAreTwoSteps() {
        SceneDocument document;
        for (const double value : {20000.0, 30000.0}) {
            document.beginGesture();
            document.setParameter(theta, value);
            document.endGesture();
        }
        document.setParameter(theta, 40000.0);
        document.setParameter(theta, 50000.0);
        QCOMPARE(document.undoStack()->count(), 4);
    }

    void pushedThumbsAreOneStep() {
        SceneDocument document;
        document.setParameter(QStringLiteral("scaling"), std::string("yarn"));
        document.beginGesture();
        document.setParameter(QStringLiteral("scaling.beta_slow"), 8.0);
        document.setParameters(
            {{QStringLiteral("scaling.beta_slow"), 40.0}, {QStringLiteral("scaling.beta_fast"), 41.0}});
        document.endGesture();
        QCOMPARE(document.undoStack()->count(), 2);
        document.undoStack()->undo();
        QCOMPARE(document.scene().scaling.betaSlow, 1.0);
        QCOMPARE(document.scene().scaling.betaFast, 32.0);
    }

    void aRefusedValueChangesNothing() {
        SceneDocument document;
        QSignalSpy changes(&document, &SceneDocument::sceneChanged);
        const QString refusal =
            document.setParameters({{QStringLiteral("head_dim"), 128.0}, {theta, -10000.0}});
        QVERIFY2(refusal.contains(QStringLiteral("rope.theta")) && refusal.contains(QStringLiteral("-10000")),
                 qPrintable(refusal));
        QVERIFY(!document.setParameter(QStringLiteral("rope.tehta"), 1.0).isEmpty());
        QVERIFY(!document.setParameter(QStringLiteral("order"), std::vector<int>{1, 2, 2}).isEmpty());
        QCOMPARE(document.scene(), Scene{});
        QCOMPARE(changes.count(), 0);
        QCOMPARE(document.undoStack()->count(), 0);
    }

    void settingTheSameValueIsNoStep() {
        SceneDocument document;
        document.setParameter(theta, 10000.0);
        QCOMPARE(document.undoStack()->count(), 0);
    }

    void resetGoesBackToTheOpenedModel() {
        SceneDocument document;
        QCOMPARE(document.openModel(QStringLiteral("llama-3.1-8b")), QString());
        QCOMPARE(document.scene().rope.theta, 500000.0);
        QCOMPARE(document.resetScene().rope.theta, 500000.0);
        document.setParameter(theta, 1e6);
        document.setParameter(QStringLiteral("scaling.factor"), 16.0);
        document.resetParameter(theta);
        QCOMPARE(document.scene().rope.theta, 500000.0);
        document.resetAll();
        QCOMPARE(document.scene(), document.resetScene());
        document.undoStack()->undo();
        QCOMPARE(document.scene().scaling.factor, 16.0);
        document.undoStack()->setIndex(0);
        QCOMPARE(document.scene(), Scene{});
        QCOMPARE(document.resetScene(), Scene{});
    }

    void resetAllPutsTheWordsBackInOrder() {
        SceneDocument document;
        document.setParameter(QStringLiteral("order"), std::vector<int>{2, 0, 1});
        document.openModel(QStringLiteral("llama-3.1-8b"));
        QCOMPARE(document.scene().order, (std::vector<int>{2, 0, 1}));
        document.resetAll();
        QVERIFY(document.scene().order.empty());
    }

    void resettingTheTokensTakesTheirOrderAlong() {
        SceneDocument document;
        document.setParameter(QStringLiteral("tokens"), std::vector<std::string>{"a", "b"});
        document.setParameter(QStringLiteral("order"), std::vector<int>{1, 0});
        QCOMPARE(document.resetParameter(QStringLiteral("tokens")), QString());
        QCOMPARE(document.scene(), Scene{});
    }

    void ownDefaultsStandForTheStartUpSceneAndNotForAModel() {
        SceneDocument document;
        document.startWithDefaults({{theta, 1e6}});
        QCOMPARE(document.scene().rope.theta, 1e6);
        QVERIFY(!document.isModified());
        document.setParameter(theta, 5.0);
        document.resetAll();
        QCOMPARE(document.scene().rope.theta, 1e6);
        QCOMPARE(document.openModel(QStringLiteral("llama-3.1-8b")), QString());
        QCOMPARE(document.scene().rope.theta, 500000.0);
        document.setParameter(theta, 5.0);
        document.resetParameter(theta);
        QCOMPARE(document.scene().rope.theta, 500000.0);
        document.startNew();
        QCOMPARE(document.scene().rope.theta, 1e6);
    }

    void aDefaultSetInAModelHoldsThereAndAtTheNextStart() {
        SceneDocument document;
        document.openModel(QStringLiteral("llama-3.1-8b"));
        document.setParameter(theta, 2e6);
        document.setAsDefault({theta});
        document.setParameter(theta, 5.0);
        document.resetAll();
        QCOMPARE(document.scene().rope.theta, 2e6);
        QCOMPARE(document.scene().scaling.method, std::string("llama3"));
        document.useBuiltInDefault({theta});
        document.resetAll();
        QCOMPARE(document.scene().rope.theta, 500000.0);
        document.setParameter(theta, 2e6);
        document.setAsDefault({theta});
        document.openModel(QStringLiteral("llama-2-7b"));
        QCOMPARE(document.resetScene().rope.theta, 10000.0);
        document.undoStack()->undo();
        QCOMPARE(document.resetScene().rope.theta, 2e6);
        document.startNew();
        QCOMPARE(document.scene().rope.theta, 2e6);
    }

    void aFileIsNotOverruledByOwnDefaults() {
        const QTemporaryDir folder;
        Scene scene;
        scene.rope.theta = 777.0;
        const QString path =
            written(folder, QStringLiteral("a.pldr"), QByteArray::fromStdString(writeScene(scene)));
        SceneDocument document;
        document.startWithDefaults({{theta, 1e6}});
        QCOMPARE(document.open(path), QString());
        QCOMPARE(document.scene(), scene);
        QCOMPARE(document.resetScene(), scene);
    }

    void defaultsThatDoNotFitAreLeftOutAndThoseThatFitTogetherHold() {
        SceneDocument document;
        document.startWithDefaults({{QStringLiteral("rope.dim"), 128.0}, {theta, 1e6}});  // head_dim is 64
        QCOMPARE(document.scene().rope.dim, 0);
        QCOMPARE(document.scene().rope.theta, 1e6);
        SceneDocument wide;
        wide.startWithDefaults({{QStringLiteral("rope.dim"), 128.0}, {QStringLiteral("head_dim"), 128.0}});
        QCOMPARE(wide.scene().rope.dim, 128);
        QCOMPARE(wide.scene().headDim, 128);
    }

    void settingADefaultIsNoUndoStep() {
        SceneDocument document;
        document.setParameter(theta, 5.0);
        const QSignalSpy presets(&document, &SceneDocument::resetSceneChanged);
        const QSignalSpy defaults(&document, &SceneDocument::ownDefaultsChanged);
        document.setAsDefault({theta});
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(presets.count(), 1);
        QCOMPARE(defaults.count(), 1);
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::DocumentTest)
#include "document_test.moc"
