#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/scene_json.h"
#include "tests/app/command_line_test_parts.h"
#include "tests/core/capture_files.h"

namespace phaseladder::app::test {

using tests::littleEndianBytes;
using tests::normalNumbers;
using tests::npyFile;
using tests::Numbers;
using tests::safetensorsFile;

/// `figure` on queries and keys from files, good ones and bad ones.
class CaptureCommandTest : public QObject, private CommandLineFixture {
    Q_OBJECT

    static QByteArray bytes(const std::string& text) { return QByteArray::fromStdString(text); }

    /// `figure attention` to standard output, as a CSV.
    static Outcome attention(const QStringList& settings) {
        QStringList arguments{QStringLiteral("figure"), QStringLiteral("attention"), QStringLiteral("-o"),
                              QStringLiteral("-"),      QStringLiteral("--format"),  QStringLiteral("csv")};
        for (const QString& setting : settings) {
            arguments << QStringLiteral("--set") << setting;
        }
        return run(arguments);
    }

    static QString queriesFrom(const QString& path) { return QStringLiteral("capture.queries=") + path; }

    static std::string safetensorsHeader(const std::string& header, const std::string& data = {}) {
        return littleEndianBytes(header.size(), 8) + header + data;
    }

    static std::string npyHeader(const std::string& header, const std::string& data = {}) {
        return "\x93NUMPY\x01" + std::string(1, '\0') + littleEndianBytes(header.size(), 2) + header + data;
    }

    static std::string entry(const char* name, const char* type, const char* shape, const char* offsets) {
        return std::string("\"") + name + "\": {\"dtype\": \"" + type + "\", \"shape\": " + shape +
               ", \"data_offsets\": " + offsets + "}";
    }

private Q_SLOTS:
    void theMapIsTheSoftmaxOfTheFilesNumbers() {
        const Numbers q = normalNumbers({2, 5, 4}, 1), k = normalNumbers({1, 5, 4}, 2);
        const QString path =
            write(QStringLiteral("qk.safetensors"), bytes(safetensorsFile({{"q", q}, {"k", k}})));
        const Outcome outcome =
            attention({queriesFrom(path), QStringLiteral("encoding=none"), QStringLiteral("head=1")});
        QCOMPARE(outcome.code, 0);
        const QStringList values = readCsv(outcome.output).value(QStringLiteral("value"));
        QCOMPARE(values.size(), 25);
        for (std::int64_t row = 0; row < 5; ++row) {
            double weights[5], sum = 0.0;
            for (std::int64_t key = 0; key < 5; ++key) {
                double dot = 0.0;
                for (std::int64_t channel = 0; channel < 4; ++channel) {
                    dot += q.at(1, row, channel) * k.at(0, key, channel);
                }
                weights[key] = std::exp(dot / 2.0);
                sum += weights[key];
            }
            for (std::int64_t key = 0; key < 5; ++key) {
                QVERIFY(std::abs(values[row * 5 + key].toDouble() - weights[key] / sum) < 1e-12);
            }
        }
    }

    void notesAndWarningsOfTheFilesAreSaid() {
        const Numbers same = normalNumbers({3, 5, 4}, 1);
        const QString path =
            write(QStringLiteral("mha.safetensors"), bytes(safetensorsFile({{"q", same}, {"k", same}})));
        const QString labels = write(QStringLiteral("labels.txt"), "the cat");
        const Outcome outcome = attention({queriesFrom(path), QStringLiteral("capture.labels=") + labels});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.errors.contains("2 labels for 5 rows: the last 3 are without a label."),
                 outcome.errors.constData());
    }

