#include "core/attention/turned_rows.h"

#include <algorithm>
#include <utility>

#include "core/attention/rotate.h"
#include "core/index.h"

namespace phaseladder {
namespace {

/// Positions for which tables are made; beyond, every angle is computed by itself.
constexpr std::int64_t mostTablePositions = std::int64_t{1} << 24;

/// Positions that the tables must cover, on all axes; 0 where one of them is not that of a table.
std::int64_t tablePositions(const PairRotation& rotation, std::int64_t lastPosition) {
    std::int64_t first = 0, last = lastPosition;
    if (!rotation.axisPositions.empty()) {
        const auto [least, most] = std::ranges::minmax(rotation.axisPositions);
        first = least;
        last = most;
    }
    return first < 0 || last >= mostTablePositions ? 0 : last + 1;
}

void turnHalves(float* row, const float* cosine, const float* sine, std::size_t pairs) {
    float* partner = row + pairs;
#pragma omp simd
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const float x = row[pair], y = partner[pair];
        row[pair] = x * cosine[pair] - y * sine[pair];
        partner[pair] = x * sine[pair] + y * cosine[pair];
    }
}

void turnNeighbours(float* row, const float* cosine, const float* sine, std::size_t pairs) {
#pragma omp simd
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const float x = row[2 * pair], y = row[2 * pair + 1];
        row[2 * pair] = x * cosine[pair] - y * sine[pair];
        row[2 * pair + 1] = x * sine[pair] + y * cosine[pair];
    }
}

}  // namespace

RowTurner::RowTurner(const std::optional<PairRotation>& rotation, std::int64_t lastPosition) {
    if (!rotation || rotation->turnsPerToken.empty()) {
        return;
    }
    m_rotation = &*rotation;
    if (const std::int64_t positions = tablePositions(*rotation, lastPosition); positions > 0) {
        m_table.emplace(rotation->turnsPerToken, positions);
    }
}

void RowTurner::setAngles(std::int64_t position, Angles& angles, Angles& scratch) const {
    const std::size_t pairs = m_rotation->turnsPerToken.size();
    angles.cosine.resize(pairs);
    angles.sine.resize(pairs);
    if (!m_table) {
        const std::vector<CosSin> exact = anglesAt(*m_rotation, position);
        std::ranges::transform(exact, angles.cosine.begin(), [](CosSin at) { return float(at.cosine); });
        std::ranges::transform(exact, angles.sine.begin(), [](CosSin at) { return float(at.sine); });
        return;
    }
    const std::size_t axes =
        m_rotation->axisPositions.empty() ? 1 : std::max<std::size_t>(m_rotation->axisNames.size(), 1);
    if (axes == 1 || m_rotation->axisOfPair.empty()) {
        m_table->row(positionOnAxis(*m_rotation, 0, position), angles.cosine.data(), angles.sine.data());
    } else {
        scratch.cosine.resize(pairs);
        scratch.sine.resize(pairs);
        for (std::size_t axis = 0; axis < axes; ++axis) {
            m_table->row(m_rotation->axisPositions[index(position) * axes + axis], scratch.cosine.data(),
                         scratch.sine.data());
            for (std::size_t pair = 0; pair < pairs; ++pair) {
                if (m_rotation->axisOfPair[pair] == axis) {
                    angles.cosine[pair] = scratch.cosine[pair];
                    angles.sine[pair] = scratch.sine[pair];
                }
            }
        }
    }
    if (const auto factor = static_cast<float>(m_rotation->attentionFactor); factor != 1.0f) {
        std::ranges::for_each(angles.cosine, [factor](float& cosine) { cosine *= factor; });
        std::ranges::for_each(angles.sine, [factor](float& sine) { sine *= factor; });
    }
}

void RowTurner::copyTurned(const HeadRows& rows, std::int64_t begin, std::int64_t end, std::int64_t start,
                           float* to) const {
    rows.copyRows(begin, end, to);
    if (m_rotation == nullptr) {
        return;
    }
    Angles angles, scratch;
    for (std::int64_t row = begin; row < end; ++row, to += rows.cols()) {
        setAngles(start + row, angles, scratch);
        const auto turn = m_rotation->layout == RopeLayout::half ? turnHalves : turnNeighbours;
        turn(to, angles.cosine.data(), angles.sine.data(), angles.cosine.size());
    }
}

std::vector<double> channelGrowth(const EncodingPlan& plan, std::int64_t width) {
    if (!hasGrowth(plan)) {
        return {};
    }
    const std::vector<double>& growth = plan.rotation->logGrowthPerToken;
    std::vector<double> ofChannel(index(width), 0.0);
    for (std::size_t pair = 0; pair < growth.size(); ++pair) {
        const bool isHalf = plan.rotation->layout == RopeLayout::half;
        ofChannel[isHalf ? pair : 2 * pair] = growth[pair];
        ofChannel[isHalf ? pair + growth.size() : 2 * pair + 1] = growth[pair];
    }
    return ofChannel;
}

}  // namespace phaseladder
