#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <vector>

#include "command_line_test_parts.h"
#include "core/export/figure_text.h"
#include "core/random.h"

using phaseladder::Figure;
using phaseladder::Matrix;
using phaseladder::Random;
using phaseladder::app::test::CommandLineFixture;
using phaseladder::app::test::NpyMatrix;
using phaseladder::app::test::Outcome;
using phaseladder::app::test::readNpy;

namespace {

constexpr int tokens = 6, width = 4;

std::vector<double> normalRows(std::uint64_t seed) {
    Random random(seed);
    std::vector<double> values(tokens * width);
    for (double& value : values) {
        value = static_cast<float>(random.normal());
    }
    return values;
}

/// Causal attention without positions, written out.
std::vector<double> plainWeights(const std::vector<double>& queries, const std::vector<double>& keys) {
    std::vector<double> weights(tokens * tokens, 0.0);
    for (int row = 0; row < tokens; ++row) {
        double sum = 0.0;
        for (int column = 0; column <= row; ++column) {
            double score = 0.0;
            for (int channel = 0; channel < width; ++channel) {
                score +=
                    queries[std::size_t(row * width + channel)] * keys[std::size_t(column * width + channel)];
            }
            sum += weights[std::size_t(row * tokens + column)] = std::exp(score / std::sqrt(width));
        }
        for (int column = 0; column <= row; ++column) {
            weights[std::size_t(row * tokens + column)] /= sum;
        }
    }
    return weights;
}

}  // namespace

class BenchmarkTest : public QObject, private CommandLineFixture {
    Q_OBJECT

private Q_SLOTS:
    void onlyJsonIsTaken();
    void aPartThatIsNotThereIsRefused();
    void servedMapIsPlainAttention();
    void servedPhasesAreCosinesOverSines();
    void wrongWorkIsAnsweredAndTheNextLineIsServed();

private:
    /// One answer for each line.
    QList<QJsonObject> serve(const QStringList& lines) {
        QFile file(m_folder.filePath(QStringLiteral("lines")));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(lines.join(QLatin1Char('\n')).toUtf8() + '\n');
            file.close();
        }
        const Outcome outcome =
            runShell(QStringLiteral("\"$P\" benchmark --serve < '") + file.fileName() + QLatin1Char('\''));
        QList<QJsonObject> answers;
        for (const QByteArray& line : outcome.output.trimmed().split('\n')) {
            answers.append(QJsonDocument::fromJson(line).object());
        }
        return answers;
    }

    QString write(const QString& name, const std::vector<double>& values) {
        Figure figure;
        figure.matrix = Matrix{tokens, width, values};
        const std::vector<std::uint8_t> bytes = writeNpy(figure);
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size()));
        }
        return file.fileName();
    }

    NpyMatrix matrixOf(const QString& name) {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? readNpy(file.readAll()) : NpyMatrix{};
    }
};

void BenchmarkTest::onlyJsonIsTaken() {
    const Outcome outcome = run({QStringLiteral("benchmark"), QStringLiteral("--jsn")});
    QCOMPARE(outcome.code, 2);
    QVERIFY(outcome.output.isEmpty() && outcome.errors.contains("--jsn"));
}

void BenchmarkTest::aPartThatIsNotThereIsRefused() {
    const Outcome outcome =
        run({QStringLiteral("benchmark"), QStringLiteral("--part"), QStringLiteral("B99")});
    QCOMPARE(outcome.code, 2);
    QVERIFY(outcome.errors.contains("B99"));
}

void BenchmarkTest::servedMapIsPlainAttention() {
    const std::vector<double> queries = normalRows(1), keys = normalRows(2);
    const QString data =
        QStringLiteral("data %1 %2")
            .arg(write(QStringLiteral("q.npy"), queries), write(QStringLiteral("k.npy"), keys));
    const QList<QJsonObject> answers =
        serve({data, QStringLiteral("map 0 6 ") + m_folder.filePath(QStringLiteral("map.npy"))});
    QCOMPARE(answers.size(), 2);
    QCOMPARE(answers[0][QStringLiteral("tokens")].toInt(), tokens);
    QVERIFY(answers[1][QStringLiteral("ms")].toDouble() > 0.0);
    const NpyMatrix map = matrixOf(QStringLiteral("map.npy"));
    const QList<int> square{tokens, tokens};
    QCOMPARE(map.shape, square);
    const std::vector<double> weights = plainWeights(queries, keys);
    for (qsizetype cell = 0; cell < map.values.size(); ++cell) {
        QVERIFY(std::abs(map.values[cell] - weights[std::size_t(cell)]) <= 1e-6);
    }
}

void BenchmarkTest::servedPhasesAreCosinesOverSines() {
    constexpr int pairs = 2, positions = 5;
    serve({QStringLiteral("phases 100 2 5 ") + m_folder.filePath(QStringLiteral("phases.npy"))});
    const NpyMatrix phases = matrixOf(QStringLiteral("phases.npy"));
    const QList<int> shape{2 * positions, pairs};
    QCOMPARE(phases.shape, shape);
    for (int position = 0; position < positions; ++position) {
        for (int pair = 0; pair < pairs; ++pair) {
            const double angle = position * std::pow(100.0, -pair / 2.0);
            QVERIFY(std::abs(phases.values[position * pairs + pair] - std::cos(angle)) <= 5e-7);
            QVERIFY(std::abs(phases.values[(positions + position) * pairs + pair] - std::sin(angle)) <= 5e-7);
        }
    }
}

void BenchmarkTest::wrongWorkIsAnsweredAndTheNextLineIsServed() {
    const QList<QJsonObject> answers =
        serve({QStringLiteral("nonsense"), QStringLiteral("data missing.npy missing.npy"),
               QStringLiteral("map"), QStringLiteral("memory")});
    QCOMPARE(answers.size(), 4);
    for (int wrong = 0; wrong < 3; ++wrong) {
        QVERIFY(!answers[wrong][QStringLiteral("error")].toString().isEmpty());
    }
    QVERIFY(answers[3][QStringLiteral("peak_megabytes")].toDouble() > 0.0);
}

QTEST_GUILESS_MAIN(BenchmarkTest)
#include "benchmark_test.moc"