    void badFilesExitThreeWithOneSentence_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("sentence");
        const auto row = [](const char* name, const std::string& content, const char* sentence) {
            QTest::newRow(name) << QString::fromLatin1(name) << bytes(content) << QByteArray(sentence);
        };
        const Numbers wide = normalNumbers({6, 128}, 1), narrow = normalNumbers({6, 64}, 2);
        row("29.safetensors", safetensorsFile({{"q", wide}, {"k", narrow}}), "Q has 128 channels, K has 64.");
        row("38.safetensors", "1234567", "File is 7 bytes; a header length needs 8.");
        row("39.safetensors", littleEndianBytes(std::uint64_t{1} << 63, 8) + std::string(804, ' '),
            "Header claims 8 EiB, file has 812 B.");
        row("40.safetensors", safetensorsHeader("{" + std::string((9u << 20) - 2, ' ') + "}"),
            "Header is 9 MiB; the limit is 8 MiB.");
        row("41.safetensors", safetensorsHeader("PK and more"), "Not a safetensors file (first byte 0x50).");
        row("42 overlap.safetensors",
            safetensorsHeader("{" + entry("k", "F32", "[32]", "[0, 128]") + ", " +
                                  entry("q", "F32", "[32]", "[64, 192]") + "}",
                              std::string(192, '\0')),
            "Tensor 'q' overlaps 'k' at byte 64.");
        row("42 gap.safetensors",
            safetensorsHeader(
                "{" + entry("q", "F32", "[2]", "[0, 8]") + ", " + entry("k", "F32", "[2]", "[16, 24]") + "}",
                std::string(24, '\0')),
            "Gap of 8 bytes before 'k'.");
        row("43.safetensors",
            safetensorsHeader("{" + entry("q", "F32", "[16, 16]", "[0, 1000]") + "}",
                              std::string(1000, '\0')),
            "Tensor 'q' needs 1024 B, header gives 1000 B.");
        row("44.safetensors",
            safetensorsHeader(
                "{" + entry("q", "F32", "[4611686018427387904, 4611686018427387904]", "[0, 0]") + "}"),
            "Tensor 'q' size overflows");
        row("45.safetensors",
            safetensorsHeader("{" + entry("q", "F32", "[1]", "[0, 4]") + "}", std::string(304, 'P')),
            "300 unused bytes after the data; refused.");
        row("46.safetensors",
            safetensorsHeader("{" + entry("q", "F8_E4M3", "[2, 4]", "[0, 8]") + "}", std::string(8, '\0')),
            "Type 'F8_E4M3' of 'q' is not supported; F32, F16, BF16, F64 are.");
        const auto npy = [](const char* type, const char* shape) {
            return npyHeader(std::string("{'descr': '") + type +
                             "', 'fortran_order': False, 'shape': " + shape + ", }");
        };
        row("47.npy", npy("|O", "(2,)"), "Object arrays are refused: they can run code.");
        row("48.npy", npyHeader(std::string(10'001, ' ')), "Header is 10 001 B; the limit is 10 000.");
        row("49.npy", npy("<f8", "(65536, 65536)"),
            "Needs 32 GiB of data for the shape [65536, 65536], file holds 0 B.");
        row("50 big.npy", npy(">f8", "(0, 2)"), "Type '>f8' (big-endian) is not read");
        row("50 rank.npy", npy("<f8", "(1, 1, 1, 1, 0)"), "Array has 5 dimensions; the limit is 4.");
        row("51.npy", npyHeader("{'descr': __import__('os')}"),
            "Header is not a plain NumPy header (unexpected '_' at 11");
        row("57.npz", "PK\x03\x04 and more", "Archives are not read; open the .npy inside.");
        row("neither.bin", "what is this", "Neither a .npy nor a .safetensors file.");
        row("model.safetensors", safetensorsFile({{"h.0.q_proj.weight", narrow}}),
            "holds weights of a model, no captured queries");
    }

    void badFilesExitThreeWithOneSentence() {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, content);
        QFETCH(const QByteArray, sentence);
        const QString path = write(name, content);
        const Outcome outcome = attention({queriesFrom(path), QStringLiteral("capture.keys=") + path});
        QCOMPARE(outcome.code, 3);
        QVERIFY2(outcome.output.isEmpty(), outcome.output.constData());
        QVERIFY2(outcome.errors.contains(sentence), outcome.errors.constData());
        QVERIFY2(outcome.errors.count('\n') == 1, outcome.errors.constData());
    }

    void whatIsNoFileIsRefusedWithoutHanging() {
        for (const QString& path :
             {m_folder.path(), QStringLiteral("/dev/zero"), path(QStringLiteral("missing.npy"))}) {
            const Outcome outcome = attention({queriesFrom(path)});
            QCOMPARE(outcome.code, 3);
            QVERIFY2(outcome.output.isEmpty() && outcome.errors.count('\n') == 1, outcome.errors.constData());
        }
    }

    void rowsWithoutNumbersAreAWarningAndNotAnError() {
        Numbers q = normalNumbers({8, 32}, 1);
        q.values[3 * 32 + 17] = std::nan("");
        const QString path = write(QStringLiteral("27.safetensors"),
                                   bytes(safetensorsFile({{"q", q}, {"k", normalNumbers({8, 32}, 2)}})));
        const Outcome outcome = attention({queriesFrom(path)});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.errors.contains(
                     "Query row 3 has a NaN at channel 17; row hatched; 1 of 8 rows affected."),
                 outcome.errors.constData());
        const QStringList values = readCsv(outcome.output).value(QStringLiteral("value"));
        for (qsizetype cell = 0; cell < values.size(); ++cell) {
            QCOMPARE(values[cell].isEmpty(), cell / 8 == 3);
        }
    }

