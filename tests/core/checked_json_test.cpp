#include <QTest>

#include <string>

#include "core/import/checked_json.h"

using phaseladder::parseCheckedJson;

namespace {

constexpr std::size_t limit = 4u << 20;

std::string refusal(std::string_view text) {
    const auto parsed = parseCheckedJson(text, limit);
    return parsed ? std::string() : parsed.error().message;
}

bool says(const std::string& message, std::string_view part) {
    return message.find(part) != std::string::npos;
}

}  // namespace

class CheckedJsonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aValidTextKeepsValuesAndTheOrderOfKeys() {
        const auto parsed =
            parseCheckedJson(R"({"z": [1, -2, 2.5, true, null], "a": {"b": "ü\u0000"}})", limit);
        QVERIFY(parsed.has_value());
        QCOMPARE(parsed->dump(), std::string(R"({"z":[1,-2,2.5,true,null],"a":{"b":"ü\u0000"}})"));
    }

    void everyProperPrefixIsCutOffAtItsLastByte() {
        const std::string text = R"({"a": [1, -2.5e3, true, "ü\u00fc\n"], "b": {"c": null}})";
        for (std::size_t size = 0; size < text.size(); ++size) {
            const std::string message = refusal(text.substr(0, size));
            QVERIFY2(says(message, "JSON ends at byte " + std::to_string(size) + ")"), message.c_str());
        }
    }

    void otherMistakesNameLineAndByteAndAreNotTakenForACut() {
        QVERIFY(says(refusal("{\n\"a\": x}"), "line 2 (byte 7)"));
        for (const char* text : {"{\"a\": 1}}", "{\"a\": 1} x", "{'a': 1}", "[1,]", "{\"a\": 1,}", "[01]",
                                 "[.5]", "[\"\\q\"]", "[NaN]", "// note\n{}", "[\"\xff\"]"}) {
            const std::string message = refusal(text);
            QVERIFY2(says(message, "Not valid JSON") && says(message, "byte "), text);
            QVERIFY(message.find('\n') == std::string::npos);
        }
    }

    void aZeroByteIsNotTheEnd() {
        QVERIFY(says(refusal(std::string_view("{}\0{}", 5)), "byte"));
        QVERIFY(says(refusal(std::string_view("[\0]", 3)), "Not valid JSON"));
    }

    void nestingOfAHundredThousandLevelsIsRefusedAtTheFirstTooDeep() {
        QCOMPARE(refusal(std::string(100'000, '[')), std::string("Nested deeper than 64 levels at byte 64."));
    }

    void sixtyFourLevelsAreFine() {
        QCOMPARE(refusal(std::string(64, '[') + std::string(64, ']')), std::string());
        QVERIFY(says(refusal(std::string(65, '[') + std::string(65, ']')), "64 levels"));
    }

    void aKeyTwiceInOneObjectNamesBothLines() {
        const std::string text = "{\n\n\n\"theta\": 1,\n\"x\": {\"theta\": 2},\n\n\n\n\"theta\": 3}";
        QCOMPARE(refusal(text), std::string("Key 'theta' appears twice (lines 4, 9)."));
    }

    void numbersBeyondDoubleNameTheirKey() {
        const std::string message = refusal("{\"rope_theta\": 1e400}");
        QVERIFY2(says(message, "'rope_theta' must be a finite number (got 1e400"), message.c_str());
    }

    void sizesAreLimited() {
        QVERIFY(says(parseCheckedJson("[1, 2]", 5).error().message, "6 bytes; the limit is 5"));
        QVERIFY(says(parseCheckedJson("[1, 2]", limit, 2).error().message, "More than 2 values"));
        const std::string longText(1u << 20, 'x');
        QCOMPARE(refusal("[\"" + longText + "\"]"), std::string());
        QVERIFY(says(refusal("[\"" + longText + "x\"]"), "1 048 577 bytes long; the limit is 1 048 576"));
        QVERIFY(says(refusal("{\"" + longText + "x\": 1}"), "the limit is 1 048 576"));
    }

    void manyKeysOfOneObjectAreCheckedForDuplicates() {
        std::string text = "{";
        for (int key = 0; key < 99'000; ++key) {
            text += (key == 0 ? "\"" : ",\"") + std::to_string(key) + "\":0";
        }
        QCOMPARE(refusal(text + "}"), std::string());
    }

    void theErrorIsAnInvalidInput() {
        QVERIFY(parseCheckedJson("{", limit).error().kind == phaseladder::ErrorKind::invalidInput);
    }
};

QTEST_APPLESS_MAIN(CheckedJsonTest)
#include "checked_json_test.moc"
