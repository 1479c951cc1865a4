#include <algorithm>

#include "gpu/protocol/bytes.h"
#include "gpu/protocol/limits.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {
namespace {

/// Positions on an axis, and the centre of a growth: their differences stay far inside 64 bits.
constexpr std::int64_t farthestPosition = 2 * latestStart;
constexpr std::uint32_t mostAxes = 255;

void write(PayloadWriter& writer, const RotationMessage& rotation) {
    writer.numbers(rotation.turnsPerToken);
    writer.flag(rotation.isInterleaved);
    writer.number(rotation.attentionFactor);
    writer.number(rotation.axes);
    writer.numbers(rotation.axisOfPair);
    writer.numbers(rotation.axisPositions);
    writer.numbers(rotation.logGrowthPerToken);
    writer.number(rotation.growthCentre);
}

void requireAxes(PayloadReader& reader, const RotationMessage& rotation) {
    for (const std::uint8_t axis : rotation.axisOfPair) {
        if (axis >= rotation.axes) {
            reader.refuse("rotation.axisOfPair", " must be below the " + std::to_string(rotation.axes) +
                                                     " axes, got " + std::to_string(axis));
            return;
        }
    }
    for (const std::int64_t position : rotation.axisPositions) {
        if (position < -farthestPosition || position > farthestPosition) {
            reader.refuse("rotation.axisPositions", " must be " + std::to_string(-farthestPosition) + " .. " +
                                                        std::to_string(farthestPosition) + ", got " +
                                                        std::to_string(position));
            return;
        }
    }
}

/// The rotation of a problem whose width, rows and starts are read.
RotationMessage readRotation(PayloadReader& reader, const ProblemMessage& problem) {
    RotationMessage rotation;
    rotation.turnsPerToken = reader.numbers<std::uint64_t>("rotation.turnsPerToken");
    const std::size_t pairs = rotation.turnsPerToken.size();
    if (pairs > problem.width / 2) {
        reader.refuse("rotation.turnsPerToken", " must have 0 .. " + std::to_string(problem.width / 2) +
                                                    " numbers, two channels each, got " +
                                                    std::to_string(pairs));
    }
    rotation.isInterleaved = reader.flag("rotation.isInterleaved");
    rotation.attentionFactor = reader.finite("rotation.attentionFactor");
    rotation.axes = reader.number<std::uint32_t>("rotation.axes", 1, mostAxes);
    rotation.axisOfPair = reader.numbers<std::uint8_t>("rotation.axisOfPair");
    reader.requireNoneOrCount("rotation.axisOfPair", rotation.axisOfPair.size(), pairs);
    const std::int64_t positions =
        std::max(problem.queryStart + problem.queryRows, problem.keyStart + problem.keyRows);
    rotation.axisPositions = reader.numbers<std::int64_t>("rotation.axisPositions");
    reader.requireNoneOrCount("rotation.axisPositions", rotation.axisPositions.size(),
                              static_cast<std::uint64_t>(positions) * rotation.axes);
    requireAxes(reader, rotation);
    rotation.logGrowthPerToken = reader.numbers<double>("rotation.logGrowthPerToken");
    reader.requireNoneOrCount("rotation.logGrowthPerToken", rotation.logGrowthPerToken.size(), pairs);
    reader.requireFinite("rotation.logGrowthPerToken", rotation.logGrowthPerToken);
    rotation.growthCentre =
        reader.number<std::int64_t>("rotation.growthCentre", -farthestPosition, farthestPosition);
    return rotation;
}

void write(PayloadWriter& writer, const OffsetsMessage& offsets) {
    writer.number(offsets.reach);
    writer.numbers(offsets.numbers);
}

/// A number, or a vector of `width`, of each offset.
OffsetsMessage readOffsets(PayloadReader& reader, const std::string& name, std::uint64_t width) {
    OffsetsMessage offsets;
    offsets.reach = reader.number<std::int64_t>(name + ".reach", 0, mostRows);
    offsets.numbers = reader.numbers<float>(name + ".numbers");
    reader.requireCount(name + ".numbers", offsets.numbers.size(),
                        (2 * static_cast<std::uint64_t>(offsets.reach) + 1) * width);
    return offsets;
}

template <class Part>
void writeOptional(PayloadWriter& writer, const std::optional<Part>& part) {
    writer.flag(part.has_value());
    if (part) {
        write(writer, *part);
    }
}

std::optional<OffsetsMessage> readOptionalOffsets(PayloadReader& reader, const std::string& name,
                                                  std::uint64_t width) {
    return reader.flag(name) ? std::optional(readOffsets(reader, name, width)) : std::nullopt;
}

/// None, or a number of each channel.
std::vector<float> readChannels(PayloadReader& reader, std::string_view name, std::uint32_t width) {
    std::vector<float> channels = reader.numbers<float>(name);
    reader.requireNoneOrCount(name, channels.size(), width);
    return channels;
}

}  // namespace

