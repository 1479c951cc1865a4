#include <QTest>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/number_text.h"
#include "core/random.h"

using phaseladder::formatForPeople;
using phaseladder::formatGrouped;
using phaseladder::formatNumber;
using phaseladder::parseNumber;

class NumberTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersAreReadAsPeopleTypeThem_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("value");
        const auto row = [](const char* text, double value) {
            QTest::newRow(text) << QByteArray(text) << value;
        };
        row("1e6", 1e6);
        row("1000000", 1e6);
        row("1 000 000", 1e6);
        row("1_000_000", 1e6);
        row("1\u2009000\u2009000", 1e6);
        row("1\u202f000 000", 1e6);
        row("500k", 5e5);
        row("8M", 8e6);
        row("1.5k", 1500.0);
        row("2^20", 1048576.0);
        row("2^2^3", 256.0);
        row("10^-2", 0.01);
        row("1/4", 0.25);
        row("1 / 4", 0.25);
        row("2*pi", 2 * std::numbers::pi);
        row("2*π", 2 * std::numbers::pi);
        row("-2^2", -4.0);
        row("+7", 7.0);
        row("\u22123", -3.0);
        row(".5", 0.5);
        row("  42 ", 42.0);
        row("inf", std::numeric_limits<double>::infinity());
        row("-Infinity", -std::numeric_limits<double>::infinity());
    }

    void numbersAreReadAsPeopleTypeThem() {
        QFETCH(QByteArray, text);
        QFETCH(double, value);
        const auto read = parseNumber(text.toStdString());
        QVERIFY2(read.has_value(), text.constData());
        QCOMPARE(*read, value);
    }

    void thousandsAreSetApartInOneWay() {
        using phaseladder::groupedDigits;
        QCOMPARE(formatGrouped(std::uint64_t{10000}), std::string("10 000"));
        QCOMPARE(formatGrouped(-4194304), std::string("-4 194 304"));
        QCOMPARE(formatGrouped(std::size_t{9999}), std::string("9999"));
        QCOMPARE(groupedDigits("999", ",", 4), std::string("999"));
        QCOMPARE(groupedDigits("1024", ",", 4), std::string("1,024"));
        QCOMPARE(groupedDigits("-131072.25", ","), std::string("-131,072.25"));
        QCOMPARE(groupedDigits("100000", ","), std::string("100,000"));
        QCOMPARE(groupedDigits("-inf", ",", 1), std::string("-inf"));
        QCOMPARE(groupedDigits("", ","), std::string());
    }

    void notANumberIsReadAsSuch() { QVERIFY(std::isnan(parseNumber("NaN").value())); }

    void otherTextsAreRefusedAndQuoted_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"", " ", "ten", "1,5", "1 2", "1 0000", "5 apples", "2^", "/4", "--3",
                                 "1e400", "1e", "0x10", "1..2", "pi pi", "k", "1\n2"}) {
            QTest::newRow(text) << QByteArray(text);
        }
    }

    void otherTextsAreRefusedAndQuoted() {
        QFETCH(QByteArray, text);
        const auto read = parseNumber(text.toStdString());
        QVERIFY(!read.has_value());
        QVERIFY(read.error().message.starts_with('\''));
        QVERIFY(read.error().message.find('\n') == std::string::npos);
    }

    void plainNumbersHaveNoExponent() {
        QCOMPARE(formatNumber(1000000.0), std::string("1000000"));
        QCOMPARE(formatNumber(0.1), std::string("0.1"));
        QCOMPARE(formatNumber(-0.00001), std::string("-0.00001"));
        QCOMPARE(formatNumber(1e12), std::string("1000000000000"));
        QCOMPARE(formatNumber(std::numeric_limits<double>::infinity()), std::string("inf"));
        QCOMPARE(formatNumber(-std::numeric_limits<double>::infinity()), std::string("-inf"));
        QCOMPARE(formatNumber(std::numeric_limits<double>::quiet_NaN()), std::string("nan"));
    }

    void everyDoubleReadsBackToTheSameBits() {
        phaseladder::Random random(7);
        for (int count = 0; count < 20000; ++count) {
            const double value = std::bit_cast<double>(random.bits());
            if (std::isfinite(value) && std::fpclassify(value) != FP_SUBNORMAL) {
                const auto read = parseNumber(formatNumber(value));
                QVERIFY2(read.has_value() && *read == value, formatNumber(value).c_str());
            }
        }
        QCOMPARE(parseNumber(formatNumber(std::numeric_limits<double>::max())).value(),
                 std::numeric_limits<double>::max());
    }

    void peopleSeeEveryWholeDigitAndGroupsOfThree() {
        QCOMPARE(formatForPeople(500000.0), std::string("500\u2009000"));
        QCOMPARE(formatForPeople(131072.0), std::string("131\u2009072"));
        QCOMPARE(formatForPeople(9999.0), std::string("9999"));
        QCOMPARE(formatForPeople(-1234567.0), std::string("-1\u2009234\u2009567"));
        QCOMPARE(formatForPeople(1.138629436), std::string("1.1386"));
        QCOMPARE(formatForPeople(0.25), std::string("0.25"));
        QCOMPARE(formatForPeople(4.0), std::string("4"));
        QCOMPARE(formatForPeople(2.45514079113e-06), std::string("2.4551e-6"));
        QCOMPARE(formatForPeople(1e300), std::string("1e300"));
        QCOMPARE(formatForPeople(0.0), std::string("0"));
        QCOMPARE(formatForPeople(-0.0), std::string("0"));
    }

    void messagesUsePlainSpaces() {
        QCOMPARE(formatGrouped(4194304.0), std::string("4 194 304"));
        QCOMPARE(formatGrouped(1024.0), std::string("1024"));
    }
};

QTEST_APPLESS_MAIN(NumberTextTest)
#include "number_text_test.moc"
