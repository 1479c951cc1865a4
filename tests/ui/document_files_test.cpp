#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/scene_json.h"
#include "tests/core/capture_files.h"
#include "tests/ui/written_file.h"
#include "ui/document.h"
#include "ui/figure/figure_files.h"
#include "ui/figure_command.h"
#include "ui/resources.h"
#include "ui/shell_command.h"

namespace phaseladder::ui::test {
using phaseladder::tests::normalNumbers;
using phaseladder::tests::npyFile;
using phaseladder::tests::Numbers;
using phaseladder::tests::safetensorsFile;

namespace {

const QString theta = QStringLiteral("rope.theta");

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

/// What a document opens, imports and saves.
class DocumentFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { phaseladder::ui::loadResources(); }

    void savingMakesItUnmodified() {
        const QTemporaryDir folder;
        SceneDocument document;
        QSignalSpy modified(&document, &SceneDocument::modifiedChanged);
        document.setParameter(theta, 20000.0);
        QVERIFY(document.isModified());
        QCOMPARE(document.save(folder.filePath(QStringLiteral("a.pldr"))), QString());
        QVERIFY(!document.isModified());
        document.undoStack()->undo();
        QVERIFY(document.isModified());
        document.undoStack()->redo();
        QVERIFY(!document.isModified());
        QCOMPARE(modified.count(), 4);
    }

    void savedReopenedAndSavedAgainIsTheSameFile() {
        const QTemporaryDir folder;
        const QString first = folder.filePath(QStringLiteral("first.pldr"));
        const QString second = folder.filePath(QStringLiteral("a \"name\"\nwith ünicode 🦙.pldr"));
        SceneDocument document;
        document.openModel(QStringLiteral("llama-3.1-8b"));
        document.setParameter(QStringLiteral("tokens"), std::vector<std::string>{"the", "dog", "the", "ü"});
        document.setParameter(QStringLiteral("scaling.factor"), 1.0 / 3.0 + 1.0);
        QCOMPARE(document.save(first), QString());
        SceneDocument reopened;
        QCOMPARE(reopened.open(first), QString());
        QCOMPARE(reopened.scene(), document.scene());
        QVERIFY(!reopened.isModified());
        QCOMPARE(reopened.filePath(), first);
        QCOMPARE(reopened.save(second), QString());
        QCOMPARE(contentOf(second), contentOf(first));
    }

    void aModelConfigIsImportedAsOneStepOfTheOpenDocument() {
        const QTemporaryDir folder;
        const QString config =
            written(folder, QStringLiteral("config.json"),
                    R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
                                           "max_position_embeddings": 4096, "rope_theta": 12345.0})");
        SceneDocument document;
        document.save(folder.filePath(QStringLiteral("mine.pldr")));
        QVERIFY(!SceneDocument::startsNewDocument(config));
        QCOMPARE(document.open(config), QString());
        QCOMPARE(document.scene().rope.theta, 12345.0);
        QCOMPARE(document.scene().headDim, 128);
        QVERIFY(document.filePath().endsWith(QStringLiteral("mine.pldr")));
        QVERIFY(document.isModified());
        document.undoStack()->undo();
        QCOMPARE(document.scene(), Scene{});
    }

    void aTextBecomesTheTokens() {
        const QTemporaryDir folder;
        const QString text = written(folder, QStringLiteral("words.txt"), "  one two\nthree\tfour ");
        SceneDocument document;
        document.setParameter(QStringLiteral("order"), std::vector<int>{2, 0, 1});
        QCOMPARE(document.open(text), QString());
        QCOMPARE(document.scene().tokens, (std::vector<std::string>{"one", "two", "three", "four"}));
        QVERIFY(document.scene().order.empty());
        QCOMPARE(document.open(written(folder, QStringLiteral("empty.txt"), "  \n ")), QString());
        QVERIFY(document.scene().tokens.empty());
    }

    void aFigureOpensWithItsScene() {
        const QTemporaryDir folder;
        Scene scene;
        scene.rope.theta = 54321.0;
        Figure figure;
        figure.id = "ladder";
        figure.title = "Ladder";
        for (const char* format : {"png", "svg", "pdf"}) {
            ui::ExportOptions options;
            options.format = QString::fromLatin1(format);
            const Result<QByteArray> bytes = ui::renderFigure(figure, scene, options);
            QVERIFY(bytes.has_value());
            const QString path = written(folder, QStringLiteral("figure.") + options.format, *bytes);
            SceneDocument document;
            QVERIFY(SceneDocument::startsNewDocument(path));
            QCOMPARE(document.open(path), QString());
            QCOMPARE(document.scene(), scene);
            QVERIFY(document.filePath().isEmpty());  // saving must not replace the figure
        }
    }

