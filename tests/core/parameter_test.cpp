#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/import/text.h"
#include "core/parameter.h"
#include "core/scene_json.h"

using phaseladder::applySettings;
using phaseladder::checkParameter;
using phaseladder::Choice;
using phaseladder::ErrorKind;
using phaseladder::findParameter;
using phaseladder::formatValue;
using phaseladder::Parameter;
using phaseladder::ParameterKind;
using phaseladder::parameters;
using phaseladder::ParameterValue;
using phaseladder::parseValue;
using phaseladder::Result;
using phaseladder::Scene;
using phaseladder::setParameter;
using phaseladder::SliderScale;
using phaseladder::validate;
using phaseladder::YarnRamp;

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

bool says(const std::string& message, std::string_view part) {
    return message.find(part) != std::string::npos;
}

/// Why settings on the start-up scene are refused; empty when they are not.
std::string refusal(const Settings& settings) {
    const auto scene = applySettings(Scene(), settings);
    return scene ? std::string() : scene.error().message;
}

std::string refusal(const std::string& id, const std::string& value) {
    return refusal(Settings{{id, value}});
}

Scene applied(const Settings& settings) {
    const auto scene = applySettings(Scene(), settings);
    if (!scene) {
        qWarning("refused: %s", scene.error().message.c_str());
    }
    return scene.value();
}

/// The values that a row must carry through text and files: its default and both ends of what it allows.
std::vector<ParameterValue> edgeValues(const Parameter& row) {
    std::vector<ParameterValue> values{row.get(Scene())};
    switch (row.kind) {
        case ParameterKind::number:
            values.emplace_back(row.minimumExcluded
                                    ? std::nextafter(row.hardMinimum, row.hardMaximum) + 1e-300
                                    : row.hardMinimum);
            values.emplace_back(row.hardMaximum);
            values.emplace_back(row.hardMinimum + (row.hardMaximum - row.hardMinimum) / 3);
            break;
        case ParameterKind::integer:
            values.emplace_back(row.hardMinimum);
            values.emplace_back(row.hardMaximum);
            break;
        case ParameterKind::toggle:
            values.emplace_back(true);
            values.emplace_back(false);
            break;
        case ParameterKind::choice:
            for (const Choice& choice : row.choices) {
                values.emplace_back(choice.id);
            }
            break;
        case ParameterKind::tokens:
            values.emplace_back(std::vector<std::string>{});
            values.emplace_back(std::vector<std::string>{"New York", "", "\"ü\"", "[x]"});
            break;
        case ParameterKind::order:
            values.emplace_back(std::vector<int>{2, 0, 1});
            break;
        case ParameterKind::numberList:
            values.emplace_back(std::vector<double>{1.0, 1.0000000000000002, 64.8, row.hardMaximum});
            break;
        case ParameterKind::text:
            values.emplace_back(std::string("Phi-3.5 \"mini\" \\ ü 😀\n"));
            break;
    }
    return values;
}

}  // namespace

class ParameterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyIdOfTheContractHasARow() {
        for (const char* id : {"tokens",
                               "order",
                               "text.length",
                               "seed",
                               "encoding",
                               "causal",
                               "heads",
                               "head",
                               "head_dim",
                               "view.by",
                               "view.values",
                               "view.positions",
                               "view.start",
                               "layer_type",
                               "model",
                               "rope.theta",
                               "rope.dim",
                               "rope.layout",
                               "rope.partial",
                               "sinusoidal.layout",
                               "sinusoidal.spacing",
                               "scaling",
                               "scaling.factor",
                               "scaling.original_length",
                               "scaling.beta_fast",
                               "scaling.beta_slow",
                               "scaling.ramp",
                               "scaling.truncate",
                               "scaling.attention_factor",
                               "scaling.mscale",
                               "scaling.mscale_all_dim",
                               "scaling.softmax_multiplier",
                               "scaling.low_freq_factor",
                               "scaling.high_freq_factor",
                               "scaling.short_factors",
                               "scaling.long_factors",
                               "scaling.longrope_list",
                               "length.trained",
                               "length.target"}) {
            QVERIFY2(findParameter(id) != nullptr, id);
        }
    }

    void rowsAreCompleteAndInTheOrderOfTheirGroups() {
        const std::vector<std::string> groups{"Encoding", "Rotary", "Scaling", "Lengths",   "Attention",
                                              "Text",     "View",   "Model",   "Real heads"};
        std::set<std::string> ids;
        std::size_t group = 0;
        for (const Parameter& row : parameters()) {
            QVERIFY2(ids.insert(row.id).second, row.id.c_str());
            QVERIFY2(!row.label.empty() && !row.help.empty() && !row.source.empty(), row.id.c_str());
            QVERIFY2(row.help.ends_with('.') && row.help.find('\n') == std::string::npos, row.id.c_str());
            QVERIFY2(row.applies && row.get && row.set, row.id.c_str());
            while (group < groups.size() && groups[group] != row.group) {
                ++group;
            }
            QVERIFY2(group < groups.size(), row.id.c_str());
            QCOMPARE(row.kind == ParameterKind::choice, !row.choices.empty());
        }
    }

    void aListNamesTheNumberThatItRefusesAndTheLimit() {
        const Parameter& row = *findParameter("relative_bias.values");
        const auto said = [&row](const char* text) {
            const auto value = parseValue(row, text);
            const Result<void> checked = value ? checkParameter(row, *value) : tl::unexpected(value.error());
            return checked ? std::string() : checked.error().message;
        };
        QCOMPARE(said("0, -1e4, 1e4"), std::string());
        QCOMPARE(said("0,1,1e309"),
                 std::string("relative_bias.values[2] must be a number of -10 000..10 000 (got '1e309')."));
        QVERIFY(said("0,ten").find("relative_bias.values[1]") == 0);
        QCOMPARE(said("0,20000"), std::string("relative_bias.values[1] must be ≤ 10 000 (got 20000)."));
    }

    void lengthsAreOfferedForEveryEncoding() {
        for (const phaseladder::Choice& encoding : findParameter("encoding")->choices) {
            Scene scene;
            scene.encoding = encoding.id;
            QVERIFY(findParameter("length.trained")->applies(scene));
            QVERIFY(findParameter("length.target")->applies(scene));
        }
    }

    void slidersAndTicksLieWithinTheHardLimits() {
        for (const Parameter& row : parameters()) {
            if (row.scale == SliderScale::none) {
                continue;
            }
            QVERIFY2(row.hardMinimum <= row.sliderMinimum && row.sliderMinimum < row.sliderMaximum &&
                         row.sliderMaximum <= row.hardMaximum,
                     row.id.c_str());
            QVERIFY2(row.scale == SliderScale::linear || row.sliderMinimum > 0.0, row.id.c_str());
            QVERIFY2(row.ticks.size() >= 2 && std::is_sorted(row.ticks.begin(), row.ticks.end()),
                     row.id.c_str());
            QVERIFY2(row.ticks.front() >= row.sliderMinimum && row.ticks.back() <= row.sliderMaximum,
                     row.id.c_str());
        }
    }

    void theStartUpSceneIsTheContractsOne() {
        const std::vector<std::pair<std::string, std::string>> defaults{{"tokens", "dog bites man"},
                                                                        {"order", ""},
                                                                        {"text.length", "0"},
                                                                        {"seed", "1"},
                                                                        {"encoding", "rope"},
                                                                        {"causal", "false"},
                                                                        {"heads", "1"},
                                                                        {"head", "0"},
                                                                        {"head_dim", "64"},
                                                                        {"rope.theta", "10000"},
                                                                        {"rope.dim", "0"},
                                                                        {"rope.partial", "1"},
                                                                        {"rope.layout", "half"},
                                                                        {"scaling", "none"},
                                                                        {"scaling.factor", "4"},
                                                                        {"scaling.original_length", "0"},
                                                                        {"scaling.beta_fast", "32"},
                                                                        {"scaling.beta_slow", "1"},
                                                                        {"scaling.ramp", "code"},
                                                                        {"scaling.attention_factor", "0"},
                                                                        {"length.trained", "2048"},
                                                                        {"length.target", "8192"},
                                                                        {"layer_type", "full_attention"}};
        for (const auto& [id, text] : defaults) {
            const Parameter* row = findParameter(id);
            QVERIFY2(row != nullptr, id.c_str());
            QCOMPARE(formatValue(*row, row->get(Scene())), text);
        }
        QVERIFY(validate(Scene()).has_value());
    }

    void everyRowCarriesItsDefaultAndBothBoundsThroughText() {
        for (const Parameter& row : parameters()) {
            for (const ParameterValue& value : edgeValues(row)) {
                Scene scene;
                QVERIFY2(setParameter(scene, row, value).has_value(), row.id.c_str());
                QVERIFY2(row.get(scene) == value, row.id.c_str());
                const auto read = parseValue(row, formatValue(row, value));
                QVERIFY2(read.has_value() && *read == value, row.id.c_str());
            }
        }
    }

    void justOutsideABoundIsRefusedWithIdValueAndLimit() {
        for (const Parameter& row : parameters()) {
            if (row.kind != ParameterKind::number && row.kind != ParameterKind::integer) {
                continue;
            }
            const double below = row.minimumExcluded ? row.hardMinimum : row.hardMinimum - 1.0;
            for (const double value :
                 {below, row.hardMaximum + 1024.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
                Scene scene;
                const auto set = setParameter(scene, row, value);
                QVERIFY2(!set.has_value() && set.error().kind == ErrorKind::usage, row.id.c_str());
                QVERIFY2(says(set.error().message, row.id + " must be "), set.error().message.c_str());
                QVERIFY2(says(set.error().message, "(got "), set.error().message.c_str());
                QVERIFY2(scene == Scene(), row.id.c_str());
            }
        }
    }

    void aValueOfAnotherKindIsRefused() {
        for (const Parameter& row : parameters()) {
            Scene scene;
            const ParameterValue other =
                std::holds_alternative<bool>(row.get(scene)) ? ParameterValue(1.0) : ParameterValue(true);
            QVERIFY2(!setParameter(scene, row, other).has_value(), row.id.c_str());
            QVERIFY2(scene == Scene(), row.id.c_str());
        }
    }

    void settingsAreReadAsPeopleTypeThem() {
        QCOMPARE(applied({{"rope.theta", "1e6"}}).rope.theta, 1e6);
        QCOMPARE(applied({{"rope.theta", "500k"}}).rope.theta, 5e5);
        QCOMPARE(applied({{"length.target", "2^20"}}).length.target, std::int64_t{1048576});
        QCOMPARE(applied({{"rope.partial", "1/4"}}).rope.partial, 0.25);
        QCOMPARE(applied({{"causal", "on"}}).causal, true);
        QCOMPARE(applied({{"tokens", "the old dog"}}).tokens,
                 (std::vector<std::string>{"the", "old", "dog"}));
        QCOMPARE(applied({{"tokens", "[\"New York\", \"x\"]"}}).tokens,
                 (std::vector<std::string>{"New York", "x"}));
        QCOMPARE(applied({{"scaling.short_factors", "1, 2.5"}}).scaling.shortFactors,
                 (std::vector<double>{1, 2.5}));
        QCOMPARE(applied({{"scaling.factor", "40"}}).scaling.factor, 40.0);
    }

    void thetaZeroPointsToTheEncodingWithoutPositions() {
        const std::string message = refusal("rope.theta", "0");
        QVERIFY2(says(message, "rope.theta must be > 0 (got 0).") && says(message, "choose encoding none"),
                 message.c_str());
        QCOMPARE(refusal("rope.theta", "-10000"), std::string("rope.theta must be > 0 (got -10000)."));
    }

    void thetaMustBeAFiniteNumber() {
        for (const char* text : {"nan", "inf", "1e400", "ten", ""}) {
            const std::string message = refusal("rope.theta", text);
            QVERIFY2(says(message, "rope.theta must be a finite number (got ") && says(message, text),
                     message.c_str());
        }
    }

    void oddAndFarHeadWidthsAreRefused() {
        QCOMPARE(refusal("head_dim", "63"), std::string("head_dim must be even (got 63); try 62 or 64."));
        QCOMPARE(refusal("head_dim", "3"), std::string("head_dim must be even (got 3); try 2 or 4."));
        for (const char* text : {"0", "-2", "1026"}) {
            QCOMPARE(refusal("head_dim", text), "head_dim must be 2..1024 (got " + std::string(text) + ").");
        }
        QCOMPARE(refusal("head_dim", "64.5"), std::string("head_dim must be a whole number (got 64.5)."));
    }

    void aFactorBelowOneIsTakenForItsInverse() {
        QCOMPARE(refusal("scaling.factor", "0.25"),
                 std::string("scaling.factor must be ≥ 1 (got 0.25). For 4x extension enter 4."));
        QCOMPARE(refusal("scaling.factor", "0"), std::string("scaling.factor must be ≥ 1 (got 0)."));
    }

    void swappedBetasAreRefusedInSettingsOnly() {
        QVERIFY(says(refusal({{"scaling.beta_fast", "1"}, {"scaling.beta_slow", "32"}}),
                     "beta_fast must be larger than beta_slow (1 < 32)."));
        QCOMPARE(refusal({{"scaling.beta_slow", "64"}, {"scaling.beta_fast", "128"}}), std::string());
        QCOMPARE(refusal({{"scaling.beta_fast", "8"}, {"scaling.beta_slow", "8"}}), std::string());
        Scene file;
        file.scaling.betaFast = 1;
        file.scaling.betaSlow = 32;
        QVERIFY(applySettings(file, Settings{{"head_dim", "128"}}).has_value());
        QVERIFY(!applySettings(file, Settings{{"scaling.beta_fast", "2"}}).has_value());
    }

    void betasMustBePositive() {
        QCOMPARE(refusal("scaling.beta_slow", "0"), std::string("scaling.beta_slow must be > 0 (got 0)."));
        QCOMPARE(refusal("scaling.beta_slow", "-1"), std::string("scaling.beta_slow must be > 0 (got -1)."));
    }

    void aTextOfTwoToTheTwentyFifthTokensIsRefused() {
        QCOMPARE(refusal("text.length", "2^25"),
                 std::string("text.length must be 0..16 777 216 (got 33554432)."));
        QCOMPARE(refusal("text.length", "2^24"), std::string());
    }

    void ordersThatAreNoPermutationAreRefused() {
        QVERIFY(says(refusal("order", "1,2,2"), "Not a permutation of 0..2: 2 appears twice, 0 is missing."));
        QVERIFY(!refusal("order", "0,1").empty());
        QVERIFY(!refusal("order", "0,1,3").empty());
        for (const char* text : {"0,1.5,2", "0,,1", "0,1,", "a", "-1,0,1", "1e30", "nan,0,1"}) {
            QVERIFY2(says(refusal("order", text), "order must be"), text);
        }
    }

    void theOrderFollowsTheTokenCount() {
        QCOMPARE(applied({{"order", "2,0,1"}}).order, (std::vector<int>{2, 0, 1}));
        QCOMPARE(applied({{"order", "[2, 0, 1]"}}).order, (std::vector<int>{2, 0, 1}));
        QVERIFY(says(refusal({{"order", "2,0,1"}, {"tokens", "a b"}}), "permutation of 0..1"));
        QCOMPARE(applied({{"order", "2,0,1"}, {"tokens", "a b c"}}).order, (std::vector<int>{2, 0, 1}));
        QCOMPARE(applied({{"order", "3,2,1,0"}, {"tokens", "a b c d"}}).order,
                 (std::vector<int>{3, 2, 1, 0}));
    }

    void theIdentityIsNoOrderAtAll() {
        QCOMPARE(applied({{"order", "0,1,2"}}), Scene());
        QCOMPARE(applied({{"order", "2,1,0"}, {"order", ""}}), Scene());
        QCOMPARE(applied({{"order", "0,1"}, {"tokens", "a b"}}), applied({{"tokens", "a b"}}));
    }

    void unknownIdsAndChoicesNameTheNearestKnownOne() {
        QVERIFY(
            says(refusal("rope.tehta", "1"), "Unknown parameter 'rope.tehta' (did you mean 'rope.theta'?)"));
        QVERIFY(says(refusal("theta", "1"), "did you mean 'rope.theta'?"));
        QVERIFY(says(refusal("zzz", "1"), "Unknown parameter 'zzz'"));
        const std::string message = refusal("scaling", "yran");
        QVERIFY2(says(message, "scaling must be one of none, linear, ntk") &&
                     says(message, "did you mean 'yarn'?"),
                 message.c_str());
        QVERIFY(says(refusal("causal", "maybe"), "causal must be true or false (got 'maybe')."));
    }

    void settingsAreAllOrNothingAndInOrder() {
        QVERIFY(applySettings(Scene(), Settings{{"rope.theta", "5"}, {"head_dim", "63"}}).error().kind ==
                ErrorKind::usage);
        QCOMPARE(applied({{"head", "3"}, {"heads", "4"}}).head, 3);
        QCOMPARE(applied({{"rope.theta", "5"}, {"rope.theta", "6"}}).rope.theta, 6.0);
    }

    void refusalsAreOneLineWhateverWasTyped() {
        for (const Parameter& row : parameters()) {
            const std::string message = refusal(row.id, "a\nb\x1b[31m\xff");
            QVERIFY2(message.find('\n') == std::string::npos && message.find('\x1b') == std::string::npos,
                     row.id.c_str());
        }
        QVERIFY(refusal("a\nb", "1").find('\n') == std::string::npos);
    }

    void advancedRowsFoldOnlyWhileUnused() {
        const auto folded = [](const char* id, const Scene& scene) {
            return phaseladder::isFolded(*findParameter(id), scene);
        };
        Scene scene;
        scene.scaling.method = "yarn";
        for (const char* id :
             {"scaling.mscale", "scaling.mscale_all_dim", "scaling.softmax_multiplier", "scaling.truncate"}) {
            QVERIFY2(folded(id, scene), id);
        }
        QVERIFY(!folded("scaling.factor", scene) && !folded("scaling.beta_fast", scene));
        scene.scaling.truncate = false;
        QVERIFY(!folded("scaling.truncate", scene) && folded("scaling.mscale", scene));
        scene.scaling.mscale = 0.707;  // has an effect only together with the other slope
        QVERIFY(!folded("scaling.mscale", scene) && !folded("scaling.mscale_all_dim", scene));
        QVERIFY(folded("scaling.softmax_multiplier", scene));
    }

    void rowsApplyOnlyWhereTheyAreRead() {
        const auto applies = [](const char* id, const Scene& scene) {
            return findParameter(id)->applies(scene);
        };
        Scene scene;
        QVERIFY(applies("rope.theta", scene) && applies("rope.layout", scene) && applies("scaling", scene));
        QVERIFY(!applies("scaling.factor", scene) && !applies("sinusoidal.layout", scene));
        scene.scaling.method = "yarn";
        QVERIFY(applies("scaling.factor", scene) && applies("scaling.beta_fast", scene));
        QVERIFY(applies("scaling.mscale", scene) && applies("scaling.truncate", scene));
        QVERIFY(!applies("scaling.low_freq_factor", scene) && !applies("scaling.short_factors", scene));
        scene.scaling.ramp = YarnRamp::paper;
        QVERIFY(!applies("scaling.truncate", scene));
        scene.scaling.method = "llama3";
        QVERIFY(applies("scaling.low_freq_factor", scene) && !applies("scaling.beta_fast", scene));
        scene.encoding = "none";
        QVERIFY(!applies("scaling", scene) && !applies("scaling.factor", scene) &&
                !applies("rope.layout", scene));
        QVERIFY(applies("tokens", scene) && applies("causal", scene));
    }
};

QTEST_APPLESS_MAIN(ParameterTest)
#include "parameter_test.moc"
