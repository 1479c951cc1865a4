#include "gpu/helper/device_problem.h"

#include <algorithm>

#include "core/index.h"

namespace phaseladder::gpu {
namespace {

constexpr int oldestTensorCapability = 8;

/// Rows of `width` numbers with zeros up to the stride.
DeviceArray<float> uploadPadded(DeviceSession& session, const std::vector<float>& numbers, int width,
                                int stride) {
    std::vector<float> padded(numbers.size() / index(width) * index(stride), 0.0F);
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        padded[at / index(width) * index(stride) + at % index(width)] = numbers[at];
    }
    return session.upload(padded);
}

/// The growth of each channel, from that of its pair.
std::vector<double> growthOfChannels(const RotationMessage& rotation, int stride) {
    const std::size_t pairs = rotation.logGrowthPerToken.size();
    std::vector<double> growth(pairs == 0 ? 0 : index(stride), 0.0);
    for (std::size_t channel = 0; channel < 2 * pairs; ++channel) {
        growth[channel] = rotation.logGrowthPerToken[rotation.isInterleaved ? channel / 2 : channel % pairs];
    }
    return growth;
}

void launchTurn(DeviceSession& session, const TurnRowsArguments& turn) {
    const std::int64_t threads = turn.rows * (turn.stride / 2);
    const std::int64_t blocks = (threads + plainThreads - 1) / plainThreads;
    session.launch(turn, {static_cast<unsigned>(blocks), 1});
}

}  // namespace

DeviceRows::DeviceRows(DeviceSession& session, const RowsMessage& message)
    : rows(static_cast<std::int64_t>(message.rows())),
      width(static_cast<int>(message.width)),
      distinct(session.upload(message.distinct)),
      rowOf(session.upload(message.rowOf)) {}

DeviceProblem::DeviceProblem(DeviceSession& session, const ProblemMessage& message, const ProblemRows& rows)
    : isSummed(index(message.queryRows), false),
      sumErrorOf(index(message.queryRows), 0.0F),
      m_width(static_cast<int>(message.width)),
      m_stride((m_width + chunkChannels - 1) / chunkChannels * chunkChannels),
      m_queryRows(message.queryRows),
      m_seen{message.queryStart, message.keyStart, message.defined, message.keyRows, message.isCausal},
      m_scale(static_cast<float>(message.scale)),
      m_contentOffset(uploadPadded(session, message.contentOffset, m_width, m_stride)),
      m_positionOffset(uploadPadded(session, message.positionOffset, m_width, m_stride)),
      m_sums(session, index(message.queryRows)),
      m_sumErrors(session, index(message.queryRows)) {
    if (message.scoreBias) {
        m_bias = session.upload(message.scoreBias->numbers);
        m_biasReach = message.scoreBias->reach;
    }
    if (message.relativeKeys) {
        m_relativeKeys = uploadPadded(session, message.relativeKeys->numbers, m_width, m_stride);
        m_keyReach = message.relativeKeys->reach;
    }
    if (message.relativeValues) {
        m_relativeValues = uploadPadded(session, message.relativeValues->numbers, m_width, m_stride);
        m_valueReach = message.relativeValues->reach;
    }
    turn(session, message, rows);
}

