#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <signal.h>
#include <cmath>

#include "tests/app/command_line_test_parts.h"

namespace phaseladder::app::test {
namespace {

bool near(double value, double expected, double relative) {
    return std::abs(value - expected) <= relative * std::abs(expected);
}

}  // namespace

class CommandLineTest : public QObject, private CommandLineFixture {
    Q_OBJECT

    QJsonObject m_golden;

    QJsonObject goldenLadder(const QString& name) const {
        return m_golden[QStringLiteral("rope")].toObject()[name].toObject();
    }

    /// The ladder CSV of a config file agrees with a golden row: first, middle and last scaled frequency.
    void compareLadder(const QByteArray& config, const QString& golden) const {
        const Outcome outcome = run({QStringLiteral("figure"), QStringLiteral("ladder"),
                                     QStringLiteral("--config"), write(QStringLiteral("config.json"), config),
                                     QStringLiteral("-o"), path(QStringLiteral("out.csv"))});
        QCOMPARE(outcome.code, 0);
        QFile file(path(QStringLiteral("out.csv")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.startsWith(
            "pair,inverse_frequency,wavelength,scaled_inverse_frequency,scaled_wavelength,ratio,ramp,"
            "turns_in_training\n"));
        const QStringList scaled = readCsv(text)[QStringLiteral("scaled_inverse_frequency")];
        const QJsonObject expected = goldenLadder(golden)[QStringLiteral("inv_freq")].toObject();
        QCOMPARE(scaled.size(), expected[QStringLiteral("n")].toInt());
        const auto check = [&](qsizetype pair, const char* name) {
            QVERIFY2(near(scaled[pair].toDouble(), expected[QLatin1String(name)].toDouble(), 1e-12), name);
        };
        check(0, "first");
        check(expected[QStringLiteral("middle_index")].toInt(), "middle");
        check(scaled.size() - 1, "last");
    }

    NpyMatrix attention(const QStringList& settings, const QStringList& options = {}) const {
        QStringList arguments{QStringLiteral("figure"), QStringLiteral("attention")};
        arguments << options;
        for (const QString& setting : settings) {
            arguments << QStringLiteral("--set") << setting;
        }
        const QString file = path(QStringLiteral("a.npy"));
        const Outcome outcome = run(arguments + QStringList{QStringLiteral("-o"), file});
        if (outcome.code != 0) {
            qWarning("%s", outcome.errors.constData());
            return {};
        }
        QFile npy(file);
        npy.open(QIODevice::ReadOnly);
        return readNpy(npy.readAll());
    }

    /// max |A_order(i, j) - A_identity(order i, order j)| of three tokens.
    double permutedDifference(const QString& encoding) const {
        const QStringList common{QStringLiteral("tokens=dog bites man"),
                                 QStringLiteral("encoding=") + encoding, QStringLiteral("causal=false")};
        const NpyMatrix identity = attention(common + QStringList{QStringLiteral("order=0,1,2")});
        const NpyMatrix moved = attention(common + QStringList{QStringLiteral("order=2,0,1")});
        if (identity.shape != QList<int>{3, 3} || moved.shape != QList<int>{3, 3}) {
            return std::nan("");
        }
        const int order[] = {2, 0, 1};
        double difference = 0.0;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                difference = std::max(difference, std::abs(moved.values[3 * row + column] -
                                                           identity.values[3 * order[row] + order[column]]));
            }
        }
        return difference;
    }

private Q_SLOTS:
    void initTestCase() {
        QFile file(QStringLiteral(PHASELADDER_SOURCE_DIR "/tests/golden/golden.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_golden = QJsonDocument::fromJson(file.readAll()).object();
    }

    void helpAndVersionNeedNoDisplay() {
        const Outcome help = run({QStringLiteral("--help")});
        QCOMPARE(help.code, 0);
        QVERIFY(help.output.contains("phaseladder figure ID -o OUT"));
        QVERIFY(help.errors.isEmpty());
        const Outcome version = run({QStringLiteral("--version")});
        QCOMPARE(version.code, 0);
        QVERIFY(version.output.startsWith("phaseladder " PHASELADDER_VERSION "\n"));
    }

    void wrongArgumentsExitTwoWithOneSentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("named");
        const auto row = [](const char* name, const char* arguments, const char* named) {
            QTest::newRow(name) << QString::fromLatin1(arguments).split(QLatin1Char(' '))
                                << QByteArray(named);
        };
        row("unknown option", "--nonsense", "--nonsense");
        row("option of another program", "--theta", "--theta");
        row("negative option", "--n=-5", "--n=-5");
        row("unknown figure", "figure laddr -o x.csv", "ladder");
        row("no output", "figure ladder", "-o");
        row("unknown ending", "figure ladder -o x.bmp", "bmp");
        row("unknown option of figure", "figure ladder -o x.csv --theta 5", "theta");
        row("option without value", "figure ladder -o", "o");
        row("unknown parameter", "figure ladder -o - --format csv --set rope.tehta=5", "rope.theta");
        row("theta zero", "figure ladder -o - --format csv --set rope.theta=0", "rope.theta");
        row("theta below zero", "figure ladder -o - --format csv --set rope.theta=-10000", "-10000");
        row("theta not a number", "figure ladder -o - --format csv --set rope.theta=ten", "ten");
        row("theta nan", "figure ladder -o - --format csv --set rope.theta=nan", "nan");
        row("theta overflow", "figure ladder -o - --format csv --set rope.theta=1e400", "1e400");
        row("odd head", "figure ladder -o - --format csv --set head_dim=63", "63");
        row("no head", "figure ladder -o - --format csv --set head_dim=0", "1024");
        row("large head", "figure ladder -o - --format csv --set head_dim=1026", "1026");
        row("odd rotary", "figure ladder -o - --format csv --set rope.partial=0.3", "19");
        row("factor", "figure ladder -o - --format csv --set scaling.factor=0.25", "0.25");
        row("swapped betas",
            "figure ladder -o - --format csv --set scaling=yarn --set scaling.beta_fast=1 --set "
            "scaling.beta_slow=32",
            "beta_fast");
        row("beta zero", "figure ladder -o - --format csv --set scaling.beta_slow=0", "beta_slow");
        row("long text", "figure ladder -o - --format csv --set text.length=33554432", "33554432");
        row("no permutation", "figure attention -o - --format npy --set order=1,2,2", "2 appears twice");
        row("unknown model", "figure ladder -o - --format csv --model llama-3.1-8", "llama-3.1-8b");
        row("bad width", "figure ladder -o x.pdf --width 3", "--width");
        row("unknown font", "figure ladder -o x.pdf --font Comic", "Roboto");
        row("neither on nor off", "figure ramp -o x.pdf --legend maybe", "on, off");
        row("letters of no panel", "figure ramp -o x.pdf --panel-letters A", "--panel-letters");
        row("caption over the figure", "figure ramp -o x.csv --caption x.csv", "--caption");
        row("half a thread", "figure ramp -o x.csv --threads 2.5", "2.5");
        row("empty file name", "figure ramp -o x.csv --config ", "--config");
        row("order before other tokens", "figure attention -o x.npy --set order=2,1,0 --set tokens=one",
            "permutation");
        row("line break in an argument", "figure lad\nder -o x.csv", "lad\\nder");
        row("bad list", "list everything", "figures");
        row("two files", "a.json b.json", "a.json");
    }

    void wrongArgumentsExitTwoWithOneSentence() {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, named);
        const Outcome outcome = run(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.output.isEmpty(), outcome.output.constData());
        QVERIFY2(outcome.errors.contains(named), outcome.errors.constData());
        QVERIFY2(outcome.errors.count('\n') == 1, outcome.errors.constData());
    }

