#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

#include "tests/app/command_line_test_parts.h"

namespace phaseladder::app::test {

/// --pin, --pin-set and --compare of `figure`.
class CompareOptionsTest : public QObject, private CommandLineFixture {
    Q_OBJECT

    static Outcome figure(const QString& words) {
        return run(QStringList{QStringLiteral("figure")} + words.split(QLatin1Char(' ')));
    }

    static QHash<QString, QStringList> csv(const QString& words) {
        return readCsv(figure(words + QStringLiteral(" -o - --format csv")).output);
    }

    static QJsonObject json(const QString& words) {
        return QJsonDocument::fromJson(figure(words + QStringLiteral(" -o - --format json")).output).object();
    }

private Q_SLOTS:
    void wrongArgumentsExitTwoWithOneSentence_data() {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QByteArray>("named");
        const auto row = [](const char* name, const char* arguments, const char* named) {
            QTest::newRow(name) << QString::fromLatin1(arguments) << QByteArray(named);
        };
        row("nothing to compare with", "ramp -o x.csv --compare delta", "--pin");
        row("unknown comparison", "ramp -o x.csv --pin-set causal=on --compare c", "a, b, delta");
        row("pin without a value", "ramp -o x.csv --pin-set rope.theta", "--pin-set must be ID=VALUE");
        row("pin of an unknown parameter", "ramp -o x.csv --pin-set rope.tehta=1", "rope.theta");
        row("pin out of range", "ramp -o x.csv --pin-set rope.theta=-5", "rope.theta");
        row("empty pin", "ramp -o x.csv --pin ", "--pin needs a value");
    }

    void wrongArgumentsExitTwoWithOneSentence() {
        QFETCH(const QString, arguments);
        QFETCH(const QByteArray, named);
        const Outcome outcome = figure(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.output.isEmpty(), outcome.output.constData());
        QVERIFY2(outcome.errors.contains(named), outcome.errors.constData());
        QVERIFY2(outcome.errors.count('\n') == 1, outcome.errors.constData());
    }

    void aPinThatCannotBeReadExitsThree() {
        const Outcome outcome =
            figure(QStringLiteral("ramp -o x.csv --pin ") + path(QStringLiteral("missing.json")));
        QCOMPARE(outcome.code, 3);
        QVERIFY2(outcome.errors.count('\n') == 1, outcome.errors.constData());
    }

    void aPinnedSettingIsComparedWith() {
        const auto matrix = [this](const QStringList& options) {
            const Outcome outcome =
                run(QStringList{QStringLiteral("figure"), QStringLiteral("attention"), QStringLiteral("-o"),
                                QStringLiteral("-"), QStringLiteral("--format"), QStringLiteral("npy"),
                                QStringLiteral("--set"), QStringLiteral("rope.theta=500k")} +
                    options);
            return outcome.code == 0 ? readNpy(outcome.output).values : QList<double>();
        };
        const QString pin = QStringLiteral("--pin-set"), show = QStringLiteral("--compare");
        const QString other = QStringLiteral("rope.theta=10000");
        const QList<double> live = matrix({});
        const QList<double> pinned = matrix({pin, other, show, QStringLiteral("a")});
        QCOMPARE(pinned, matrix({QStringLiteral("--set"), other}));
        QVERIFY(pinned != live);
        QCOMPARE(matrix({pin, other}), live);
        const QList<double> delta = matrix({pin, other, show, QStringLiteral("delta")});
        QCOMPARE(delta.size(), live.size());
        for (qsizetype cell = 0; cell < live.size(); ++cell) {
            QCOMPARE(delta[cell], pinned[cell] == live[cell] ? 0.0 : live[cell] - pinned[cell]);
        }
        QCOMPARE(matrix({pin, QStringLiteral("rope.theta=500k"), show, QStringLiteral("delta")}),
                 QList<double>(live.size(), 0.0));
        const QString file = path(QStringLiteral("pinned.json"));
        QCOMPARE(run({QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("-o"), file}).code,
                 0);
        QCOMPARE(matrix({QStringLiteral("--pin"), file, show, QStringLiteral("a")}), pinned);
    }

