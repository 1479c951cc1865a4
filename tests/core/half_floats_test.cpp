#include <QTest>

#include <bit>
#include <cmath>
#include <cstdint>

#include <Eigen/Core>

#include "core/import/half_floats.h"

using phaseladder::bfloat16ToDouble;
using phaseladder::halfToDouble;

namespace {

bool isSame(double value, double expected) {
    return std::isnan(expected)
               ? std::isnan(value)
               : std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(expected);
}

}  // namespace

class HalfFloatsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void halvesHaveTheValuesOfTheStandard() {
        QCOMPARE(halfToDouble(0x3C00), 1.0);
        QCOMPARE(halfToDouble(0xC000), -2.0);
        QCOMPARE(halfToDouble(0x3555), 0.333251953125);
        QCOMPARE(halfToDouble(0x7BFF), 65504.0);
        QCOMPARE(halfToDouble(0x0400), 0x1p-14);
        QCOMPARE(halfToDouble(0x03FF), 1023 * 0x1p-24);
        QCOMPARE(halfToDouble(0x0001), 0x1p-24);
        QCOMPARE(halfToDouble(0x8001), -0x1p-24);
        QVERIFY(isSame(halfToDouble(0x8000), -0.0));
        QVERIFY(isSame(halfToDouble(0x7C00), HUGE_VAL));
        QVERIFY(isSame(halfToDouble(0xFC00), -HUGE_VAL));
        QVERIFY(std::isnan(halfToDouble(0x7E00)) && std::isnan(halfToDouble(0xFC01)));
    }

    void bfloat16IsTheUpperHalfOfASingle() {
        QCOMPARE(bfloat16ToDouble(0x3F80), 1.0);
        QCOMPARE(bfloat16ToDouble(0xC049), -3.140625);
        QCOMPARE(bfloat16ToDouble(0x0001), 0x1p-133);
        QCOMPARE(bfloat16ToDouble(0x7F7F), 0x1.FEp127);
        QVERIFY(isSame(bfloat16ToDouble(0x8000), -0.0));
        QVERIFY(isSame(bfloat16ToDouble(0xFF80), -HUGE_VAL));
        QVERIFY(std::isnan(bfloat16ToDouble(0x7FC0)));
    }

    void allBitPatternsAgreeWithEigen() {
        for (std::uint32_t pattern = 0; pattern <= 0xFFFF; ++pattern) {
            const auto bits = static_cast<std::uint16_t>(pattern);
            const double half = static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits));
            const double brain = static_cast<float>(Eigen::numext::bit_cast<Eigen::bfloat16>(bits));
            QVERIFY2(isSame(halfToDouble(bits), half), qPrintable(QString::number(bits, 16)));
            QVERIFY2(isSame(bfloat16ToDouble(bits), brain), qPrintable(QString::number(bits, 16)));
        }
    }
};

QTEST_APPLESS_MAIN(HalfFloatsTest)
#include "half_floats_test.moc"
