#include <QTest>

#include <clocale>
#include <locale>
#include <string>

#include "core/attention/permutations.h"
#include "core/parameter.h"
#include "core/random.h"
#include "core/scene_json.h"

using phaseladder::Choice;
using phaseladder::ErrorKind;
using phaseladder::findParameter;
using phaseladder::Parameter;
using phaseladder::ParameterKind;
using phaseladder::parameters;
using phaseladder::parseValue;
using phaseladder::Random;
using phaseladder::readScene;
using phaseladder::reversedOrder;
using phaseladder::RopeLayout;
using phaseladder::Scene;
using phaseladder::setParameter;
using phaseladder::validate;
using phaseladder::ViewBy;
using phaseladder::writeScene;

namespace {

bool says(const std::string& message, std::string_view part) {
    return message.find(part) != std::string::npos;
}

std::string refusal(std::string_view text) {
    const auto read = readScene(text);
    return read ? std::string() : read.error().message;
}

/// A file with the version and these members.
std::string file(const std::string& members) {
    return "{\"phaseladder\": 1, " + members + "}";
}

Scene unusualScene() {
    Scene scene;
    scene.tokens = {"New York", "", "\"\\\n", std::string("\0", 1), "ü😀"};
    scene.order = {4, 3, 2, 1, 0};
    scene.textLength = 16777216;
    scene.seed = 4294967295;
    scene.rope.theta = 0.1 + 0.2;
    scene.rope.layout = RopeLayout::interleaved;
    scene.scaling.method = "yarn";
    scene.scaling.factor = 1.0 / 3.0 + 1.0;
    scene.scaling.truncate = false;
    scene.scaling.attentionFactor = 1.138629436111989;
    scene.scaling.shortFactors = {1.0, 1.0000000000000002};
    scene.length.target = 2147483648;
    scene.causal = true;
    scene.view.by = ViewBy::token;
    scene.model = "Phi-3.5 \"mini\"";
    return scene;
}

}  // namespace

class SceneJsonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theVersionComesFirstAndThenEveryRowInOrder() {
        const std::string text = writeScene(Scene());
        QVERIFY(text.starts_with("{\n  \"phaseladder\": 1,\n  \"encoding\": \"rope\",\n"));
        QVERIFY(text.ends_with("\n}\n"));
        QVERIFY(says(text, "\n  \"rope.theta\": 10000,\n"));
        QVERIFY(says(text, "\n  \"tokens\": [\"dog\", \"bites\", \"man\"],\n"));
        std::size_t at = 0;
        for (const Parameter& row : parameters()) {
            const std::size_t found = text.find("\"" + row.id + "\": ", at);
            QVERIFY2(found != std::string::npos, row.id.c_str());
            at = found;
        }
    }

    void readingAndWritingAgainGivesTheSameBytes() {
        for (const Scene& scene : {Scene(), unusualScene()}) {
            const std::string text = writeScene(scene);
            const auto read = readScene(text);
            QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
            QVERIFY(read->scene == scene);
            QVERIFY(read->warnings.empty());
            QCOMPARE(writeScene(read->scene), text);
        }
    }

    void everyRowCarriesBothBoundsThroughAFile() {
        for (const Parameter& row : parameters()) {
            if (row.kind != ParameterKind::number && row.kind != ParameterKind::integer) {
                continue;
            }
            const double lowest = row.minimumExcluded ? row.hardMinimum + 1e-9 : row.hardMinimum;
            for (const double value : {lowest, row.hardMaximum}) {
                Scene scene;
                QVERIFY2(setParameter(scene, row, value).has_value(), row.id.c_str());
                const auto read = readScene(writeScene(scene));
                if (validate(scene)) {
                    QVERIFY2(read.has_value() && read->scene == scene, row.id.c_str());
                } else {
                    QVERIFY2(read.error().message == validate(scene).error().message, row.id.c_str());
                }
            }
        }
    }

    void everyChoiceCarriesThroughAFile() {
        for (const Parameter& row : parameters()) {
            for (const Choice& choice : row.choices) {
                Scene scene;
                scene.scaling.shortFactors.assign(32, 1.0);
                scene.scaling.longFactors.assign(32, 4.0);
                QVERIFY2(setParameter(scene, row, choice.id).has_value(), choice.id.c_str());
                const auto read = readScene(writeScene(scene));
                QVERIFY2(read.has_value() && read->scene == scene, choice.id.c_str());
            }
        }
    }

    void whatIsMissingOrNullKeepsItsDefault() {
        QVERIFY(readScene("{\"phaseladder\": 1}")->scene == Scene());
        QVERIFY(readScene(file("\"rope.theta\": null"))->scene == Scene());
        QCOMPARE(readScene(file("\"rope.theta\": 5e5"))->scene.rope.theta, 5e5);
        QCOMPARE(readScene("{\"rope.theta\": 7, \"phaseladder\": 1}")->scene.rope.theta, 7.0);
    }

    void theOrderIsReadAfterTheTokensWhereverItStands() {
        const auto read = readScene(file("\"order\": [1, 0], \"tokens\": [\"a\", \"b\"]"));
        QCOMPARE(read->scene.order, (std::vector<int>{1, 0}));
    }

    void aSceneCutOffAnywhereIsIncomplete() {
        const std::string text = writeScene(unusualScene());
        for (std::size_t size = 0; size + 2 < text.size(); ++size) {
            const std::string message = refusal(std::string_view(text).substr(0, size));
            QVERIFY2(says(message, "incomplete (JSON ends at byte " + std::to_string(size) + ")"),
                     message.c_str());
            QVERIFY(says(message, "Nothing was changed."));
        }
    }

    void deepNestingAndDuplicateKeysAreRefused() {
        QVERIFY(says(refusal(file("\"x\": " + std::string(100'000, '['))), "deeper than 64 levels at byte "));
        QVERIFY(says(refusal("{\"phaseladder\": 1,\n\"rope.theta\": 1,\n\n\"rope.theta\": 2}"),
                     "Key 'rope.theta' appears twice (lines 2, 4)."));
    }

    void anUnknownKeyIsAWarningWithTheNearestId() {
        const auto read = readScene(file("\"tehta\": 5, \"rope.theta\": 7, \"nonsense\": 1"));
        QCOMPARE(read->scene.rope.theta, 7.0);
        QCOMPARE(read->warnings,
                 (std::vector<std::string>{"Unknown setting 'tehta' ignored; did you mean 'rope.theta'?",
                                           "Unknown setting 'nonsense' ignored."}));
    }

    void aFileFullOfUnknownKeysIsReadWithFewSentences() {
        std::string members = "\"k\": 0";
        for (int key = 0; key < 90'000; ++key) {
            members += ",\"key" + std::to_string(key) + "\":0";
        }
        const auto read = readScene(file(members));
        QVERIFY(read->warnings.size() < 30);
        QVERIFY(says(read->warnings.back(), "more unknown settings ignored"));
    }

    void aNewerVersionIsNotOpened() {
        const auto read = readScene("{\"phaseladder\": 99}");
        QVERIFY(read.error().kind == ErrorKind::invalidInput);
        QCOMPARE(read.error().message,
                 std::string("Written by a newer version (99); this one reads up to 1. Not opened."));
    }

    void otherFilesAreNoScenes() {
        for (const char* text : {"[]", "7", "\"phaseladder\"", "{}", "{\"model_type\": \"llama\"}"}) {
            QVERIFY2(says(refusal(text), "Not a scene of Phaseladder"), text);
        }
        for (const char* text :
             {"{\"phaseladder\": 0}", "{\"phaseladder\": \"1\"}", "{\"phaseladder\": 1.5}"}) {
            QVERIFY2(says(refusal(text), "'phaseladder' must be a version from 1 to 1"), text);
        }
        QVERIFY(says(refusal("<html>"), "Not valid JSON"));
    }

    void wrongTypesNameKeyValueAndWhatIsWanted() {
        QCOMPARE(refusal(file("\"rope.theta\": \"ten\"")),
                 std::string("rope.theta must be a finite number (got '\"ten\"')."));
        QVERIFY(
            says(refusal(file("\"rope.theta\": 1e400")), "'rope.theta' must be a finite number (got 1e400"));
        QVERIFY(says(refusal(file("\"head_dim\": true")), "head_dim must be a whole number (got 'true')."));
        QVERIFY(says(refusal(file("\"head_dim\": 64.5")), "head_dim must be a whole number (got 64.5)."));
        QVERIFY(says(refusal(file("\"causal\": 1")), "causal must be true or false (got '1')."));
        QVERIFY(says(refusal(file("\"encoding\": 3")), "encoding must be a text (got '3')."));
        QVERIFY(says(refusal(file("\"tokens\": \"dog\"")), "tokens must be a list of texts"));
        QVERIFY(says(refusal(file("\"tokens\": [1]")), "tokens must be a list of texts (got '[1]')."));
        QVERIFY(says(refusal(file("\"order\": [0, 1.5]")), "order must be a list of whole numbers"));
        QVERIFY(says(refusal(file("\"order\": [1e300]")), "order must be a list of whole numbers"));
        QVERIFY(says(refusal(file("\"scaling.long_factors\": {}")), "must be a list of numbers"));
        QVERIFY(readScene(file("\"scaling.factor\": 40")).has_value());
    }

    void valuesOutsideTheirLimitsAreAnInvalidInput() {
        for (const char* members : {"\"rope.theta\": 0", "\"head_dim\": 63", "\"rope.partial\": 0.3",
                                    "\"order\": [1, 2, 2]", "\"encoding\": \"spiral\"", "\"heads\": 0"}) {
            const auto read = readScene(file(members));
            QVERIFY2(!read.has_value() && read.error().kind == ErrorKind::invalidInput, members);
        }
    }

    void swappedBetasInAFileAreAWarning() {  // case B10
        const auto read = readScene(file("\"scaling.beta_fast\": 1, \"scaling.beta_slow\": 32"));
        QCOMPARE(read->scene.scaling.betaFast, 1.0);
        QCOMPARE(read->warnings,
                 (std::vector<std::string>{"beta_fast must be larger than beta_slow (1 < 32)."}));
    }

    void aMillionTokensSaveAndOpen() {
        Scene scene;
        scene.tokens = std::vector<std::string>(1u << 20, "ab");
        scene.order = reversedOrder(1 << 20);
        const auto read = readScene(writeScene(scene));
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QVERIFY(read->scene == scene);
    }

    void filesAboveSixteenMebibytesAreRefused() {
        QVERIFY(
            says(refusal(std::string((16u << 20) + 1, ' ')), "16 777 217 bytes; the limit is 16 777 216"));
    }

    void damagedFilesAreReadOrRefusedInOneLine() {
        const std::string text = writeScene(unusualScene());
        Random random(11);
        int read = 0;
        for (int round = 0; round < 3'000; ++round) {
            std::string damaged = text;
            for (std::uint64_t change = 0; change <= random.below(3); ++change) {
                const std::size_t at = random.below(damaged.size());
                switch (random.below(4)) {
                    case 0:
                        damaged[at] = static_cast<char>(random.below(256));
                        break;
                    case 1:
                        damaged.erase(at, 1 + random.below(20));
                        break;
                    case 2:
                        damaged.insert(at, damaged.substr(random.below(damaged.size()), random.below(40)));
                        break;
                    default:
                        damaged.insert(at, 1, "{}[],:\"\\0-e"[random.below(12)]);
                        break;
                }
            }
            const auto result = readScene(damaged);
            if (result) {
                ++read;
                const std::string again = writeScene(result->scene);
                QVERIFY2(writeScene(readScene(again).value().scene) == again, damaged.c_str());
            } else {
                QVERIFY2(!result.error().message.empty() && !says(result.error().message, "\n"),
                         damaged.c_str());
            }
        }
        QVERIFY(read > 0);
    }

    void noLocaleChangesAFile() {
        const std::string text = writeScene(unusualScene());
        const std::string before = std::setlocale(LC_ALL, nullptr);
        const bool german = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
        struct GermanNumbers : std::numpunct<char> {
            char do_decimal_point() const override { return ','; }
            char do_thousands_sep() const override { return '.'; }
            std::string do_grouping() const override { return "\3"; }
        };
        const std::locale old = std::locale::global(std::locale(std::locale::classic(), new GermanNumbers));
        const std::string written = writeScene(unusualScene());
        const auto read = readScene(text);
        const auto typed = parseValue(*findParameter("rope.theta"), "0.5");
        std::locale::global(old);
        std::setlocale(LC_ALL, before.c_str());
        qInfo("de_DE %s", german ? "tried" : "is not installed; a locale of our own was tried");
        QCOMPARE(written, text);
        QVERIFY(read.has_value() && read->scene == unusualScene());
        QVERIFY(std::get<double>(typed.value()) == 0.5);
    }
};

QTEST_APPLESS_MAIN(SceneJsonTest)
#include "scene_json_test.moc"
