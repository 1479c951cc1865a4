#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/phase/phase_turns.h"

namespace phaseladder {

/// cos and sin of any position through two small tables, p = 512·a + b, joined by one complex multiply.
/// float32, error ≤ 5e-7.
class CosSinTable {
public:
    /// Covers positions 0 .. positions-1. Cost: (512 + positions/512) × pairs cosines, not positions × pairs.
    CosSinTable(std::span<const std::uint64_t> turnsPerToken, std::int64_t positions);

    [[nodiscard]] std::int64_t positions() const { return m_positions; }
    [[nodiscard]] int pairs() const { return m_pairs; }

    /// Writes pairs() cosines and sines of one position; 0 ≤ position < positions().
    void row(std::int64_t position, float* cosine, float* sine) const;

    /// All rows: cosine and sine are positions × pairs, row-major. Rows run over the OpenMP threads.
    void fill(std::span<float> cosine, std::span<float> sine) const;

private:
    std::int64_t m_positions = 0;
    int m_pairs = 0;
    std::vector<float> m_coarseCosine, m_coarseSine;  // ceil(positions/512) × pairs
    std::vector<float> m_fineCosine, m_fineSine;      // 512 × pairs
};

}  // namespace phaseladder