    void unreadableFilesExitThree() {
        QCOMPARE(run({path(QStringLiteral("missing.json"))}).code, 3);
        QCOMPARE(run({m_folder.path()}).code, 3);
        const QString newer = write(QStringLiteral("newer.json"), "{\"phaseladder\": 99}");
        const Outcome outcome = run({QStringLiteral("figure"), QStringLiteral("ladder"),
                                     QStringLiteral("--scene"), newer, QStringLiteral("-o"),
                                     QStringLiteral("-"), QStringLiteral("--format"), QStringLiteral("csv")});
        QCOMPARE(outcome.code, 3);
        QVERIFY(outcome.errors.contains("99"));
        const Outcome spiral = run(
            {QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("--config"),
             write(
                 QStringLiteral("spiral.json"),
                 R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,"rope_scaling":{"rope_type":"spiral"}})"),
             QStringLiteral("-o"), QStringLiteral("-"), QStringLiteral("--format"), QStringLiteral("csv")});
        QCOMPARE(spiral.code, 3);
        QVERIFY(spiral.errors.contains("spiral") && spiral.errors.contains("longrope"));
    }

    void aDeviceIsNotAFileToOpen() { QCOMPARE(run({QStringLiteral("/dev/zero")}).code, 3); }

    void windowWithoutADisplayIsOneSentenceAndExitOne() {
        const Outcome outcome = run({});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.errors.contains("display"), outcome.errors.constData());
        QVERIFY2(outcome.errors.count('\n') == 1, outcome.errors.constData());
    }

    void aDisplayThatIsNotThereIsOneSentenceAndExitOne() {
        const Outcome outcome = runShell(QStringLiteral("QT_QPA_PLATFORM=xcb $P"));
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.errors.contains("xcb"), outcome.errors.constData());
        QVERIFY2(outcome.errors.count('\n') == 1, outcome.errors.constData());
    }

    void lostResultsExitFourAndLostMessagesDoNoHarm() {
        for (const char* line : {"$P list models >/dev/full", "$P list models --json >&-",
                                 "$P --help >/dev/full", "$P figure ladder -o - --format csv >/dev/full"}) {
            const Outcome outcome = runShell(QString::fromLatin1(line));
            QVERIFY2(outcome.code == 4, line);
            QVERIFY2(outcome.errors.contains("Standard output"), line);
        }
        const QString file = path(QStringLiteral("quiet.csv"));
        for (const char* end : {"2>/dev/full", "2>&-", "2>&- >&- <&-"}) {
            QFile::remove(file);
            const Outcome outcome =
                runShell(QStringLiteral("$P figure ladder --model qwen3-vl-yarn-recipe -o '%1' %2")
                             .arg(file, QString::fromLatin1(end)));
            QVERIFY2(outcome.code == 0, end);
            QFile written(file);
            QVERIFY(written.open(QIODevice::ReadOnly));
            QVERIFY(written.readAll().startsWith("pair,inverse_frequency"));
        }
        QCOMPARE(runShell(QStringLiteral("$P figure foo -o x.csv 2>&-")).code, 2);
    }

    void whatTheFileLeavesOpenIsSaidAndKept() {
        const QString config =
            write(QStringLiteral("norope.json"),
                  R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,"tehta":1})");
        const Outcome outcome = run(
            {QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("--config"), config,
             QStringLiteral("-o"), QStringLiteral("-"), QStringLiteral("--format"), QStringLiteral("json")});
        QCOMPARE(outcome.code, 0);
        const QByteArray sentence = "No RoPE settings in this file; llama defaults used: theta 10000.";
        QVERIFY2(outcome.errors.contains(sentence), outcome.errors.constData());
        const QJsonArray notes =
            QJsonDocument::fromJson(outcome.output).object()[QStringLiteral("notes")].toArray();
        QVERIFY(notes.contains(QString::fromLatin1(sentence)));
        const QString scene = write(QStringLiteral("unknown.json"), R"({"phaseladder": 1, "rope.tehta": 5})");
        const Outcome unknown = run(
            {QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("--scene"), scene,
             QStringLiteral("-o"), QStringLiteral("-"), QStringLiteral("--format"), QStringLiteral("json")});
        const QJsonArray warnings =
            QJsonDocument::fromJson(unknown.output).object()[QStringLiteral("warnings")].toArray();
        QVERIFY(warnings.first().toString().contains(QStringLiteral("rope.theta")));
    }

    void aFileKeepsNoFolderNames() {
        const QString file = path(QStringLiteral("secret.svg"));
        for (const QStringList& output : {QStringList{QStringLiteral("-o"), file},
                                          {QStringLiteral("-o") + file},
                                          {QStringLiteral("--output=") + file}}) {
            QCOMPARE(run(QStringList{QStringLiteral("figure"), QStringLiteral("ladder")} + output).code, 0);
            QFile written(file);
            QVERIFY(written.open(QIODevice::ReadOnly));
            const QByteArray text = written.readAll();
            QVERIFY(text.contains("secret.svg"));
            QVERIFY(!text.contains(m_folder.path().toUtf8()));
        }
    }

    void aFigureWrittenAsJsonIsAlsoAScene() {
        const QString figure = path(QStringLiteral("figure.json"));
        QCOMPARE(run({QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("--set"),
                      QStringLiteral("rope.theta=12345"), QStringLiteral("--title"), QStringLiteral("--help"),
                      QStringLiteral("-o"), figure})
                     .code,
                 0);
        const Outcome again = run({QStringLiteral("figure"), QStringLiteral("ladder"),
                                   QStringLiteral("--scene"), figure, QStringLiteral("-o"),
                                   QStringLiteral("-"), QStringLiteral("--format"), QStringLiteral("json")});
        QCOMPARE(again.code, 0);
        const QJsonObject scene =
            QJsonDocument::fromJson(again.output).object()[QStringLiteral("scene")].toObject();
        QCOMPARE(scene[QStringLiteral("rope.theta")].toDouble(), 12345.0);
        QFile file(figure);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QJsonDocument::fromJson(file.readAll()).object()[QStringLiteral("title")].toString(),
                 QStringLiteral("--help"));
    }

    void theWordsOfATextAreDrawn() {
        const QString text = write(QStringLiteral("words.txt"), "dog bites man bites dog");
        const Outcome outcome = run({QStringLiteral("figure"), QStringLiteral("attention"),
                                     QStringLiteral("--scene"), text, QStringLiteral("--format"),
                                     QStringLiteral("csv"), QStringLiteral("-o"), QStringLiteral("-")});
        QCOMPARE(outcome.code, 0);
        QCOMPARE(outcome.output.trimmed().split('\n').size(), qsizetype(1 + 5 * 5));
        const QString tooLong = write(QStringLiteral("long.txt"), QByteArray((4 << 20) + 1, 'a'));
        const Outcome refused =
            run({QStringLiteral("figure"), QStringLiteral("attention"), QStringLiteral("--scene"), tooLong,
                 QStringLiteral("-o"), path(QStringLiteral("never.csv"))});
        QCOMPARE(refused.code, 3);
        QVERIFY(refused.errors.contains("4 194 305") && refused.errors.contains("4 194 304"));
    }

    void outputThatCannotBeWrittenExitsFour() {
        const Outcome outcome = run({QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("-o"),
                                     path(QStringLiteral("no/such/folder/x.csv"))});
        QCOMPARE(outcome.code, 4);
        QVERIFY(outcome.errors.contains("no/such/folder"));
        QCOMPARE(run({QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("-o"),
                      QStringLiteral("/dev/full"), QStringLiteral("--format"), QStringLiteral("csv")})
                     .code,
                 4);
    }

    void hugePictureIsRefusedWithItsLimit() {
        const Outcome outcome =
            run({QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("-o"),
                 path(QStringLiteral("x.png")), QStringLiteral("--width"), QStringLiteral("100in"),
                 QStringLiteral("--dpi"), QStringLiteral("1000")});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.errors.contains("32,767"), outcome.errors.constData());
        QVERIFY(!QFile::exists(path(QStringLiteral("x.png"))));
    }

    void aWindowOfALongTextEqualsTheReference() {
        const QStringList text{QStringLiteral("text.length=8192")};
        const QStringList window{QStringLiteral("--window"), QStringLiteral("7000:7064,6900:6964"),
                                 QStringLiteral("--pixels"), QStringLiteral("64x64"),
                                 QStringLiteral("--backend")};
        const NpyMatrix expected = attention(text, window + QStringList{QStringLiteral("reference")});
        const NpyMatrix cpu = attention(text, window + QStringList{QStringLiteral("cpu")});
        const NpyMatrix chosen = attention(text, window + QStringList{QStringLiteral("auto")});
        QVERIFY(!expected.isSingle && cpu.isSingle && chosen.isSingle);
        QCOMPARE(cpu.shape, (QList<int>{64, 64}));
        QCOMPARE(expected.shape, cpu.shape);
        for (qsizetype cell = 0; cell < cpu.values.size(); ++cell) {
            QVERIFY(std::abs(cpu.values[cell] - expected.values[cell]) <= 1e-5 * expected.values[cell]);
            // On the CPU, or on a GPU where there is one.
            QVERIFY(std::abs(chosen.values[cell] - expected.values[cell]) <= 1e-5 * expected.values[cell]);
        }
        QVERIFY(!attention({QStringLiteral("text.length=256")}).isSingle);
    }

    void threadsChangeNoNumber() {
        const QStringList text{QStringLiteral("text.length=3000"), QStringLiteral("causal=true")};
        const auto on = [&](const QString& threads) {
            return attention(text, {QStringLiteral("--threads"), threads, QStringLiteral("--pixels"),
                                    QStringLiteral("100x100")});
        };
        QCOMPARE(on(QStringLiteral("1")).values, on(QStringLiteral("2")).values);
    }

    void configFilesAgreeWithPublishedLadders() {
        compareLadder(
            R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,"num_key_value_heads":8,
            "max_position_embeddings":131072,"rope_theta":500000.0,"rope_scaling":{"factor":8.0,"low_freq_factor":1.0,
            "high_freq_factor":4.0,"original_max_position_embeddings":8192,"rope_type":"llama3"}})",
            QStringLiteral("llama31_8b_d128"));
        compareLadder(
            R"({"model_type":"qwen2","hidden_size":3584,"num_attention_heads":28,"rope_theta":1000000.0,
            "max_position_embeddings":32768,"rope_scaling":{"factor":4.0,"original_max_position_embeddings":32768,"type":"yarn"}})",
            QStringLiteral("yarn_qwen25_128k"));
        compareLadder(
            R"({"model_type":"gpt_oss","head_dim":64,"hidden_size":2880,"num_attention_heads":64,"rope_theta":150000,
            "max_position_embeddings":131072,"rope_scaling":{"rope_type":"yarn","factor":32.0,"beta_fast":32.0,"beta_slow":1.0,
            "truncate":false,"original_max_position_embeddings":4096}})",
            QStringLiteral("yarn_gptoss_truncate_false_d64"));
    }

    void orderOnlyPermutesTheMapWithoutPositions() {
        QVERIFY(permutedDifference(QStringLiteral("none")) <= 1e-12);
        QVERIFY(permutedDifference(QStringLiteral("rope")) > 1e-3);
    }

    void jsonOfAFigureHasItsKeysAndReadouts() {
        const Outcome outcome = run({QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("-o"),
                                     QStringLiteral("-"), QStringLiteral("--format"), QStringLiteral("json"),
                                     QStringLiteral("--set"), QStringLiteral("head_dim=128"),
                                     QStringLiteral("--set"), QStringLiteral("length.trained=4096")});
        QCOMPARE(outcome.code, 0);
        const QJsonObject figure = QJsonDocument::fromJson(outcome.output).object();
        for (const char* key :
             {"id", "title", "panels", "readouts", "notes", "warnings", "scene", "version"}) {
            QVERIFY2(figure.contains(QLatin1String(key)), key);
        }
        bool found = false;
        for (const QJsonValue& readout : figure[QStringLiteral("readouts")].toArray()) {
            if (readout[QStringLiteral("id")].toString() == QStringLiteral("pairs_beyond_trained")) {
                found = true;
                QCOMPARE(readout[QStringLiteral("value")].toInt(), 18);  // Llama-2: wavelengths above 4,096
            }
        }
        QVERIFY(found);
    }

    void aCaptionIsWrittenBesideTheFigure() {
        const Outcome outcome =
            run({QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("--model"),
                 QStringLiteral("llama-3.1-8b"), QStringLiteral("-o"), path(QStringLiteral("c.pdf")),
                 QStringLiteral("--caption"), QStringLiteral("-")});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.output.contains("Llama 3.1 8B") && outcome.output.contains("theta base 500,000"),
                 outcome.output.constData());
        QVERIFY(QFileInfo(path(QStringLiteral("c.pdf"))).size() > 100);
    }

    void listsAreIdsAndLabels() {
        for (const char* kind : {"figures", "parameters", "encodings", "scalings", "models", "colormaps",
                                 "lessons", "backends"}) {
            const Outcome outcome =
                run({QStringLiteral("list"), QLatin1String(kind), QStringLiteral("--json")});
            QCOMPARE(outcome.code, 0);
            const QJsonDocument document = QJsonDocument::fromJson(outcome.output);
            QVERIFY2(document.isArray(), kind);
            for (const QJsonValue& row : document.array()) {
                QVERIFY2(!row[QStringLiteral("id")].toString().isEmpty(), kind);
                QVERIFY2(!row[QStringLiteral("label")].toString().isEmpty(), kind);
            }
        }
    }

    void everyFigureIsWrittenInEveryFormat() {
        for (const char* figure :
             {"ladder", "phases", "encoding", "ramp", "attention", "hidden-states", "invariance"}) {
            for (const char* format : {"png", "svg", "pdf", "csv", "json", "npy", "txt"}) {
                const QString out = path(QStringLiteral("f.") + QLatin1String(format));
                const Outcome outcome =
                    run({QStringLiteral("figure"), QLatin1String(figure), QStringLiteral("--model"),
                         QStringLiteral("llama-3.1-8b"), QStringLiteral("-o"), out});
                QVERIFY2(outcome.code == 0, outcome.errors.constData());
                QVERIFY2(QFileInfo(out).size() > 100, qPrintable(out));
            }
        }
    }

    void interruptEndsWithin1SecondAnd130() {
        QProcess process;
        process.start(
            QStringLiteral(PHASELADDER_PROGRAM),
            {QStringLiteral("figure"), QStringLiteral("attention"), QStringLiteral("--set"),
             QStringLiteral("text.length=8000"), QStringLiteral("--set"), QStringLiteral("head_dim=1024"),
             QStringLiteral("-o"), path(QStringLiteral("stopped.npy"))});
        QVERIFY(process.waitForStarted());
        QTest::qWait(700);
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(1500));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(!QFile::exists(path(QStringLiteral("stopped.npy"))));
    }
};

}  // namespace phaseladder::app::test

QTEST_GUILESS_MAIN(phaseladder::app::test::CommandLineTest)
#include "command_line_test.moc"
