#include "core/attention/score_tiles.h"

#include <algorithm>
#include <cmath>

#include "core/attention/packed_product.h"
#include "core/attention/relative_rows.h"
#include "core/attention/vector_exp.h"
#include "core/index.h"

namespace phaseladder {
namespace {

static_assert(packetRows % PackedProduct::panelRows == 0 && tileKeys % PackedProduct::groupKeys == 0);

constexpr float largestExponent = 88.0f;  // what grows more belongs to scores that are masked

Eigen::RowVectorXf floats(const std::vector<double>& numbers) {
    return asRow(numbers).cast<float>();
}

void addTo(float* to, const float* numbers, std::int64_t count) {
#pragma omp simd
    for (std::int64_t at = 0; at < count; ++at) {
        to[at] += numbers[at];
    }
}

}  // namespace

void ScoreTiles::setRows(const TileProblem& problem, std::span<const std::int64_t> rows) {
    m_problem = &problem;
    const auto count = static_cast<std::int64_t>(rows.size());
    m_paddedRows = (count + packetRows - 1) / packetRows * packetRows;
    m_positions.resize(index(m_paddedRows));
    m_visible.resize(index(m_paddedRows));
    for (std::int64_t at = 0; at < m_paddedRows; ++at) {
        const std::int64_t row = rows[index(std::min(at, count - 1))];
        m_positions[index(at)] = problem.queryPosition(row);
        m_visible[index(at)] = static_cast<std::int32_t>(problem.visibleKeys(row));
    }
    const auto [least, most] = std::ranges::minmax(m_visible);
    m_leastVisible = least;
    m_mostVisible = most;
    m_areNeighbours = rows.back() - rows.front() == count - 1;

    const HeadRows& queries = problem.problem->queries;
    m_turned.resize(m_paddedRows, queries.cols());
    for (std::int64_t at = 0; at < count;) {
        // Rows that follow each other are turned at once.
        std::int64_t end = at + 1;
        while (end < count && rows[index(end)] == rows[index(end - 1)] + 1) {
            ++end;
        }
        problem.turner.copyTurned(queries, rows[index(at)], rows[index(at)] + end - at,
                                  problem.problem->queryStart, m_turned.row(at).data());
        at = end;
    }
    for (std::int64_t at = count; at < m_paddedRows; ++at) {
        m_turned.row(at) = m_turned.row(count - 1);
    }
    m_queries = m_turned;
    const EncodingPlan& plan = problem.problem->plan;
    if (plan.queryOffsets) {
        m_queries.rowwise() += floats(plan.queryOffsets->content);
    }
    if (plan.relativeKeys) {
        m_positionQueries = m_turned;
        for (std::int64_t channel = 0; channel < m_turned.cols() && !problem.growth.empty(); ++channel) {
            for (std::int64_t at = 0; at < m_paddedRows; ++at) {
                const std::int64_t distance = m_positions[index(at)] - plan.rotation->growthCentre;
                m_positionQueries(at, channel) *= static_cast<float>(
                    std::exp(problem.growth[index(channel)] * static_cast<double>(distance)));
            }
        }
        if (plan.queryOffsets) {
            m_positionQueries.rowwise() += floats(plan.queryOffsets->position);
        }
    }
    PackedProduct::packQueries(m_queries, m_packedQueries);
    m_scores.resize(m_paddedRows, tileKeys);
}

float* ScoreTiles::compute(std::int64_t begin, std::int64_t end, float masked) {
    if (!m_problem->growth.empty()) {
        growQueries(begin);
        PackedProduct::packQueries(m_queries, m_packedQueries);
    }
    // Whole groups of keys, which the padding of the keys allows: all scores go the same way.
    const std::int64_t group = PackedProduct::groupKeys;
    // Relative vectors are added before the scale, so that both products are rounded by it once.
    const bool isScaledLater = m_problem->problem->plan.relativeKeys.has_value();
    PackedProduct::multiply(isScaledLater ? 1.0f : m_problem->scale, m_packedQueries,
                            m_problem->packedKeys(begin), (end - begin + group - 1) / group * group,
                            m_scores.data());
    if (m_problem->problem->plan.relativeKeys) {
        addRelativeKeys(begin, end);
        m_scores.leftCols(end - begin) *= m_problem->scale;
    }
    if (!m_problem->scoreBias.empty()) {
        addScoreBias(begin, end);
    }
    if (end > m_leastVisible) {
        mask(begin, end, masked);
    }
    return m_scores.data();
}

/// Queries as they meet the keys of a tile, whose growth is 1 in the tile's middle.
void ScoreTiles::growQueries(std::int64_t firstKey) {
    const EncodingPlan& plan = m_problem->problem->plan;
    const std::int64_t centre = m_problem->tileCentre(firstKey);
    for (std::int64_t channel = 0; channel < m_queries.cols(); ++channel) {
        const double growth = m_problem->growth[index(channel)];
        float* column = m_queries.col(channel).data();
        for (std::int64_t at = 0; at < m_paddedRows; ++at) {
            const auto distance = static_cast<double>(m_positions[index(at)] - centre);
            const float exponent = std::min(static_cast<float>(growth * distance), largestExponent);
            column[at] = m_turned(at, channel) * vectorExp(exponent);
        }
        if (plan.queryOffsets) {
            // u does not grow, but the keys of this tile lack what they grew from the centre of all.
            const auto distance = static_cast<double>(plan.rotation->growthCentre - centre);
            const double offset = plan.queryOffsets->content[index(channel)] * std::exp(growth * distance);
            m_queries.col(channel).array() += static_cast<float>(offset);
        }
    }
}

void ScoreTiles::addScoreBias(std::int64_t begin, std::int64_t end) {
    const std::int64_t lastKey = m_problem->problem->keys.rows() - 1;
    for (std::int64_t key = begin; key < end; ++key) {
        // The bias of row i is at i - key + last key, so that of neighbours is read in a row.
        const float* bias = m_problem->scoreBias.data() + (lastKey - key);
        float* scores = m_scores.col(key - begin).data();
        const std::int64_t firstRow = m_positions[0] - m_problem->problem->queryStart;
        if (m_areNeighbours && firstRow + m_paddedRows <= m_problem->problem->queries.rows()) {
            addTo(scores, bias + firstRow, m_paddedRows);
            continue;
        }
        for (std::int64_t at = 0; at < m_paddedRows; ++at) {
            scores[at] += bias[m_positions[index(at)] - m_problem->problem->queryStart];
        }
    }
}

void ScoreTiles::addRelativeKeys(std::int64_t begin, std::int64_t end) {
    // Rows far from each other meet other relative vectors: together only while they share most of them.
    for (std::int64_t first = 0; first < m_paddedRows;) {
        std::int64_t last = first + 1;
        while (last < m_paddedRows && m_positions[index(last)] - m_positions[index(first)] <= tileKeys) {
            ++last;
        }
        addRelativeKeys(begin, end, first, last);
        first = last;
    }
}

void ScoreTiles::addRelativeKeys(std::int64_t begin, std::int64_t end, std::int64_t firstRow,
                                 std::int64_t endRow) {
    const RelativeVectors& vectors = *m_problem->problem->plan.relativeKeys;
    const std::int64_t firstKey = m_problem->keyPosition(begin), lastKey = m_problem->keyPosition(end - 1);
    const Eigen::Index low = relativeRow(vectors, firstKey - m_positions[index(endRow - 1)]);
    const Eigen::Index high = relativeRow(vectors, lastKey - m_positions[index(firstRow)]);
    const std::int64_t rows = endRow - firstRow;
    const Eigen::Index met = high - low + 1;
    m_relative.setZero((met + 3) / 4 * 4, m_queries.cols());
    m_relative.topRows(met) = relativeMatrix(vectors).middleRows(low, met).cast<float>();
    m_products.noalias() = m_positionQueries.middleRows(firstRow, rows) * m_relative.transpose();
    for (std::int64_t key = begin; key < end; ++key) {
        float* scores = m_scores.col(key - begin).data() + firstRow;
        if (low == high) {
            addTo(scores, m_products.data(), rows);
            continue;
        }
        for (std::int64_t at = 0; at < rows; ++at) {
            const std::int64_t offset = m_problem->keyPosition(key) - m_positions[index(firstRow + at)];
            scores[at] += m_products(at, relativeRow(vectors, offset) - low);
        }
    }
}

void ScoreTiles::mask(std::int64_t tileBegin, std::int64_t end, float masked) {
    for (std::int64_t key = std::max(tileBegin, m_leastVisible); key < end; ++key) {
        float* scores = m_scores.col(key - tileBegin).data();
        const std::int32_t* visible = m_visible.data();
        const auto shown = static_cast<std::int32_t>(key);
#pragma omp simd
        for (std::int64_t at = 0; at < m_paddedRows; ++at) {
            scores[at] = shown < visible[at] ? scores[at] : masked;
        }
    }
}

}  // namespace phaseladder
