#include "core/ladder/ladder.h"

#include <algorithm>
#include <numeric>

#include <QTest>

#include "core/ladder/scaling.h"
#include "tests/core/golden.h"

using phaseladder::Ladder;
using phaseladder::LongRopeList;
using phaseladder::pairsBeyond;
using phaseladder::plainLadder;
using phaseladder::Result;
using phaseladder::scalings;
using phaseladder::Scene;
using phaseladder::SceneLadders;
using phaseladder::sceneLadders;
using phaseladder::wavelengthTokens;
using phaseladder::YarnRamp;
using phaseladder::tests::isRelativelyClose;

namespace {

Scene sceneWith(const std::string& method, int headDim = 128) {
    Scene scene;
    scene.headDim = headDim;
    scene.scaling.method = method;
    scene.scaling.shortFactors.assign(static_cast<std::size_t>(headDim / 2), 1.5);
    scene.scaling.longFactors.assign(static_cast<std::size_t>(headDim / 2), 3.0);
    return scene;
}

bool allFinite(const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

std::string messageOf(const Scene& scene) {
    const Result<SceneLadders> ladders = sceneLadders(scene);
    return ladders ? std::string() : ladders.error().message;
}

}  // namespace

class LadderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void publishedCountsOfPairsBeyondALength() {
        QCOMPARE(pairsBeyond(plainLadder(10000.0, 128), 4096.0), 18);   // Llama 2
        QCOMPARE(pairsBeyond(plainLadder(10000.0, 128), 2048.0), 23);   // Llama 1
        QCOMPARE(pairsBeyond(plainLadder(500000.0, 128), 8192.0), 29);  // Llama 3
    }

    void pairThatDoesNotTurnHasAnInfiniteWavelength() {
        QVERIFY(std::isinf(wavelengthTokens(0.0L)));
        QCOMPARE(pairsBeyond(Ladder{.inverseFrequency = {1.0L, 0.0L}}, 1e300), 1);
    }

    void factorOneLeavesTheLadderBitForBit() {
        for (const char* method : {"none", "linear", "ntk", "yarn", "llama3", "proportional"}) {
            for (const YarnRamp ramp : {YarnRamp::code, YarnRamp::paper}) {
                Scene scene = sceneWith(method);
                scene.rope.theta = 500000.0;
                scene.scaling.factor = 1.0;
                scene.scaling.ramp = ramp;
                const auto ladders = sceneLadders(scene);
                QVERIFY2(ladders.has_value(), method);
                QVERIFY2(ladders->scaled.ladder.inverseFrequency == ladders->base.inverseFrequency, method);
                QCOMPARE(ladders->scaled.ladder.attentionFactor, 1.0);
            }
        }
    }

    void dynamicNtkChangesNothingUpToTheTrainedLength() {
        for (const std::int64_t target : {1, 512, 2047, 2048}) {
            Scene scene = sceneWith("dynamic_ntk");
            scene.length = {.trained = 2048, .target = target};
            const auto ladders = sceneLadders(scene);
            QVERIFY(ladders.has_value());
            QVERIFY(ladders->scaled.ladder.inverseFrequency == ladders->base.inverseFrequency);
        }
    }

    void dynamicNtkReadsTheTrainedLengthNeverTheOriginalOne() {
        Scene scene = sceneWith("dynamic_ntk");
        scene.length = {.trained = 2048, .target = 8192};
        const auto without = sceneLadders(scene);
        scene.scaling.originalLength = 1024;
        const auto with = sceneLadders(scene);
        QVERIFY(without && with);
        QVERIFY(without->scaled.ladder.inverseFrequency == with->scaled.ladder.inverseFrequency);
    }

    void dynamicFactorIsNotTheExtensionRatio() {
        // s = 2: the base grows by 1, 3, 7 to the power r/(r-2) at L, 2L, 4L (numerics.md, section 8, row 7).
        const double power = 128.0 / 126.0;
        for (const auto& [lengths, inner] : {std::pair{1, 1.0}, {2, 3.0}, {4, 7.0}}) {
            Scene scene = sceneWith("dynamic_ntk");
            scene.scaling.factor = 2.0;
            scene.length = {.trained = 4096, .target = 4096 * lengths};
            const auto ladders = sceneLadders(scene);
            QVERIFY(isRelativelyClose(*ladders->scaled.scaledBase, 10000.0 * std::pow(inner, power), 1e-12));
        }
    }

    void ntkKeepsTheFastestPairAndDividesTheSlowestByExactlyTheFactor() {
        for (const double factor : {2.0, 3.0, 4.0, 7.5, 64.0}) {
            Scene scene = sceneWith("ntk", 96);
            scene.scaling.factor = factor;
            const auto ladders = sceneLadders(scene);
            const auto& scaled = ladders->scaled.ladder.inverseFrequency;
            QVERIFY(scaled.front() == ladders->base.inverseFrequency.front());
            QVERIFY(scaled.back() == ladders->base.inverseFrequency.back() / factor);
        }
    }

