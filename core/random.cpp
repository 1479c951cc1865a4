#include "core/random.h"

#include <cmath>
#include <numbers>

namespace phaseladder {
namespace {

constexpr std::uint64_t goldenGamma = 0x9e3779b97f4a7c15ULL;

/// SplitMix64's output function: a bijection that spreads every input bit.
std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
}

}  // namespace

std::uint64_t Random::bits() {
    m_state += goldenGamma;
    return mix(m_state);
}

double Random::uniform() {
    return static_cast<double>(bits() >> 11) * 0x1p-53;
}

double Random::normal() {
    if (m_hasSpare) {
        m_hasSpare = false;
        return m_spare;
    }
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    m_spare = radius * std::sin(angle);
    m_hasSpare = true;
    return radius * std::cos(angle);
}

std::uint64_t Random::below(std::uint64_t count) {
    // The first 2^64 mod count values would make small results more frequent: draw again.
    const std::uint64_t unfair = (0 - count) % count;
    std::uint64_t drawn = bits();
    while (drawn < unfair) {
        drawn = bits();
    }
    return drawn % count;
}

std::uint64_t streamSeed(std::uint64_t seed, std::string_view name, std::uint64_t index) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
    for (const char character : name) {
        hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3ULL;
    }
    return mix(mix(mix(seed + goldenGamma) ^ hash) + index * goldenGamma);
}

}  // namespace phaseladder