    void unreadableFilesAreRefusedAndChangeNothing_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("said");
        const QByteArray whole = QByteArray::fromStdString(writeScene(Scene{}));
        QByteArray duplicate = whole;
        duplicate.replace("\n  \"rope.theta\"", "\n  \"rope.theta\": 5,\n  \"rope.theta\"");
        QByteArray newer = whole;
        newer.replace("\"phaseladder\": 1", "\"phaseladder\": 99");
        QByteArray wrong = whole;
        wrong.replace("\"rope.theta\": 10000", "\"rope.theta\": -10000");
        QTest::newRow("cut off") << "a.pldr" << whole.first(whole.size() / 2)
                                 << QString::number(whole.size() / 2);
        QTest::newRow("deep") << "a.json" << QByteArray(100000, '[') << "64";
        QTest::newRow("key twice") << "a.pldr" << duplicate << "rope.theta";
        QTest::newRow("newer") << "a.pldr" << newer << "99";
        QTest::newRow("outside limits") << "a.pldr" << wrong << "-10000";
        QTest::newRow("picture without a scene") << "a.png" << QByteArray("\x89PNG\r\n") << "scene";
        QTest::newRow("long text") << "a.txt" << QByteArray((4 << 20) + 1, 'x') << "4194304";
    }

    void unreadableFilesAreRefusedAndChangeNothing() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, said);
        const QTemporaryDir folder;
        SceneDocument document;
        document.setParameter(theta, 20000.0);
        const Scene before = document.scene();
        const QString refusal = document.open(written(folder, name, bytes));
        QVERIFY2(QString(refusal).remove(QLatin1Char(' ')).contains(said), qPrintable(refusal));
        QCOMPARE(document.scene(), before);
        QCOMPARE(document.undoStack()->count(), 1);
        QVERIFY(document.filePath().isEmpty());
    }

    void whatIsNoRegularFileIsRefused() {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("folder.pldr")));
        SceneDocument document;
        for (const QString& path :
             {folder.filePath(QStringLiteral("folder.pldr")), QStringLiteral("/dev/zero"),
              folder.filePath(QStringLiteral("missing.pldr"))}) {
            QVERIFY(!document.open(path).isEmpty());
        }
        QVERIFY(document.open(QStringLiteral("/dev/zero")).contains(QStringLiteral("regular file")));
        QCOMPARE(document.scene(), Scene{});
    }

    void theCommandLineOfAFigureMakesTheSameScene() {
        SceneDocument document;
        FigureRequest request;
        request.id = "ladder";
        const auto command = [&] { return ui::shellCommand(ui::figureCommand(document, request)); };
        QCOMPARE(command(), QStringLiteral("phaseladder figure ladder"));
        document.setParameter(theta, 1e6);
        document.setParameter(QStringLiteral("tokens"), std::vector<std::string>{"the", "dog's"});
        QCOMPARE(command(),
                 QStringLiteral(
                     "phaseladder figure ladder --set rope.theta=1000000 --set 'tokens=the dog'\\''s'"));
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.pldr"));
        document.save(path);
        request.pixelColumns = 300;
        request.window = CellWindow{0, 4, 2, 8};
        QCOMPARE(command(), QStringLiteral("phaseladder figure ladder --scene %1 --pixels 300x1024 "
                                           "--window 0:4,2:8")
                                .arg(path));
    }

    void anUnknownSettingIsAWarning() {
        const QTemporaryDir folder;
        QByteArray scene = QByteArray::fromStdString(writeScene(Scene{}));
        scene.replace("\n  \"rope.theta\"", "\n  \"rope.tehta\": 5,\n  \"rope.theta\"");
        SceneDocument document;
        QCOMPARE(document.open(written(folder, QStringLiteral("a.pldr"), scene)), QString());
        QCOMPARE(document.fileWarnings().size(), 1);
        QVERIFY(document.fileWarnings().first().contains(QStringLiteral("'rope.theta'")));
    }

    void savingWhereNothingCanBeWrittenKeepsTheWork() {
        const QTemporaryDir folder;
        const QString file = written(folder, QStringLiteral("file"), "x");
        SceneDocument document;
        document.setParameter(theta, 20000.0);
        QVERIFY(
            !document.save(file + QStringLiteral("/a.pldr")).isEmpty());  // a file is no folder, for root too
        QVERIFY(document.isModified());
        QVERIFY(document.filePath().isEmpty());
    }

    void aModelWithDifferentLayersOffersThem() {
        SceneDocument document;
        document.openModel(QStringLiteral("llama-3.1-8b"));
        QVERIFY(document.layerTypes().isEmpty());
        const QTemporaryDir folder;
        const QString config = written(
            folder, QStringLiteral("config.json"),
            R"({"model_type": "gemma3_text", "hidden_size": 2560, "num_attention_heads": 8, "head_dim": 256,
                        "max_position_embeddings": 131072, "rope_parameters": {
                          "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
                          "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}})");
        QCOMPARE(document.open(config), QString());
        QCOMPARE(document.layerTypes().size(), 2);
        QCOMPARE(document.scene().rope.theta, 1000000.0);
        QCOMPARE(document.chooseLayerType(QStringLiteral("sliding_attention")), QString());
        QCOMPARE(document.scene().rope.theta, 10000.0);
        QCOMPARE(QString::fromStdString(document.scene().scaling.method), QStringLiteral("none"));
        document.undoStack()->undo();
        QCOMPARE(document.scene().rope.theta, 1000000.0);
    }

    void aFileOfQueriesAndKeysBecomesRealHeadsInOneStep() {
        const QTemporaryDir folder;
        const Numbers q = normalNumbers({4, 6, 8}, 1), k = normalNumbers({2, 6, 8}, 2);
        const QString path = written(folder, QStringLiteral("qk.safetensors"),
                                     QByteArray::fromStdString(safetensorsFile({{"q", q}, {"k", k}})));
        written(folder, QStringLiteral("qk.tokens.json"), R"(["a", "b", "c", "d", "e"])");
        SceneDocument document;
        QCOMPARE(document.open(path), QString());
        const Scene opened = document.scene();
        QCOMPARE(opened.heads, 4);
        QCOMPARE(opened.headDim, 8);
        QCOMPARE(opened.tokens, (std::vector<std::string>{"a", "b", "c", "d", "e", ""}));
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(document.fileWarnings(),
                 QStringList{QStringLiteral("5 labels for 6 rows: the last 1 is without a label.")});
        // What the files decide cannot be set otherwise; the rest can.
        QVERIFY(document.setParameter(QStringLiteral("head_dim"), 16.0)
                    .contains(QStringLiteral("captured heads")));
        QCOMPARE(document.setParameter(QStringLiteral("head"), 3.0), QString());
        QCOMPARE(document.setParameter(theta, 5.0), QString());
        QCOMPARE(document.setParameter(QStringLiteral("capture.labels"), std::string()), QString());
        QCOMPARE(document.scene().tokens.front(), std::string("0"));
        // Nor does a reset promise what they would refuse.
        const int steps = document.undoStack()->count();
        for (const char* id : {"heads", "head_dim", "tokens"}) {
            const Parameter* row = findParameter(id);
            QVERIFY(row->get(document.parameterResetScene()) == row->get(document.scene()));
            QCOMPARE(document.resetParameter(QLatin1StringView(id)), QString());
        }
        QCOMPARE(document.undoStack()->count(), steps);
        QCOMPARE(document.resetParameter(theta), QString());
        QCOMPARE(document.scene().rope.theta, Scene{}.rope.theta);
        document.undoStack()->setIndex(1);
        QCOMPARE(document.scene(), opened);
        document.undoStack()->undo();
        QCOMPARE(document.scene(), Scene{});
        QCOMPARE(document.parameterResetScene(), Scene{});
    }

    void aTextIsSharedByTheStepsThatKeepIt() {
        const QTemporaryDir folder;
        SceneDocument document;
        QCOMPARE(document.open(written(folder, QStringLiteral("a.txt"), "one two three")), QString());
        const std::string* words = document.scene().tokens.data();
        document.setParameter(QStringLiteral("order"), std::vector<int>{2, 1, 0});
        const int* order = document.scene().order.data();
        for (const double value : {5.0, 6.0, 7.0}) {
            document.setParameter(theta, value);
        }
        QVERIFY(document.scene().tokens.data() == words);
        QVERIFY(document.scene().order.data() == order);
        document.beginGesture();
        document.setParameter(theta, 8.0);
        document.setParameter(theta, 9.0);
        document.endGesture();
        QVERIFY(document.scene().tokens.data() == words);
        document.undoStack()->setIndex(3);
        QVERIFY(document.scene().tokens.data() == words);
        QVERIFY(document.scene().order.data() == order);
    }

    void aFileWithoutATableSaysWhereQueriesAndKeysAreOpened() {
        const QTemporaryDir folder;
        const QString path =
            written(folder, QStringLiteral("layer.safetensors"),
                    QByteArray::fromStdString(safetensorsFile(
                        {{"first", normalNumbers({2, 3, 4}, 1)}, {"second", normalNumbers({2, 3, 4}, 2)}})));
        SceneDocument document;
        QVERIFY(document.open(path).contains(QStringLiteral("choose File > Open Q and K")));
        QCOMPARE(document.scene(), Scene{});
        // A table whose name tells is one, without a hint.
        QCOMPARE(document.open(written(
                     folder, QStringLiteral("wpe.safetensors"),
                     QByteArray::fromStdString(safetensorsFile({{"wpe.weight", normalNumbers({6, 8}, 3)}})))),
                 QString());
        QCOMPARE(document.fileWarnings(), QStringList());
    }

    void anArrayOfTwoDimensionsSaysHowItWasRead() {
        const QTemporaryDir folder;
        const QString q = written(folder, QStringLiteral("q.npy"),
                                  QByteArray::fromStdString(npyFile(normalNumbers({6, 8}, 1))));
        const QString k = written(folder, QStringLiteral("k.npy"),
                                  QByteArray::fromStdString(npyFile(normalNumbers({9, 8}, 2))));
        SceneDocument document;
        QCOMPARE(document.open(q), QString());
        QCOMPARE(document.scene().encoding, std::string("learned"));
        QVERIFY(document.fileWarnings().front().contains(QStringLiteral("Open Q and K")));
        QCOMPARE(document.openCapture({k, q}), QString());
        QCOMPARE(document.scene().capture.queries, q.toStdString());
        QCOMPARE(document.scene().capture.keys, k.toStdString());
        QCOMPARE(document.scene().tokens.size(), std::size_t{9});
        QCOMPARE(document.scene().encoding, std::string("rope"));
        QVERIFY(document.openCapture({k}).contains(QStringLiteral("None of the files holds queries")));
        QCOMPARE(document.undoStack()->count(), 2);
    }

    void aSceneWhoseHeadsAreGoneOpensAllTheSame() {
        const QTemporaryDir folder;
        Scene scene;
        scene.capture.queries = "/nowhere/qk.safetensors";
        SceneDocument document;
        QCOMPARE(document.open(
                     written(folder, QStringLiteral("a.pldr"), QByteArray::fromStdString(writeScene(scene)))),
                 QString());
        QCOMPARE(document.scene(), scene);
        QVERIFY(document.fileWarnings().front().contains(QStringLiteral("/nowhere/qk.safetensors")));
        // What needs no file can be set; what follows from the files is refused with their name.
        QCOMPARE(document.setParameter(theta, 5.0), QString());
        QVERIFY(document.setParameter(QStringLiteral("capture.row_offset"), 4.0)
                    .contains(QStringLiteral("/nowhere/qk.safetensors")));
        QCOMPARE(document.setParameter(QStringLiteral("capture.queries"), std::string()), QString());
    }

    void aSceneIsOpenedWithItsHeadsAsTheyAreNow() {
        const QTemporaryDir folder;
        const auto writeHeads = [&folder](std::int64_t heads) {
            const Numbers q = normalNumbers({heads, 6, 8}, 1);
            return written(folder, QStringLiteral("qk.safetensors"),
                           QByteArray::fromStdString(safetensorsFile({{"q", q}, {"k", q}})));
        };
        const QString saved = folder.filePath(QStringLiteral("a.pldr"));
        SceneDocument document;
        QCOMPARE(document.open(writeHeads(4)), QString());
        QCOMPARE(document.save(saved), QString());
        writeHeads(3);
        QCOMPARE(document.open(saved), QString());
        QCOMPARE(document.scene().heads, 3);
        QVERIFY(!document.isModified());
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::DocumentFilesTest)
#include "document_files_test.moc"
