#include <QTest>

#include <string>
#include <vector>

#include "core/import/text.h"

using phaseladder::byteText;
using phaseladder::checkUtf8;
using phaseladder::quotedText;
using phaseladder::readTokens;
using phaseladder::writeTokens;

namespace {

using Tokens = std::vector<std::string>;

bool says(const std::string& message, std::string_view part) {
    return message.find(part) != std::string::npos;
}

}  // namespace

class TextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsAreWhatStandsBetweenWhiteSpace() {
        QCOMPARE(readTokens("dog bites man")->tokens, (Tokens{"dog", "bites", "man"}));
        QCOMPARE(readTokens(" dog\t\r\n bites\u00a0man\u3000! \n")->tokens,
                 (Tokens{"dog", "bites", "man", "!"}));
        QCOMPARE(readTokens("\ufeffdog")->tokens, (Tokens{"dog"}));
    }

    void anEmptyTextAndOneOfSpacesHaveNoTokens() {
        QVERIFY(readTokens("")->tokens.empty());
        QVERIFY(readTokens(" \n\t ")->tokens.empty());
        QVERIFY(readTokens("[]")->tokens.empty());
    }

    void aListKeepsItsTextsAsTheyAre() {
        QCOMPARE(readTokens("[\" the\", \"\", \"a\\nb\", \"\\u0000\"]")->tokens,
                 (Tokens{" the", "", "a\nb", std::string(1, '\0')}));
    }

    void textInBracketsThatIsNoListIsWords() {
        QCOMPARE(readTokens("[1] Vaswani et al.")->tokens, (Tokens{"[1]", "Vaswani", "et", "al."}));
        QCOMPARE(readTokens("[Music] plays")->tokens, (Tokens{"[Music]", "plays"}));
    }

    void brokenListsAreRefused() {
        QVERIFY(says(readTokens("[\"dog\", \"bites").error().message, "JSON ends at byte 14"));
        QVERIFY(says(readTokens("[\"dog\", 7]").error().message, "item 1 of the list is '7'"));
    }

    void invalidBytesAreReplacedCountedAndPlaced() {
        const auto read = readTokens("dog bites man and \xff the cat \xc3");
        QCOMPARE(read->tokens.size(), std::size_t{8});
        QCOMPARE(read->tokens[4], std::string("\ufffd"));
        QCOMPARE(read->warnings, (Tokens{"Not valid UTF-8 at byte 18; replaced by U+FFFD (2 places)."}));
        QVERIFY(readTokens("dög 👨‍👩‍👧")->warnings.empty());
    }

    void onlyWellFormedUtf8Passes_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("replacements");
        const auto row = [](const char* name, const char* bytes, int replacements) {
            QTest::newRow(name) << QByteArray(bytes) << replacements;
        };
        row("last of two bytes", "\xdf\xbf", 0);
        row("first of three bytes", "\xe0\xa0\x80", 0);
        row("before the surrogates", "\xed\x9f\xbf", 0);
        row("after the surrogates", "\xee\x80\x80", 0);
        row("U+10FFFF", "\xf4\x8f\xbf\xbf", 0);
        row("lone high surrogate", "\xed\xa0\x80", 3);
        row("lone low surrogate", "\xed\xbf\xbf", 3);
        row("overlong slash", "\xc0\xaf", 2);
        row("overlong of three bytes", "\xe0\x80\xaf", 3);
        row("overlong of four bytes", "\xf0\x80\x80\xaf", 4);
        row("beyond U+10FFFF", "\xf4\x90\x80\x80", 4);
        row("five bytes", "\xf8\x88\x80\x80\x80", 5);
        row("lone continuation", "\x80", 1);
        row("cut after one of two", "\xc3", 1);
        row("cut after two of three", "\xe2\x82", 1);
        row("cut after three of four", "\xf0\x9f\x98", 1);
        row("cut by a letter", "\xe2\x82x", 1);
    }

    void onlyWellFormedUtf8Passes() {
        QFETCH(QByteArray, bytes);
        QFETCH(int, replacements);
        const auto checked = checkUtf8(bytes.toStdString());
        QCOMPARE(static_cast<int>(checked.replacements), replacements);
        QCOMPARE(QString::fromStdString(checked.text).count(QChar(0xfffd)), replacements);
        if (replacements == 0) {
            QCOMPARE(checked.text, bytes.toStdString());
        }
    }

    void textAboveFourMebibytesIsRefused() {
        QVERIFY(readTokens(std::string(phaseladder::maximumTextBytes, 'x')).has_value());
        const auto refused = readTokens(std::string(phaseladder::maximumTextBytes + 1, 'x'));
        QCOMPARE(refused.error().message, std::string("Text is 4 194 305 bytes; the limit is 4 194 304."));
    }

    void aMillionTokensAreReadAndMoreRefused() {
        std::string text;
        for (std::size_t count = 0; count < phaseladder::maximumTokens; ++count) {
            text += "a ";
        }
        QCOMPARE(readTokens(text)->tokens.size(), phaseladder::maximumTokens);
        QVERIFY(says(readTokens(text + "a").error().message, "1 048 577 tokens; the limit is 1 048 576"));
    }

    void aZeroByteAndJoinedEmojiStayInTheirToken() {
        const std::string text = std::string("a\0b", 3) + " 👨‍👩‍👧 🇩🇪";
        QCOMPARE(readTokens(text)->tokens.size(), std::size_t{3});
        QCOMPARE(readTokens(text)->tokens[0], std::string("a\0b", 3));
        QCOMPARE(readTokens(text)->tokens[1], std::string("👨‍👩‍👧"));
        QCOMPARE(readTokens(text)->tokens[2], std::string("🇩🇪"));
    }

    void writtenTokensReadBackTheSame() {
        const std::vector<Tokens> lists{{"dog", "bites", "man"},
                                        {},
                                        {""},
                                        {"New York", "x"},
                                        {"a\u00a0b"},
                                        {"[Music]", "plays"},
                                        {"the", "[mask]"},
                                        {"\"a\"", "\\", "é"},
                                        {"\ufeffa"},
                                        {std::string(1, '\0'), "x"}};
        for (const Tokens& tokens : lists) {
            const auto read = readTokens(writeTokens(tokens));
            QVERIFY2(read.has_value() && read->tokens == tokens, writeTokens(tokens).c_str());
        }
    }

    void quotesNeverBreakALineOrATerminal() {
        QCOMPARE(quotedText("a\nb\x1b[31m\x7f\xff\u0085"), std::string("'a\\nb\\x1b[31m\\x7f\\xff\\u0085'"));
        QCOMPARE(quotedText("naïve 😀"), std::string("'naïve 😀'"));
        QVERIFY(quotedText(std::string(1000, 'x')).size() < 80);
    }

    void bytesAreExactBelowAGibibyte() {
        QCOMPARE(byteText(0), std::string("0 B"));
        QCOMPARE(byteText(10'001), std::string("10 001 B"));
        QCOMPARE(byteText(8u << 20), std::string("8 MiB"));
        QCOMPARE(byteText((8u << 20) + 1), std::string("8 388 609 B"));
        QCOMPARE(byteText(1u << 30), std::string("1 GiB"));
        QCOMPARE(byteText(3u << 29), std::string("1.5 GiB"));
        QCOMPARE(byteText(std::uint64_t{32} << 30), std::string("32 GiB"));
        QCOMPARE(byteText(~std::uint64_t{0}), std::string("16.0 EiB"));
    }
};

QTEST_APPLESS_MAIN(TextTest)
#include "text_test.moc"
