#include <QTest>

#include <string>
#include <vector>

#include "core/parameter.h"
#include "core/scene.h"

using phaseladder::LongRopeList;
using phaseladder::originalLength;
using phaseladder::rotaryDim;
using phaseladder::Scene;
using phaseladder::sceneNotes;
using phaseladder::sentencesOf;
using phaseladder::sequenceLength;
using phaseladder::tokenAtPosition;
using phaseladder::tokenLabels;
using phaseladder::validate;

namespace {

bool says(const std::string& message, std::string_view part) {
    return message.find(part) != std::string::npos;
}

std::string refusal(const Scene& scene) {
    const auto valid = validate(scene);
    return valid ? std::string() : valid.error().message;
}

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) {
        text += sentence + "\n";
    }
    return text;
}

std::string notes(const Scene& scene) {
    return joined(sentencesOf(sceneNotes(scene).notes));
}
std::string warnings(const Scene& scene) {
    return joined(sentencesOf(sceneNotes(scene).warnings));
}

Scene yarnScene() {
    Scene scene;
    scene.scaling.method = "yarn";
    return scene;
}

Scene longRopeScene() {
    Scene scene;
    scene.scaling.method = "longrope";
    scene.scaling.shortFactors.assign(32, 1.0);
    scene.scaling.longFactors.assign(32, 4.0);
    return scene;
}

}  // namespace

class SceneTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTextIsTheOrderedTokensRepeated() {
        Scene scene;
        QCOMPARE(sequenceLength(scene), std::int64_t{3});
        scene.order = {2, 0, 1};
        scene.textLength = 7;
        QCOMPARE(sequenceLength(scene), std::int64_t{7});
        std::vector<std::int64_t> tokens;
        for (std::int64_t position = 0; position < sequenceLength(scene); ++position) {
            tokens.push_back(tokenAtPosition(scene, position));
        }
        QCOMPARE(tokens, (std::vector<std::int64_t>{2, 0, 1, 2, 0, 1, 2}));
        scene.textLength = 2;
        QCOMPARE(sequenceLength(scene), std::int64_t{2});
    }

    void aSceneWithoutTokensIsValidAndEmptyAtAnyLength() {
        Scene scene;
        scene.tokens.clear();
        QCOMPARE(refusal(scene), std::string());
        QCOMPARE(sequenceLength(scene), std::int64_t{0});
        scene.textLength = 100;
        QCOMPARE(sequenceLength(scene), std::int64_t{0});
        QVERIFY(tokenLabels(scene).empty());
    }

    void repeatedTokensGetSubscripts() {
        Scene scene;
        scene.tokens = {"the", "dog", "the", "man", "the"};
        QCOMPARE(tokenLabels(scene), (std::vector<std::string>{"the₁", "dog", "the₂", "man", "the₃"}));
        scene.tokens = std::vector<std::string>(12, "a");
        QCOMPARE(tokenLabels(scene).back(), std::string("a₁₂"));
    }

    void labelsShowWhatWouldBeInvisible() {
        Scene scene;
        scene.tokens = {std::string("a\0b", 3), "", " ", "\n", "\x7f", "a b"};
        QCOMPARE(tokenLabels(scene), (std::vector<std::string>{"a␀b", "∅", "␠", "␊", "␡", "a b"}));
    }

    void joinedEmojiAndStackedMarksStayOneLabel() {
        std::string stacked = "e";
        for (int mark = 0; mark < 200; ++mark) {
            stacked += "\u0301";
        }
        Scene scene;
        scene.tokens = {"👨‍👩‍👧", "🇩🇪", stacked};
        QCOMPARE(scene.tokens, tokenLabels(scene));
    }

    void onlyRightToLeftTokensAreIsolated() {
        Scene scene;
        scene.tokens = {"dog", "שלום", "مرحبا", "naïve", "日本", "שלום"};
        QCOMPARE(tokenLabels(scene),
                 (std::vector<std::string>{"dog", "\u2068שלום\u2069₁", "\u2068مرحبا\u2069", "naïve", "日本",
                                           "\u2068שלום\u2069₂"}));
    }

    void theRotaryWidthIsTruncatedAsHuggingFaceDoes() {
        Scene scene;
        QCOMPARE(rotaryDim(scene), 64);
        scene.headDim = 80;
        scene.rope.partial = 0.4;
        QCOMPARE(rotaryDim(scene), 32);
        scene.headDim = 128;
        scene.rope.partial = 0.3;
        QCOMPARE(rotaryDim(scene), 38);
        scene.rope.dim = 64;
        QCOMPARE(rotaryDim(scene), 64);
        scene.scaling.method = "proportional";
        QCOMPARE(rotaryDim(scene), 128);
    }

    void anOddRotaryWidthNamesItselfAndItsSource() {
        Scene scene;
        scene.rope.partial = 0.3;
        const std::string message = refusal(scene);
        QVERIFY2(says(message,
                      "19.2 channels (head_dim 64 × rope.partial 0.3), cut to 19; must be even (18 or 20)."),
                 message.c_str());
    }

    void threeQuartersOfFourChannelsAreRefused() {  // case D03
        Scene scene;
        scene.headDim = 4;
        scene.rope.partial = 0.75;
        const std::string message = refusal(scene);
        QVERIFY2(says(message, "r is 3 channels (head_dim 4 × rope.partial 0.75); must be even (2 or 4)."),
                 message.c_str());
    }

    void aHeadOfThreeChannelsIsRefusedAndFourSuggested() {  // case D09: d_model 12, 4 heads
        Scene scene;
        scene.headDim = 3;
        QVERIFY2(says(refusal(scene), "must be even (got 3); try 2 or 4."), refusal(scene).c_str());
    }

    void aRotaryWidthOfNothingOrAboveTheHeadIsRefused() {
        Scene scene;
        scene.rope.partial = 0.01;
        QVERIFY2(says(refusal(scene), "0.64 channels") && says(refusal(scene), "cut to 0; must be 2..64"),
                 refusal(scene).c_str());
        scene = Scene();
        scene.rope.dim = 128;
        QVERIFY2(says(refusal(scene), "r = 128 (rope.dim 128) must be at most head_dim 64"),
                 refusal(scene).c_str());
    }

    void anEvenCutWidthIsAcceptedWithANote() {
        Scene scene;
        scene.headDim = 128;
        scene.rope.partial = 0.3;
        QCOMPARE(refusal(scene), std::string());
        QVERIFY2(says(notes(scene), "38.4 channels (head_dim 128 × rope.partial 0.3), cut to 38."),
                 notes(scene).c_str());
        QCOMPARE(notes(Scene()), std::string());
    }

    void ntkNeedsMoreThanOnePair() {
        Scene scene;
        scene.headDim = 2;
        for (const char* method : {"ntk", "dynamic_ntk"}) {
            scene.scaling.method = method;
            QVERIFY2(says(refusal(scene), "at least 4 (got 2, from head_dim 2 × rope.partial 1)"),
                     refusal(scene).c_str());
        }
        scene.scaling.method = "linear";
        QCOMPARE(refusal(scene), std::string());
    }

    void thetaOneIsANoteAndRefusedUnderYarn() {
        Scene scene;
        scene.rope.theta = 1.0;
        QCOMPARE(refusal(scene), std::string());
        QVERIFY(says(notes(scene), "all pairs rotate at the same speed"));
        scene.scaling.method = "yarn";
        QVERIFY(says(refusal(scene), "rope.theta must not be 1 under yarn (got 1)"));
    }

    void thetaBelowOneIsAWarning() {
        Scene scene;
        scene.rope.theta = 0.5;
        QCOMPARE(refusal(scene), std::string());
        QVERIFY(says(warnings(scene), "below 1 (0.5)"));
    }

    void longRopeListsMustHoldOneFactorAPair() {
        QCOMPARE(refusal(longRopeScene()), std::string());
        Scene scene = longRopeScene();
        scene.scaling.longFactors.pop_back();
        QVERIFY2(says(refusal(scene), "scaling.long_factors holds 31 numbers; longrope needs 32"),
                 refusal(scene).c_str());
        scene.scaling.longRopeList = LongRopeList::always_short;
        QCOMPARE(refusal(scene), std::string());
        scene = longRopeScene();
        scene.scaling.shortFactors.clear();
        QVERIFY2(says(refusal(scene), "holds 0 numbers") && says(refusal(scene), "open a model"),
                 refusal(scene).c_str());
        scene = longRopeScene();
        scene.scaling.shortFactors[3] = 0.0;
        QVERIFY2(says(refusal(scene), "scaling.short_factors[3] must be > 0 (got 0)"),
                 refusal(scene).c_str());
        scene = longRopeScene();
        scene.scaling.originalLength = 1;
        QVERIFY(says(refusal(scene), "must be ≥ 2 under longrope (got 1)"));
    }

    void theShownHeadMustExist() {
        Scene scene;
        scene.heads = 4;
        scene.head = 3;
        QCOMPARE(refusal(scene), std::string());
        scene.head = 4;
        QVERIFY2(says(refusal(scene), "head must be 0..3 with heads = 4 (got 4)."), refusal(scene).c_str());
    }

    void valuesOutsideTheTableAreInvalidHoweverTheyCame() {
        Scene scene;
        scene.rope.theta = -1.0;
        QVERIFY(says(refusal(scene), "rope.theta must be > 0 (got -1)"));
        scene = Scene();
        scene.encoding = "spiral";
        QVERIFY(says(refusal(scene),
                     "encoding must be one of none, learned, sinusoidal, relative_bias, shaw, t5, alibi, "
                     "transformer_xl, rope, xpos; got 'spiral'"));
    }

    void positionsShownEndWithinThirtyOneBits() {
        Scene scene;
        scene.view.start = 2147483647;
        scene.view.positions = 1;
        QCOMPARE(refusal(scene), std::string());
        scene.view.positions = 2;
        QVERIFY(says(refusal(scene), "must be at most 2 147 483 648 (got 2147483649)"));
    }

    void aTargetBelowTheTrainedLengthNeedsNoExtension() {
        Scene scene = yarnScene();
        scene.length.target = 1024;
        QCOMPARE(refusal(scene), std::string());
        QVERIFY(
            says(notes(scene), "New length 1024 is shorter than training length 2048; no extension needed."));
    }

    void aStatedFactorThatTheLengthsContradictIsNoted() {  // case A03
        Scene scene = yarnScene();
        scene.length.trained = 32768;
        scene.length.target = 40960;
        QVERIFY2(says(notes(scene), "Factor 4 is used; the lengths say 1.25 (40960 / 32768)."),
                 notes(scene).c_str());
        scene.length.target = 131072;
        QCOMPARE(notes(scene), std::string());
        scene.length.target = 32768;
        QCOMPARE(notes(scene), std::string());
    }

    void equalAndSwappedBetasAreWarnings() {  // case B10
        Scene scene = yarnScene();
        scene.scaling.betaFast = scene.scaling.betaSlow = 8;
        QVERIFY(says(warnings(scene), "Ramp width is zero") && says(warnings(scene), "switch abruptly"));
        scene.scaling.betaFast = 1;
        scene.scaling.betaSlow = 32;
        QCOMPARE(refusal(scene), std::string());
        QCOMPARE(warnings(scene), std::string("beta_fast must be larger than beta_slow (1 < 32).\n"));
        scene.scaling.method = "none";
        QCOMPARE(warnings(scene), std::string());
    }

    void aLengthInWhichNoPairTurnsOftenEnoughIsNoted() {
        Scene scene = yarnScene();
        scene.scaling.originalLength = 201;  // 2π · 32 = 201.06
        scene.length.target = 804;
        QVERIFY2(says(notes(scene), "No pair is kept by its turns: within 201 tokens"), notes(scene).c_str());
        scene.scaling.originalLength = 202;
        QVERIFY(!says(notes(scene), "No pair is kept"));
    }

    void oneMscaleAloneIsNoted() {
        Scene scene = yarnScene();
        scene.scaling.mscale = 0.707;
        QVERIFY(says(notes(scene), "Only one of mscale and mscale_all_dim is set"));
        scene.scaling.mscaleAllDim = 0.707;
        QCOMPARE(notes(scene), std::string());
    }

    void withoutRotationThereIsNothingToNote() {
        Scene scene = yarnScene();
        scene.encoding = "none";
        scene.rope.theta = 0.5;
        scene.length.target = 100;
        QCOMPARE(notes(scene) + warnings(scene), std::string());
    }

    void choicesThatXposHasMadeAreSaid() {
        Scene scene;
        scene.encoding = "xpos";
        QCOMPARE(notes(scene), std::string());
        scene.rope.layout = phaseladder::RopeLayout::interleaved;
        scene.rope.axes = phaseladder::RopeAxes::vision_2d;
        QVERIFY(notes(scene).find("rope.layout is not read under xPos") != std::string::npos);
        QVERIFY(notes(scene).find("rope.axes is not read under xPos") != std::string::npos);
    }

    void aLargestDistanceWithinTheExactBucketsIsSaid() {
        Scene scene;
        scene.encoding = "t5";
        scene.t5.buckets = 32;  // both directions: 16 each, distances 0 .. 7 have their own
        scene.t5.maximumDistance = 9;
        QCOMPARE(notes(scene), std::string());
        scene.t5.maximumDistance = 8;
        QVERIFY(notes(scene).find("t5.max_distance 8 has no effect: distances below 8 have a bucket each") !=
                std::string::npos);
        scene.t5.maximumDistance = 16;
        QCOMPARE(notes(scene), std::string());
        scene.causal = true;  // one direction: distances 0 .. 15
        QVERIFY(notes(scene).find("It acts above 16.") != std::string::npos);
    }

    void everyNoteNamesTheRowThatItIsAbout() {
        std::vector<Scene> scenes(6, yarnScene());
        scenes[0].rope.theta = 0.5;
        scenes[1].scaling.betaFast = 0.5;
        scenes[2].length.target = 16;
        scenes[3].scaling.mscaleAllDim = 1.0;
        scenes[4].scaling.method = "proportional";
        scenes[4].rope.dim = 32;
        scenes[5].rope.partial = 0.51;
        const std::vector<std::string> ids{"rope.theta",    "scaling.beta_fast",
                                           "length.target", "scaling.mscale_all_dim",
                                           "rope.dim",      "rope.partial"};
        for (std::size_t index = 0; index < scenes.size(); ++index) {
            const phaseladder::SceneNotes about = sceneNotes(scenes[index]);
            bool isNamed = false;
            for (const auto* notes : {&about.notes, &about.warnings}) {
                for (const phaseladder::SceneNote& note : *notes) {
                    QVERIFY2(phaseladder::findParameter(note.parameterId) != nullptr, note.sentence.c_str());
                    isNamed = isNamed || note.parameterId == ids[index];
                }
            }
            QVERIFY2(isNamed, ids[index].c_str());
        }
    }
};

QTEST_APPLESS_MAIN(SceneTest)
#include "scene_test.moc"
