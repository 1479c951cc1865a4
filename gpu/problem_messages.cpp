#include "gpu/problem_messages.h"

#include <algorithm>

#include "core/index.h"

namespace phaseladder::gpu {
namespace {

std::vector<float> inSingle(const std::vector<double>& numbers) {
    std::vector<float> single(numbers.size());
    std::ranges::transform(numbers, single.begin(), [](double number) { return static_cast<float>(number); });
    return single;
}

RotationMessage rotationMessage(const PairRotation& rotation) {
    RotationMessage message;
    message.turnsPerToken = rotation.turnsPerToken;
    message.isInterleaved = rotation.layout == RopeLayout::interleaved;
    message.attentionFactor = rotation.attentionFactor;
    message.axes = static_cast<std::uint32_t>(std::max<std::size_t>(rotation.axisNames.size(), 1));
    message.axisOfPair = rotation.axisOfPair;
    message.axisPositions = rotation.axisPositions;
    message.logGrowthPerToken = rotation.logGrowthPerToken;
    message.growthCentre = rotation.growthCentre;
    return message;
}

std::optional<OffsetsMessage> offsetsMessage(const std::optional<RelativeVectors>& vectors) {
    if (!vectors) {
        return std::nullopt;
    }
    return OffsetsMessage{vectors->reach, inSingle(vectors->rows)};
}

}  // namespace

RowsMessage rowsMessage(const HeadRows& rows, std::uint64_t key) {
    RowsMessage message;
    message.key = key;
    message.width = static_cast<std::uint32_t>(rows.cols());
    message.distinct.resize(index(rows.distinctRows() * rows.cols()));
    rows.copyDistinctRows(message.distinct.data());
    message.rowOf.assign(rows.rowOf().begin(), rows.rowOf().end());
    return message;
}

ProblemMessage problemMessage(const AttentionProblem& problem, std::uint64_t key, const RowKeys& rows) {
    const EncodingPlan& plan = problem.plan;
    ProblemMessage message;
    message.key = key;
    message.queries = rows.queries;
    message.keys = rows.keys;
    message.values = rows.values;
    message.width = static_cast<std::uint32_t>(problem.keys.cols());
    message.queryRows = problem.queries.rows();
    message.keyRows = problem.keys.rows();
    message.queryStart = problem.queryStart;
    message.keyStart = problem.keyStart;
    message.defined = definedTokens(problem);
    message.isCausal = problem.causal;
    message.scale = logitScale(plan, problem.keys.cols());
    if (plan.rotation) {
        message.rotation = rotationMessage(*plan.rotation);
    }
    if (plan.scoreBias) {
        message.scoreBias = OffsetsMessage{plan.scoreBias->reach, inSingle(plan.scoreBias->values)};
    }
    message.relativeKeys = offsetsMessage(plan.relativeKeys);
    message.relativeValues = offsetsMessage(plan.relativeValues);
    if (plan.queryOffsets) {
        message.contentOffset = inSingle(plan.queryOffsets->content);
        message.positionOffset = inSingle(plan.queryOffsets->position);
    }
    return message;
}

MapMessage mapMessage(const MapRequest& map) {
    MapMessage message;
    message.rowBegin = map.window.rowBegin;
    message.rowEnd = map.window.rowEnd;
    message.columnBegin = map.window.columnBegin;
    message.columnEnd = map.window.columnEnd;
    message.pixelRows = map.pixelRows;
    message.pixelColumns = map.pixelColumns;
    message.isMax = map.pooling == Pooling::max;
    message.isLogits = map.values == ViewValues::logits;
    message.firstPixelRow = map.firstPixelRow;
    message.endPixelRow = map.endPixelRow;
    message.sampledRows = map.sampledRows;
    return message;
}

std::uint64_t rowsBytes(const HeadRows& rows) {
    constexpr std::uint64_t besides = 4096;
    return sizeof(float) * static_cast<std::uint64_t>(rows.distinctRows() * rows.cols()) +
           sizeof(std::uint32_t) * rows.rowOf().size() + besides;
}

}  // namespace phaseladder::gpu
