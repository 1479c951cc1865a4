#pragma once

#include <cstdint>
#include <vector>

#include "core/ladder/ladder.h"

namespace phaseladder {

/// W = round(ω/2π · 2^64) per pair: a full turn is 2^64, so the phase of position p is the product p·W, which
/// wraps by itself. Exact to about 1e-14 rad at p = 131,072; the same integer multiply on any device.
[[nodiscard]] std::vector<std::uint64_t> phaseTurns(const Ladder& ladder);

/// Phase of position p in turns of 2^64.
[[nodiscard]] inline std::uint64_t phaseOf(std::uint64_t turnsPerToken, std::uint64_t position) {
    return turnsPerToken * position;
}

/// In [0, 2π).
[[nodiscard]] double phaseRadians(std::uint64_t turns);

/// cos and sin of a phase, from the signed nearest fraction of a turn (no range reduction error).
struct CosSin {
    double cosine = 1.0;
    double sine = 0.0;
};
[[nodiscard]] CosSin cosSin(std::uint64_t turns);

}  // namespace phaseladder
