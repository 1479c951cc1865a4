#include <algorithm>
#include <numbers>

#include <QTest>

#include "core/ladder/scaling.h"
#include "core/phase/cos_sin_table.h"
#include "core/phase/phase_turns.h"
#include "tests/core/golden.h"

using nlohmann::json;
using phaseladder::CosSin;
using phaseladder::cosSin;
using phaseladder::CosSinTable;
using phaseladder::Ladder;
using phaseladder::phaseOf;
using phaseladder::phaseRadians;
using phaseladder::phaseTurns;
using phaseladder::plainLadder;
using phaseladder::Scene;
using phaseladder::sceneLadders;
using phaseladder::tests::readGolden;

namespace {

constexpr double twoPi = 2.0 * std::numbers::pi;

/// The scene of a row of phases.json.
Scene sceneOf(const std::string& name) {
    Scene scene;
    scene.headDim = name.find("_d128_") != std::string::npos  ? 128
                    : name.find("_d96_") != std::string::npos ? 96
                                                              : 64;
    scene.rope.theta = std::stod(name.substr(name.find("_b") + 2));
    const auto number = [&](const char* mark) { return std::stod(name.substr(name.find(mark) + 2)); };
    if (const std::string method = name.substr(0, name.find('_')); method != "plain") {
        scene.scaling.method = method;
        scene.scaling.factor = number("_s");
    }
    if (name.find("_L") != std::string::npos) {
        scene.scaling.originalLength = static_cast<std::int64_t>(number("_L"));
    }
    scene.scaling.truncate = name.find("untruncated") == std::string::npos;
    return scene;
}

double distanceOnCircle(double first, double second) {
    const double distance = std::abs(first - second);
    return std::min(distance, twoPi - distance);
}

}  // namespace

class PhaseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// phases.json holds the formulas in 60-digit arithmetic (make_phases.py).
    void phaseMeetsManyDigitArithmetic_data() {
        QTest::addColumn<QByteArray>("name");
        const json golden = readGolden("phases.json");
        for (const auto& [name, row] : golden.items()) {
            if (name != "positions") {
                QTest::newRow(name.c_str()) << QByteArray::fromStdString(name);
            }
        }
    }

    void phaseMeetsManyDigitArithmetic() {
        QFETCH(QByteArray, name);
        const json golden = readGolden("phases.json");
        const auto positions = golden.at("positions").get<std::vector<std::uint64_t>>();
        const auto ladders = sceneLadders(sceneOf(name.toStdString()));
        QVERIFY(ladders.has_value());
        const std::vector<std::uint64_t> turns = phaseTurns(ladders->scaled.ladder);
        double largest = 0.0;
        for (const auto& [pair, phases] : golden.at(name.toStdString()).items()) {
            for (std::size_t at = 0; at < positions.size(); ++at) {
                const double radians = phaseRadians(phaseOf(turns.at(std::stoul(pair)), positions[at]));
                QVERIFY(radians >= 0.0 && radians < twoPi);
                const double error = distanceOnCircle(radians, phases.at(at));
                largest = std::max(largest, error);
                if (positions[at] <= 131072) {
                    QVERIFY2(error <= 1e-12,
                             qPrintable(QStringLiteral("%1 at %2").arg(error).arg(positions[at])));
                }
            }
        }
        QVERIFY2(largest <= 1e-9, qPrintable(QString::number(largest)));
    }

    void linearFactorFourReadsPosition8192As2048() {
        Scene scene;
        const auto base = phaseTurns(sceneLadders(scene)->scaled.ladder);
        scene.scaling.method = "linear";
        const auto interpolated = phaseTurns(sceneLadders(scene)->scaled.ladder);
        for (std::size_t pair = 0; pair < base.size(); ++pair) {
            QVERIFY(distanceOnCircle(phaseRadians(phaseOf(interpolated[pair], 8192)),
                                     phaseRadians(phaseOf(base[pair], 2048))) <= 1e-13);
        }
    }

    void quarterTurnsAreExact() {
        const std::uint64_t quarter = std::uint64_t{1} << 62;
        const auto isExactly = [](CosSin value, double cosine, double sine) {
            return value.cosine == cosine && value.sine == sine;
        };
        QVERIFY(isExactly(cosSin(0), 1.0, 0.0));
        QVERIFY(isExactly(cosSin(quarter), 0.0, 1.0));
        QVERIFY(isExactly(cosSin(2 * quarter), -1.0, 0.0));
        QVERIFY(isExactly(cosSin(3 * quarter), 0.0, -1.0));
        QVERIFY(phaseRadians(~std::uint64_t{0}) < twoPi);
    }

    void cosSinMeetsTheLongDoubleFunctions() {
        for (std::uint64_t step = 0; step < 4096; ++step) {
            const std::uint64_t turns = step * 0x000ffedcba987654ULL;
            const long double angle =
                std::ldexp(static_cast<long double>(turns), -64) * 2.0L * std::numbers::pi_v<long double>;
            const CosSin value = cosSin(turns);
            QVERIFY(std::abs(static_cast<double>(value.cosine - std::cos(angle))) <= 3e-16);
            QVERIFY(std::abs(static_cast<double>(value.sine - std::sin(angle))) <= 3e-16);
        }
    }

    void frequencyAboveOneTurnKeepsItsFraction() {
        const long double turn = 2.0L * std::numbers::pi_v<long double>;
        const auto turns = phaseTurns(Ladder{.inverseFrequency = {2.25L * turn, 0.0L, turn}});
        QVERIFY(distanceOnCircle(phaseRadians(turns[0]), twoPi / 4.0) < 1e-15);
        QCOMPARE(turns[1], std::uint64_t{0});
        QVERIFY(distanceOnCircle(phaseRadians(turns[2]), 0.0) < 1e-15);
    }

    void tableErrorIsAtMostFiveTenMillionths() {
        const std::vector<std::uint64_t> turns = phaseTurns(plainLadder(10000.0, 128));
        const std::int64_t positions = 131072;
        const CosSinTable table(turns, positions);
        QCOMPARE(table.positions(), positions);
        QCOMPARE(table.pairs(), 64);
        std::vector<float> cosine(static_cast<std::size_t>(positions) * 64), sine(cosine.size());
        table.fill(cosine, sine);
        std::vector<float> rowCosine(64), rowSine(64);
        double largest = 0.0;
        for (std::int64_t position = 0; position < positions; position += (position < 2048 ? 1 : 61)) {
            table.row(position, rowCosine.data(), rowSine.data());
            for (std::size_t pair = 0; pair < 64; ++pair) {
                const CosSin exact = cosSin(phaseOf(turns[pair], static_cast<std::uint64_t>(position)));
                const std::size_t at = static_cast<std::size_t>(position) * 64 + pair;
                QVERIFY(cosine[at] == rowCosine[pair] && sine[at] == rowSine[pair]);
                largest = std::max({largest, std::abs(static_cast<double>(cosine[at]) - exact.cosine),
                                    std::abs(static_cast<double>(sine[at]) - exact.sine)});
            }
        }
        QVERIFY2(largest <= 5e-7, qPrintable(QString::number(largest)));
    }

    void tableOfAnyLengthIsWhole() {
        const std::vector<std::uint64_t> turns = phaseTurns(plainLadder(10000.0, 6));
        for (const std::int64_t positions : {0, 1, 511, 512, 513, 1025}) {
            const CosSinTable table(turns, positions);
            std::vector<float> cosine(static_cast<std::size_t>(positions) * 3), sine(cosine.size());
            table.fill(cosine, sine);
            if (positions > 0) {
                const CosSin last = cosSin(phaseOf(turns[2], static_cast<std::uint64_t>(positions - 1)));
                QVERIFY(std::abs(static_cast<double>(cosine.back()) - last.cosine) <= 5e-7);
            }
        }
    }
};

QTEST_GUILESS_MAIN(PhaseTest)
#include "phase_test.moc"
