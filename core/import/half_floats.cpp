#include "core/import/half_floats.h"

#include <bit>
#include <cmath>

namespace phaseladder {

double halfToDouble(std::uint16_t bits) {
    constexpr std::uint64_t doubleBias = 1023, halfBias = 15, largestExponent = 31;
    const std::uint64_t sign = std::uint64_t{bits} >> 15;
    const std::uint64_t exponent = (bits >> 10) & 0x1Fu;
    const std::uint64_t fraction = bits & 0x3FFu;
    if (exponent == 0) {  // zero, or a subnormal number: a multiple of the smallest
        return std::copysign(static_cast<double>(fraction) * 0x1p-24, sign != 0 ? -1.0 : 1.0);
    }
    const std::uint64_t wide = exponent == largestExponent ? 2047 : exponent - halfBias + doubleBias;
    return std::bit_cast<double>((sign << 63) | (wide << 52) | (fraction << 42));
}

double bfloat16ToDouble(std::uint16_t bits) {
    return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16));
}

}  // namespace phaseladder