    void publishedNtkBasesAreMet() {
        for (const auto& [factor, base] :
             {std::pair{2.0, 20221.0}, {4.0, 40890.0}, {8.0, 82685.0}, {16.0, 167199.0}}) {
            Scene scene = sceneWith("ntk");
            scene.scaling.factor = factor;
            QCOMPARE(std::round(*sceneLadders(scene)->scaled.scaledBase), base);
        }
    }

    void publishedYarnRangesAreMet() {
        // figures.md, ramp: alpha = 1, beta = 32.
        struct Row {
            int dim;
            double theta;
            std::int64_t length;
            double low, high;
        };
        for (const Row& row :
             {Row{128, 1e4, 2048, 16, 41}, Row{128, 1e4, 4096, 20, 46}, Row{128, 5e5, 8192, 18, 35},
              Row{64, 1e4, 4096, 10, 23}, Row{128, 1e6, 32768, 23, 40}, Row{128, 1e6, 131072, 30, 47}}) {
            Scene scene = sceneWith("yarn", row.dim);
            scene.rope.theta = row.theta;
            scene.scaling.originalLength = row.length;
            const auto ladders = sceneLadders(scene);
            QCOMPARE(ladders->scaled.range->low, row.low);
            QCOMPARE(ladders->scaled.range->high, row.high);
        }
    }

    void statedFactorWinsOverTheLengths() {
        // Qwen3 (case A03): 40960 positions, original length 32768, factor 4.
        Scene scene = sceneWith("yarn");
        scene.rope.theta = 1e6;
        scene.length = {.trained = 40960, .target = 131072};
        scene.scaling.originalLength = 32768;
        const auto ladders = sceneLadders(scene);
        QVERIFY(isRelativelyClose(static_cast<double>(ladders->scaled.ladder.inverseFrequency.back()),
                                  3.102344402e-07, 1e-9));
        QVERIFY(std::abs(ladders->scaled.ladder.attentionFactor - 1.138629436) < 1e-9);
    }

    void originalLengthMovesTheRamp() {
        // Qwen2.5 (case A04): pair 40 with L = 32768 and 131072.
        Scene scene = sceneWith("yarn");
        scene.rope.theta = 1e6;
        scene.scaling.originalLength = 32768;
        QVERIFY(isRelativelyClose(
            static_cast<double>(sceneLadders(scene)->scaled.ladder.inverseFrequency[40]), 4.4457e-05, 2e-5));
        scene.scaling.originalLength = 131072;
        QVERIFY(isRelativelyClose(
            static_cast<double>(sceneLadders(scene)->scaled.ladder.inverseFrequency[40]), 9.9374e-05, 2e-5));
    }

    void statedAttentionFactorBeatsTheRatioAndTheRatioNeedsBothSlopes() {
        Scene scene = sceneWith("yarn");
        scene.scaling.factor = 40.0;
        scene.scaling.mscale = 1.0;
        const double formula = 0.1 * std::log(40.0) + 1.0;
        QCOMPARE(sceneLadders(scene)->scaled.ladder.attentionFactor, formula);
        scene.scaling.mscaleAllDim = 0.707;
        QCOMPARE(sceneLadders(scene)->scaled.ladder.attentionFactor,
                 formula / (0.1 * 0.707 * std::log(40.0) + 1.0));
        scene.scaling.attentionFactor = 1.25;
        QCOMPARE(sceneLadders(scene)->scaled.ladder.attentionFactor, 1.25);
    }

    void longRopeTakesTheLongListStrictlyAboveTheOriginalLength() {
        Scene scene = sceneWith("longrope");
        scene.scaling.originalLength = 4096;
        const auto firstPair = [&] { return sceneLadders(scene)->scaled.ladder.inverseFrequency[0]; };
        scene.length.target = 4096;
        QVERIFY(firstPair() == 1.0L / 1.5L);
        scene.length.target = 4097;
        QVERIFY(firstPair() == 1.0L / 3.0L);
        scene.scaling.longRopeList = LongRopeList::always_short;
        QVERIFY(firstPair() == 1.0L / 1.5L);
        scene.scaling.longRopeList = LongRopeList::always_long;
        scene.length.target = 1;
        QVERIFY(firstPair() == 1.0L / 3.0L);
    }

    void longRopeListOfTheWrongLengthIsRefusedWithBothLengths() {
        Scene scene = sceneWith("longrope");
        scene.scaling.longFactors.pop_back();
        const std::string message = messageOf(scene);
        QVERIFY2(message.find("63") != std::string::npos && message.find("64") != std::string::npos,
                 message.c_str());
    }

