#include "core/phase/cos_sin_table.h"

#include <algorithm>
#include <cassert>

namespace phaseladder {
namespace {

constexpr std::int64_t finePositions = 512;

/// cos and sin of positions 0, step, 2·step ...: rows × pairs, row-major.
void fillTable(std::span<const std::uint64_t> turnsPerToken, std::int64_t rows, std::int64_t step,
               std::vector<float>& cosine, std::vector<float>& sine) {
    const std::size_t pairs = turnsPerToken.size();
    cosine.resize(static_cast<std::size_t>(rows) * pairs);
    sine.resize(cosine.size());
#pragma omp parallel for schedule(static)
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const CosSin value = cosSin(phaseOf(turnsPerToken[pair], static_cast<std::uint64_t>(row * step)));
            const std::size_t at = static_cast<std::size_t>(row) * pairs + pair;
            cosine[at] = static_cast<float>(value.cosine);
            sine[at] = static_cast<float>(value.sine);
        }
    }
}

/// Sum of two angles: (c1 + i s1)(c2 + i s2).
void joinRows(const float* coarseCosine, const float* coarseSine, const float* fineCosine,
              const float* fineSine, int pairs, float* cosine, float* sine) {
#pragma omp simd
    for (int pair = 0; pair < pairs; ++pair) {
        cosine[pair] = coarseCosine[pair] * fineCosine[pair] - coarseSine[pair] * fineSine[pair];
        sine[pair] = coarseSine[pair] * fineCosine[pair] + coarseCosine[pair] * fineSine[pair];
    }
}

}  // namespace

CosSinTable::CosSinTable(std::span<const std::uint64_t> turnsPerToken, std::int64_t positions)
    : m_positions(positions), m_pairs(static_cast<int>(turnsPerToken.size())) {
    assert(positions >= 0);
    const std::int64_t coarse = (positions + finePositions - 1) / finePositions;
    fillTable(turnsPerToken, coarse, finePositions, m_coarseCosine, m_coarseSine);
    fillTable(turnsPerToken, std::min(positions, finePositions), 1, m_fineCosine, m_fineSine);
}

void CosSinTable::row(std::int64_t position, float* cosine, float* sine) const {
    assert(position >= 0 && position < m_positions);
    const auto coarse = static_cast<std::size_t>(position / finePositions * m_pairs);
    const auto fine = static_cast<std::size_t>(position % finePositions * m_pairs);
    joinRows(m_coarseCosine.data() + coarse, m_coarseSine.data() + coarse, m_fineCosine.data() + fine,
             m_fineSine.data() + fine, m_pairs, cosine, sine);
}

void CosSinTable::fill(std::span<float> cosine, std::span<float> sine) const {
    assert(cosine.size() == static_cast<std::size_t>(m_positions * m_pairs) && sine.size() == cosine.size());
#pragma omp parallel for schedule(static)
    for (std::int64_t position = 0; position < m_positions; ++position) {
        row(position, cosine.data() + position * m_pairs, sine.data() + position * m_pairs);
    }
}

}  // namespace phaseladder