    void aTextIsPinnedWithTheSettingsOfTheLiveScene() {
        const auto words = [](const QJsonObject& figure) {
            const QJsonObject scene = figure[QStringLiteral("scene")].toObject();
            return scene[QStringLiteral("tokens")].toArray().size();
        };
        const auto labels = [](const QJsonObject& figure) {
            const QJsonObject panel = figure[QStringLiteral("panels")].toArray().at(0).toObject();
            return panel[QStringLiteral("x")].toObject()[QStringLiteral("labels")].toArray().size();
        };
        const QString text = write(QStringLiteral("pinned.txt"), "the dog bites the man");
        const QString live = QStringLiteral("attention --set causal=on --set order=2,0,1");
        const QString pin = QStringLiteral(" --pin ") + text + QStringLiteral(" --compare a");
        const QJsonObject a = json(live + pin);
        QCOMPARE(labels(a), qsizetype(5));
        QCOMPARE(words(json(live)), qsizetype(3));
        // The same file starts a scene.
        const QJsonObject scene = json(QStringLiteral("attention --set causal=on --scene ") + text);
        QCOMPARE(words(scene), qsizetype(5));
        QCOMPARE(csv(live + pin), csv(QStringLiteral("attention --set causal=on --scene ") + text));
    }

    void aModelsConfigStartsAndIsPinnedAlike() {
        const QString config = write(QStringLiteral("config.json"),
                                     R"({"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8,
                      "rope_theta": 500000.0, "max_position_embeddings": 4096})");
        const auto started = csv(QStringLiteral("ladder --scene ") + config);
        QVERIFY(!started.isEmpty());
        QCOMPARE(started, csv(QStringLiteral("ladder --config ") + config));
        QCOMPARE(started, csv(QStringLiteral("ladder --compare a --pin ") + config));
    }

    void columnsOfADifferenceAreThoseOfBLessThoseOfA() {
        const QString scene = QStringLiteral("decay --set encoding=sinusoidal --set length.target=600");
        const auto a = csv(QStringLiteral("decay --set encoding=rope --set length.target=600"));
        const auto b = csv(scene);
        const auto delta = csv(scene + QStringLiteral(" --pin-set encoding=rope --compare delta"));
        const QString distance = QStringLiteral("distance"), score = QStringLiteral("score");
        QCOMPARE(delta[distance], b[distance]);
        QCOMPARE(delta[distance], a[distance]);
        const QStringList differences = delta[QStringLiteral("delta_score")];
        QCOMPARE(differences.size(), 601);
        for (qsizetype row = 0; row < differences.size(); ++row) {
            QCOMPARE(differences[row].toDouble(), b[score][row].toDouble() - a[score][row].toDouble());
        }
    }

    void theSameSettingsAreSaidToBeTheSame() {
        const QJsonObject figure = json(QStringLiteral("decay --pin-set rope.theta=10000 --compare delta"));
        const QJsonValue first = figure[QStringLiteral("readouts")].toArray().at(0);
        QCOMPARE(first[QStringLiteral("id")].toString(), QStringLiteral("compared"));
        QCOMPARE(first[QStringLiteral("value")].toString(),
                 QStringLiteral("A and B are the same: Δ is exactly 0"));
    }

    void everyFigureIsComparedInEveryModeAndFormat() {
        const QStringList figures = [] {
            QStringList ids;
            const QByteArray list =
                run({QStringLiteral("list"), QStringLiteral("figures"), QStringLiteral("--json")}).output;
            for (const QJsonValue& row : QJsonDocument::fromJson(list).array()) {
                ids.append(row[QStringLiteral("id")].toString());
            }
            return ids;
        }();
        QVERIFY(figures.size() > 10);
        int turn = 0;  // each figure in one format a mode, all formats over all figures
        const QStringList formats{QStringLiteral("svg"), QStringLiteral("csv"), QStringLiteral("json"),
                                  QStringLiteral("txt"), QStringLiteral("png")};
        for (const QString& id : figures) {
            for (const char* mode : {"a", "b", "delta"}) {
                const QString out = path(QStringLiteral("f.") + formats[turn++ % formats.size()]);
                const Outcome outcome =
                    figure(id + QStringLiteral(" --pin-set encoding=alibi --pin-set causal=true --compare ") +
                           QLatin1String(mode) + QStringLiteral(" -o ") + out);
                QVERIFY2(outcome.code == 0, outcome.errors.constData());
                QVERIFY2(QFileInfo(out).size() > 10, qPrintable(id));
            }
        }
    }
};

}  // namespace phaseladder::app::test

QTEST_GUILESS_MAIN(phaseladder::app::test::CompareOptionsTest)
#include "compare_options_test.moc"
