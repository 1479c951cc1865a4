#pragma once

#include <cstdint>

namespace phaseladder {

/// The value of an IEEE 754 binary16 number given by its bits: 1 sign, 5 exponent (bias 15), 10 fraction.
/// Every one is a double exactly; infinities and NaN stay what they are.
[[nodiscard]] double halfToDouble(std::uint16_t bits);

/// The value of a bfloat16 number given by its bits: the upper half of an IEEE 754 binary32 number.
[[nodiscard]] double bfloat16ToDouble(std::uint16_t bits);

}  // namespace phaseladder
