#pragma once

#include <cstdint>
#include <string_view>

namespace phaseladder {

/// Portable generator (SplitMix64): the same numbers on every system; no std:: distributions.
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    [[nodiscard]] std::uint64_t bits();
    /// In [0, 1), 53 bits.
    [[nodiscard]] double uniform();
    /// Standard normal (Box-Muller).
    [[nodiscard]] double normal();
    /// In 0 .. count-1 without bias; count > 0.
    [[nodiscard]] std::uint64_t below(std::uint64_t count);

private:
    std::uint64_t m_state;
    double m_spare = 0.0;
    bool m_hasSpare = false;
};

/// A stream of its own for each purpose: mixes a seed, a name ("W_q", a token's text) and an index.
[[nodiscard]] std::uint64_t streamSeed(std::uint64_t seed, std::string_view name, std::uint64_t index = 0);

}  // namespace phaseladder