void DeviceProblem::turn(DeviceSession& session, const ProblemMessage& message, const ProblemRows& rows) {
    Rotation rotation{};
    Growth growth{};
    if (message.rotation) {
        m_turnsPerToken = session.upload(message.rotation->turnsPerToken);
        m_axisOfPair = session.upload(message.rotation->axisOfPair);
        m_axisPositions = session.upload(message.rotation->axisPositions);
        m_growth = session.upload(growthOfChannels(*message.rotation, m_stride));
        m_growthCentre = message.rotation->growthCentre;
        rotation = {m_turnsPerToken.data(),
                    static_cast<int>(message.rotation->turnsPerToken.size()),
                    message.rotation->isInterleaved,
                    static_cast<float>(message.rotation->attentionFactor),
                    static_cast<int>(message.rotation->axes),
                    m_axisOfPair.data(),
                    m_axisPositions.data()};
        growth = {m_growth.data(), m_growthCentre};
    }
    const auto turned = [&](const DeviceRows& from, std::int64_t start, const Rotation& by,
                            const Growth& fading) {
        DeviceArray<float> to(session, index(from.rows) * index(m_stride));
        launchTurn(session, {from.distinct.data(), from.rowOf.data(), from.rows, m_width, m_stride, start, by,
                             fading, to.data(), nullptr});
        return to;
    };
    m_queries = turned(*rows.queries, m_seen.queryStart, rotation, {});
    m_keys = turned(*rows.keys, m_seen.keyStart, rotation, growth);
    if (rows.values != nullptr) {
        m_values = turned(*rows.values, 0, {}, {});
    }
}

std::int64_t DeviceProblem::seenBy(std::int64_t query) const {
    const std::int64_t position = m_seen.queryStart + query;
    const std::int64_t end = position >= m_seen.defined ? 0
                             : m_seen.isCausal          ? std::min(position + 1, m_seen.defined)
                                                        : m_seen.defined;
    return std::clamp<std::int64_t>(end - m_seen.keyStart, 0, m_seen.keys);
}

ScoreColumnsArguments DeviceProblem::scores() const {
    ScoreColumnsArguments scores{};
    scores.queries = m_queries.data();
    scores.keys = m_keys.data();
    scores.width = m_width;
    scores.stride = m_stride;
    scores.seen = m_seen;
    scores.terms.scale = m_scale;
    scores.terms.bias = m_bias.data();
    scores.terms.biasReach = m_biasReach;
    scores.terms.relativeReach = m_keyReach;
    scores.terms.growth = {m_growth.data(), m_growthCentre};
    scores.terms.contentOffset = m_contentOffset.data();
    scores.terms.positionOffset = m_positionOffset.data();
    return scores;
}

bool DeviceProblem::isForTensors(const DeviceSession& session) const {
    return m_growth.size() == 0 && m_relativeKeys.size() == 0 && m_contentOffset.size() == 0 &&
           session.properties().capabilityMajor >= oldestTensorCapability;
}

TensorScoresArguments DeviceProblem::tensorScores(DeviceSession& session) {
    const auto inBf16 = [&](const DeviceArray<float>& turned) {
        DeviceArray<std::uint16_t> to(session, turned.size());
        const auto rows = static_cast<std::int64_t>(turned.size() / index(m_stride));
        launchTurn(session,
                   {turned.data(), nullptr, rows, m_stride, m_stride, 0, {}, {}, nullptr, to.data()});
        return to;
    };
    if (m_queriesInBf16.size() == 0 || m_keysInBf16.size() == 0) {
        m_queriesInBf16 = inBf16(m_queries);
        m_keysInBf16 = inBf16(m_keys);
    }
    return {scores(), m_queriesInBf16.data(), m_keysInBf16.data()};
}

RelativeProductsArguments DeviceProblem::relativeProducts() const {
    RelativeProductsArguments relative{};
    relative.queries = m_queries.data();
    relative.table = m_relativeKeys.data();
    relative.width = m_width;
    relative.stride = m_stride;
    relative.queryStart = m_seen.queryStart;
    relative.terms = scores().terms;
    return relative;
}

HiddenStatesArguments DeviceProblem::hiddenStates() const {
    HiddenStatesArguments hidden{};
    hidden.scores = scores();
    hidden.values = m_values.data();
    hidden.relativeValues = m_relativeValues.data();
    hidden.valueReach = m_valueReach;
    hidden.sums = m_sums.data();
    return hidden;
}

RelativeTableArguments DeviceProblem::relativeTable() const {
    return {scores(), m_relativeKeys.data(), m_sums.data()};
}

}  // namespace phaseladder::gpu