Bytes encode(const RowsMessage& message) {
    PayloadWriter writer(sizeof(float) * (message.distinct.size() + message.rowOf.size()));
    writer.number(message.key);
    writer.number(message.width);
    writer.numbers(message.distinct);
    writer.numbers(message.rowOf);
    return writer.frame(FrameKind::rows);
}

Result<RowsMessage> decodeRows(std::span<const std::byte> payload) {
    PayloadReader reader("rows", payload);
    RowsMessage message;
    message.key = reader.number<std::uint64_t>("key", 1, lastKey);
    message.width = reader.number<std::uint32_t>("width", 1, largestWidth);
    message.distinct = reader.numbers<float>("distinct");
    message.rowOf = reader.numbers<std::uint32_t>("rowOf");
    if (!reader.hasFailed()) {
        const std::size_t rows = message.distinct.size() / message.width;
        reader.requireCount("distinct", message.distinct.size(), rows * message.width);
        const std::size_t most = std::max(rows, message.rowOf.size());
        if (most > static_cast<std::size_t>(mostRows)) {
            reader.refuse("distinct", " and rows.rowOf must have 0 .. " + std::to_string(mostRows) +
                                          " rows, got " + std::to_string(most));
        }
        const auto wrong = std::find_if(message.rowOf.begin(), message.rowOf.end(),
                                        [rows](std::uint32_t row) { return row >= rows; });
        if (wrong != message.rowOf.end()) {
            reader.refuse("rowOf", " must be below the " + std::to_string(rows) + " distinct rows, got " +
                                       std::to_string(*wrong));
        }
    }
    return reader.finish(std::move(message));
}

Bytes encode(const ProblemMessage& message) {
    PayloadWriter writer;
    for (const std::uint64_t key : {message.key, message.queries, message.keys, message.values}) {
        writer.number(key);
    }
    writer.number(message.width);
    for (const std::int64_t number :
         {message.queryRows, message.keyRows, message.queryStart, message.keyStart, message.defined}) {
        writer.number(number);
    }
    writer.flag(message.isCausal);
    writer.number(message.scale);
    writeOptional(writer, message.rotation);
    writeOptional(writer, message.scoreBias);
    writeOptional(writer, message.relativeKeys);
    writeOptional(writer, message.relativeValues);
    writer.numbers(message.contentOffset);
    writer.numbers(message.positionOffset);
    return writer.frame(FrameKind::problem);
}

Result<ProblemMessage> decodeProblem(std::span<const std::byte> payload) {
    PayloadReader reader("problem", payload);
    ProblemMessage message;
    message.key = reader.number<std::uint64_t>("key", 1, lastKey);
    message.queries = reader.number<std::uint64_t>("queries", 1, lastKey);
    message.keys = reader.number<std::uint64_t>("keys", 1, lastKey);
    message.values = reader.number<std::uint64_t>("values");
    message.width = reader.number<std::uint32_t>("width", 1, largestWidth);
    message.queryRows = reader.number<std::int64_t>("queryRows", 0, mostRows);
    message.keyRows = reader.number<std::int64_t>("keyRows", 0, mostRows);
    message.queryStart = reader.number<std::int64_t>("queryStart", 0, latestStart);
    message.keyStart = reader.number<std::int64_t>("keyStart", 0, latestStart);
    message.defined = reader.number<std::int64_t>("defined", 0, std::numeric_limits<std::int64_t>::max());
    message.isCausal = reader.flag("isCausal");
    message.scale = reader.finite("scale");
    if (reader.flag("rotation")) {
        message.rotation = readRotation(reader, message);
    }
    message.scoreBias = readOptionalOffsets(reader, "scoreBias", 1);
    message.relativeKeys = readOptionalOffsets(reader, "relativeKeys", message.width);
    message.relativeValues = readOptionalOffsets(reader, "relativeValues", message.width);
    message.contentOffset = readChannels(reader, "contentOffset", message.width);
    message.positionOffset = readChannels(reader, "positionOffset", message.width);
    return reader.finish(std::move(message));
}

}  // namespace phaseladder::gpu
