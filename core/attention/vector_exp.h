#pragma once

#include <bit>
#include <cstdint>

namespace phaseladder {

/// e^x in single precision, in operations that a compiler turns into vectors: within 2 units in the last
/// place for -87.3 ≤ x ≤ 88, exactly 0 below (so of -inf), NaN of NaN; no use above 88.
[[nodiscard]] inline float vectorExp(float x) {
    constexpr float lowest = -87.33f;  // below, the result would be subnormal
    constexpr float log2OfE = 1.44269504f;
    constexpr float ln2High = 0.693359375f, ln2Low = -2.12194440e-4f;
    constexpr float roundingShift = 12582912.0f;  // 1.5 · 2^23: a sum with it has no place for a fraction
    const float inRange = x < lowest ? lowest : x;
    const float shifted = inRange * log2OfE + roundingShift;
    const float power = shifted - roundingShift;  // x = power · ln 2 + rest
    const float rest = (inRange - power * ln2High) - power * ln2Low;
    // The series of e^rest, |rest| ≤ ln 2 / 2, with the coefficients of Cephes' expf (S. Moshier).
    float series = 1.9875691500e-4f;
    series = series * rest + 1.3981999507e-3f;
    series = series * rest + 8.3334519073e-3f;
    series = series * rest + 4.1665795894e-2f;
    series = series * rest + 1.6666665459e-1f;
    series = series * rest + 5.0000001201e-1f;
    series = series * (rest * rest) + rest + 1.0f;
    // The shifted number's lowest bits are the power itself; as an exponent it is moved by the bias.
    const auto exponent = std::bit_cast<std::uint32_t>(shifted) + 127U;
    const float result = series * std::bit_cast<float>(exponent << 23);
    return x < lowest ? 0.0f : result;
}

}  // namespace phaseladder
