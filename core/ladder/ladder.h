#pragma once

#include <vector>

namespace phaseladder {

/// Inverse frequencies in radians per token, fastest pair first, and the factor on cos and sin.
/// Long double, so that the 64-bit phase turns made from it are exact; the value shown is the double next to
/// it.
struct Ladder {
    std::vector<long double> inverseFrequency;  ///< r/2 pairs; 0 for a pair that does not turn
    double attentionFactor = 1.0;               ///< a: q·k is multiplied by a²
};

/// b^(-2k/r) for k = 0 .. r/2-1 (RoFormer eq. 15). theta > 0, rotaryDim even and ≥ 2.
[[nodiscard]] Ladder plainLadder(double theta, int rotaryDim);

/// 2π/ω in tokens; infinity for a pair that does not turn.
[[nodiscard]] double wavelengthTokens(long double inverseFrequency);

/// Wavelength of the slowest pair that turns, in tokens; NaN when none turns.
[[nodiscard]] double longestWavelength(const Ladder& ladder);

/// Number of pairs whose wavelength is above a length in tokens.
[[nodiscard]] int pairsBeyond(const Ladder& ladder, double lengthTokens);

}  // namespace phaseladder
