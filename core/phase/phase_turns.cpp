#include "core/phase/phase_turns.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phaseladder {
namespace {

/// W of one frequency. A frequency above one turn a token (theta below 1) keeps its fraction of a turn only,
/// which is all that a phase needs.
std::uint64_t turnsPerToken(long double inverseFrequency) {
    const long double turns = inverseFrequency / (2.0L * std::numbers::pi_v<long double>);
    const long double scaled = std::round(std::ldexp(turns - std::floor(turns), 64));
    return scaled >= 0x1p64L ? 0 : static_cast<std::uint64_t>(scaled);
}

}  // namespace

std::vector<std::uint64_t> phaseTurns(const Ladder& ladder) {
    std::vector<std::uint64_t> turns(ladder.inverseFrequency.size());
    std::ranges::transform(ladder.inverseFrequency, turns.begin(), turnsPerToken);
    return turns;
}

double phaseRadians(std::uint64_t turns) {
    constexpr double twoPi = 2.0 * std::numbers::pi;
    const double radians = static_cast<double>(turns) * 0x1p-64 * twoPi;
    return radians < twoPi ? radians : std::nextafter(twoPi, 0.0);
}

CosSin cosSin(std::uint64_t turns) {
    // The nearest quarter turn, and the signed rest of at most an eighth of a turn.
    const std::uint64_t quarter = (turns + (std::uint64_t{1} << 61)) >> 62;
    const auto rest = static_cast<std::int64_t>(turns - (quarter << 62));
    const double angle = static_cast<double>(rest) * 0x1p-64 * 2.0 * std::numbers::pi;
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    switch (quarter) {
        case 1:
            return {-sine, cosine};
        case 2:
            return {-cosine, -sine};
        case 3:
            return {sine, -cosine};
        default:
            return {cosine, sine};
    }
}

}  // namespace phaseladder