    void rowsThatSeeNoKeyAreSaid() {
        const Numbers same = normalNumbers({4, 8}, 1);
        const QString path =
            write(QStringLiteral("28.safetensors"), bytes(safetensorsFile({{"q", same}, {"k", same}})));
        const Outcome outcome = attention(
            {queriesFrom(path), QStringLiteral("causal=on"), QStringLiteral("capture.column_offset=1")});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.errors.contains("Row 0 has no visible keys"), outcome.errors.constData());
        QVERIFY(readCsv(outcome.output).value(QStringLiteral("value")).first().isEmpty());
    }

    void aModelsFileIsRefusedByItsHeaderAlone() {
        // 40 GB that take no room: its weights are named, nothing of them is read.
        constexpr std::uint64_t size = std::uint64_t{40} << 30;
        const std::string header =
            "{" +
            entry("model.layers.0.self_attn.q_proj.weight", "F32", "[2621440, 4096]", "[0, 42949672960]") +
            "}";
        const QString path = write(QStringLiteral("58.safetensors"), bytes(safetensorsHeader(header)));
        std::error_code error;
        std::filesystem::resize_file(path.toStdString(), 8 + header.size() + size, error);
        if (error) {
            QSKIP("This file system has no sparse files.");
        }
        const Outcome outcome = attention({queriesFrom(path)});
        QCOMPARE(outcome.code, 3);
        QVERIFY2(outcome.errors.contains("holds weights of a model"), outcome.errors.constData());
    }

    void wrongSettingsExitTwo() {
        const Numbers same = normalNumbers({2, 6, 4}, 1);
        const QString path =
            write(QStringLiteral("good.safetensors"), bytes(safetensorsFile({{"q", same}, {"k", same}})));
        for (const char* setting : {"layers=2", "head=2", "head_dim=8", "encoding=sinusoidal",
                                    "capture.row_offset=-1", "capture.axes=sideways"}) {
            const Outcome outcome = attention({queriesFrom(path), QString::fromLatin1(setting)});
            QVERIFY2(outcome.code == 2, outcome.errors.constData());
            QVERIFY2(outcome.output.isEmpty() && outcome.errors.count('\n') == 1, outcome.errors.constData());
        }
    }

    void theRecipesFileIsReadBack() {
        const QString file = path(QStringLiteral("recipe.safetensors"));
        const QString script = QStringLiteral(
            "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1]); import capture_qk; "
            "q = [[[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], [[3.0, 0.0], [0.0, 1.0], [2.0, 2.0]]]; "
            "capture_qk.write_capture(sys.argv[2], {'q': q, 'k': q[:1]}, ['the ', 'cat', 'sat'])");
        const Outcome written = runProgram(
            QStringLiteral("python3"),
            {QStringLiteral("-c"), script, QStringLiteral(PHASELADDER_SOURCE_DIR "/resources"), file});
        if (written.code != 0) {
            QSKIP(("python3 does not run: " + written.errors).constData());
        }
        const Outcome outcome =
            attention({queriesFrom(file), QStringLiteral("encoding=none"),
                       QStringLiteral("view.values=logits"), QStringLiteral("head=1"),
                       QStringLiteral("capture.labels=") + path(QStringLiteral("recipe.tokens.json"))});
        QVERIFY2(outcome.code == 0, outcome.errors.constData());
        // q of head 1 times k of head 0, over the root of 2.
        const double dots[] = {3, 0, 3, 0, 2, 1, 2, 4, 4};
        const QStringList values = readCsv(outcome.output).value(QStringLiteral("value"));
        QCOMPARE(values.size(), 9);
        for (qsizetype cell = 0; cell < values.size(); ++cell) {
            QVERIFY(std::abs(values[cell].toDouble() - dots[cell] / std::sqrt(2.0)) < 1e-12);
        }
    }

    /// The figures that need the files refuse, others warn: with and without other settings.
    void aSceneWhoseFilesAreGoneSaysSo() {
        Scene saved;
        saved.capture.queries = "/nowhere/qk.safetensors";
        const QString scene = write(QStringLiteral("gone.json"), bytes(writeScene(saved)));
        for (const bool sets : {false, true}) {
            const auto figureOf = [&](const char* id) {
                QStringList arguments{QStringLiteral("figure"),   QString::fromLatin1(id),
                                      QStringLiteral("--scene"),  scene,
                                      QStringLiteral("-o"),       QStringLiteral("-"),
                                      QStringLiteral("--format"), QStringLiteral("csv")};
                return run(sets ? arguments << QStringLiteral("--set") << QStringLiteral("rope.theta=500")
                                : arguments);
            };
            for (const char* id : {"ladder", "attention"}) {
                const Outcome outcome = figureOf(id);
                const bool needsFiles = std::string(id) == "attention";
                QCOMPARE(outcome.code, needsFiles ? 3 : 0);
                QCOMPARE(outcome.output.isEmpty(), needsFiles);
                QCOMPARE(outcome.errors.count("Cannot read '/nowhere/qk.safetensors' (no such file)."), 1);
                QCOMPARE(outcome.errors.count('\n'), 1);
            }
        }
    }

    void aSceneFileOpensItsHeadsAgain() {
        const Numbers same = normalNumbers({2, 6, 4}, 1);
        const QString path =
            write(QStringLiteral("kept.safetensors"), bytes(safetensorsFile({{"q", same}, {"k", same}})));
        const Outcome direct = attention({queriesFrom(path)});
        const QString scene = this->path(QStringLiteral("figure.json"));
        QCOMPARE(run({QStringLiteral("figure"), QStringLiteral("attention"), QStringLiteral("-o"), scene,
                      QStringLiteral("--set"), queriesFrom(path)})
                     .code,
                 0);
        QFile file(scene);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray inside =
            QJsonDocument(
                QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("scene")).toObject())
                .toJson();
        const QString kept = write(QStringLiteral("kept.json"), inside);
        const Outcome again = run({QStringLiteral("figure"), QStringLiteral("attention"),
                                   QStringLiteral("--scene"), kept, QStringLiteral("-o"), QStringLiteral("-"),
                                   QStringLiteral("--format"), QStringLiteral("csv")});
        QVERIFY2(again.code == 0, again.errors.constData());
        QCOMPARE(again.output, direct.output);
    }
};

}  // namespace phaseladder::app::test

QTEST_APPLESS_MAIN(phaseladder::app::test::CaptureCommandTest)
#include "capture_command_test.moc"