    void llama3WithEqualFactorsIsAStepAndNeverNan() {
        for (const double turns : {1.0, 4.0}) {
            Scene scene = sceneWith("llama3");
            scene.scaling.lowFrequencyFactor = scene.scaling.highFrequencyFactor = turns;
            const auto ladders = sceneLadders(scene);
            const auto& kept = ladders->scaled.keptShare;
            QVERIFY(std::ranges::all_of(kept, [](double share) { return share == 0.0 || share == 1.0; }));
            QVERIFY(std::ranges::is_sorted(kept, std::greater{}));
        }
        // A pair exactly at the step: theta = 1 gives every pair the same wavelength of 2π tokens.
        Scene exact = sceneWith("llama3");
        exact.rope.theta = 1.0;
        exact.scaling.lowFrequencyFactor = exact.scaling.highFrequencyFactor = 0.5 / std::acos(-1.0);
        exact.length.trained = 1;
        QVERIFY(allFinite(sceneLadders(exact)->scaled.keptShare));
    }

    void equalBetasAreAStepInBothRamps() {
        for (const YarnRamp ramp : {YarnRamp::code, YarnRamp::paper}) {
            Scene scene = sceneWith("yarn");
            scene.scaling.betaFast = scene.scaling.betaSlow = 8.0;
            scene.scaling.truncate = false;
            scene.scaling.ramp = ramp;
            const auto ladders = sceneLadders(scene);
            const auto& kept = ladders->scaled.keptShare;
            QVERIFY(std::ranges::all_of(kept, [](double share) { return share == 0.0 || share == 1.0; }));
            QVERIFY(std::ranges::is_sorted(kept, std::greater{}));
            QVERIFY(kept.front() == 1.0 && kept.back() == 0.0);
        }
    }

    void shortOriginalLengthClampsTheRampToPairZero() {
        Scene scene = sceneWith("yarn");
        scene.scaling.originalLength = 128;  // below 2π · 32
        const auto ladders = sceneLadders(scene);
        QVERIFY(ladders->scaled.range->rawLow < 0.0);
        QCOMPARE(ladders->scaled.range->low, 0.0);
        QVERIFY(ladders->scaled.keptShare[1] < 1.0);
    }

    void everyScalingAnswersOrRefusesAcrossTheHardLimits() {
        for (const auto& scaling : scalings()) {
            for (const double theta : {1e-6, 0.5, 1.0, 2.0, 1e12}) {
                for (const int width : {2, 4, 8, 1024}) {
                    for (const double factor : {1.0, 1.5, 1e6}) {
                        for (const std::int64_t length : {std::int64_t{1}, std::int64_t{1} << 31}) {
                            Scene scene = sceneWith(scaling.id, width);
                            scene.rope.theta = theta;
                            scene.scaling.factor = factor;
                            scene.length = {.trained = length, .target = std::int64_t{1} << 31};
                            const auto ladders = sceneLadders(scene);
                            if (!ladders) {
                                QVERIFY(!ladders.error().message.empty());
                                continue;
                            }
                            const Ladder& ladder = ladders->scaled.ladder;
                            QCOMPARE(ladder.inverseFrequency.size(), static_cast<std::size_t>(width / 2));
                            QVERIFY(std::ranges::all_of(ladder.inverseFrequency, [](long double frequency) {
                                return std::isfinite(frequency) && frequency >= 0.0L;
                            }));
                            QVERIFY(allFinite(ladders->scaled.keptShare));
                            QVERIFY(std::isfinite(ladder.attentionFactor));
                        }
                    }
                }
            }
        }
    }

    void whatCannotBeComputedIsRefusedWithTheValueSeen() {
        QCOMPARE(messageOf(sceneWith("ntk", 2)),
                 "NTK-aware scaling needs a rotary width of 4 or more, got 2: its exponent is r/(r-2).");
        QVERIFY(messageOf(sceneWith("dynamic_ntk", 2)).find("got 2") != std::string::npos);
        Scene scene = sceneWith("yarn");
        scene.rope.theta = 1.0;
        QVERIFY(messageOf(scene).find("got 1") != std::string::npos);
        scene.rope.theta = -10000.0;
        QCOMPARE(messageOf(scene), "rope.theta must be finite and above 0, got -10000.");
        scene.rope.theta = std::nan("");
        QVERIFY(messageOf(scene).find("nan") != std::string::npos);
        scene = sceneWith("linear");
        scene.scaling.factor = 0.25;
        QCOMPARE(messageOf(scene), "scaling.factor must be finite and 1 or more, got 0.25.");
        scene = sceneWith("none");
        scene.rope.dim = 19;
        QVERIFY(messageOf(scene).find("got 19") != std::string::npos);
        scene.scaling.method = "spiral";
        QVERIFY(messageOf(scene).find("spiral") != std::string::npos);
    }

    void registryIsInTheOrderOfTheContract() {
        std::vector<std::string> ids;
        for (const auto& scaling : scalings()) {
            ids.push_back(scaling.id);
            QVERIFY(!scaling.label.empty() && !scaling.help.empty() && !scaling.formula.empty() &&
                    !scaling.source.empty());
        }
        QVERIFY((ids == std::vector<std::string>{"none", "linear", "ntk", "dynamic_ntk", "yarn", "longrope",
                                                 "llama3", "proportional"}));
    }
};

QTEST_GUILESS_MAIN(LadderTest)
#include "ladder_test.moc"
