#include "core/ladder/ladder.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace phaseladder {

Ladder plainLadder(double theta, int rotaryDim) {
    assert(theta > 0.0 && rotaryDim >= 2 && rotaryDim % 2 == 0);
    Ladder ladder;
    ladder.inverseFrequency.reserve(static_cast<std::size_t>(rotaryDim / 2));
    for (int pair = 0; pair < rotaryDim / 2; ++pair) {
        const long double exponent = -2.0L * pair / rotaryDim;
        ladder.inverseFrequency.push_back(std::pow(static_cast<long double>(theta), exponent));
    }
    return ladder;
}

double wavelengthTokens(long double inverseFrequency) {
    if (inverseFrequency == 0.0L) {
        return std::numeric_limits<double>::infinity();
    }
    return static_cast<double>(2.0L * std::numbers::pi_v<long double> / inverseFrequency);
}

double longestWavelength(const Ladder& ladder) {
    double longest = std::numeric_limits<double>::quiet_NaN();
    for (const long double frequency : ladder.inverseFrequency) {
        const double wavelength = wavelengthTokens(frequency);
        if (std::isfinite(wavelength) && !(wavelength <= longest)) {
            longest = wavelength;
        }
    }
    return longest;
}

int pairsBeyond(const Ladder& ladder, double lengthTokens) {
    return static_cast<int>(std::ranges::count_if(ladder.inverseFrequency, [&](long double frequency) {
        return wavelengthTokens(frequency) > lengthTokens;
    }));
}

}  // namespace phaseladder
