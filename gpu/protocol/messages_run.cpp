#include <algorithm>
#include <cmath>

#include "gpu/protocol/bytes.h"
#include "gpu/protocol/limits.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {
namespace {

constexpr std::uint32_t fewestTokens = 2, mostTokens = 10;

void write(PayloadWriter& writer, const MapMessage& map) {
    for (const std::int64_t number :
         {map.rowBegin, map.rowEnd, map.columnBegin, map.columnEnd, map.pixelRows, map.pixelColumns}) {
        writer.number(number);
    }
    writer.flag(map.isMax);
    writer.flag(map.isLogits);
    for (const std::int64_t number : {map.firstPixelRow, map.endPixelRow, map.sampledRows}) {
        writer.number(number);
    }
}

/// As isWithin() of core/attention/pooled_map.h says, but for the size of the problem, which only who holds
/// it knows.
MapMessage readMap(PayloadReader& reader) {
    MapMessage map;
    // A window is at least a pixel wide and high.
    map.rowBegin = reader.number<std::int64_t>("map.rowBegin", 0, mostRows - 1);
    map.rowEnd = reader.number<std::int64_t>("map.rowEnd", map.rowBegin + 1, mostRows);
    map.columnBegin = reader.number<std::int64_t>("map.columnBegin", 0, mostRows - 1);
    map.columnEnd = reader.number<std::int64_t>("map.columnEnd", map.columnBegin + 1, mostRows);
    map.pixelRows = reader.number<std::int64_t>("map.pixelRows", 1, map.rowEnd - map.rowBegin);
    map.pixelColumns = reader.number<std::int64_t>("map.pixelColumns", 1, map.columnEnd - map.columnBegin);
    if (map.pixelRows * map.pixelColumns > mostPixels) {
        reader.refuse("map.pixelRows", " × run.map.pixelColumns must be at most " +
                                           std::to_string(mostPixels) + ", got " +
                                           std::to_string(map.pixelRows * map.pixelColumns));
    }
    map.isMax = reader.flag("map.isMax");
    map.isLogits = reader.flag("map.isLogits");
    map.firstPixelRow = reader.number<std::int64_t>("map.firstPixelRow", 0, map.pixelRows - 1);
    map.endPixelRow = reader.number<std::int64_t>(
        "map.endPixelRow", map.firstPixelRow == 0 ? 0 : map.firstPixelRow + 1, map.pixelRows);
    map.sampledRows = reader.number<std::int64_t>("map.sampledRows", 0, mostRows);
    return map;
}

std::int64_t orderCount(std::uint32_t tokens) {
    std::int64_t count = 1;
    for (std::uint32_t factor = 2; factor <= tokens; ++factor) {
        count *= factor;
    }
    return count;
}

}  // namespace

Bytes encode(const RunMessage& message) {
    PayloadWriter writer;
    writer.number(message.id);
    writer.number(message.problem);
    writer.flag(message.map.has_value());
    if (message.map) {
        write(writer, *message.map);
    }
    for (const bool flag :
         {message.hiddenStates, message.rowLogSums, message.isTensor, message.readsRelativeTable}) {
        writer.flag(flag);
    }
    return writer.frame(FrameKind::run);
}

Result<RunMessage> decodeRun(std::span<const std::byte> payload) {
    PayloadReader reader("run", payload);
    RunMessage message;
    message.id = reader.number<std::uint64_t>("id", 1, lastKey);
    message.problem = reader.number<std::uint64_t>("problem", 1, lastKey);
    if (reader.flag("map")) {
        message.map = readMap(reader);
    }
    message.hiddenStates = reader.flag("hiddenStates");
    message.rowLogSums = reader.flag("rowLogSums");
    message.isTensor = reader.flag("isTensor");
    message.readsRelativeTable = reader.flag("readsRelativeTable");
    if (message.readsRelativeTable && (message.map || message.hiddenStates || !message.rowLogSums)) {
        reader.refuse("readsRelativeTable", " goes with run.rowLogSums alone, got other wishes");
    }
    return reader.finish(message);
}

Bytes encode(const OrdersMessage& message) {
    PayloadWriter writer;
    writer.number(message.id);
    writer.number(message.tokens);
    writer.number(message.width);
    writer.flag(message.isCausal);
    writer.numbers(message.scores);
    writer.numbers(message.values);
    writer.number(message.firstOrder);
    writer.number(message.endOrder);
    writer.numbers(message.present);
    return writer.frame(FrameKind::orders);
}

Result<OrdersMessage> decodeOrders(std::span<const std::byte> payload) {
    PayloadReader reader("orders", payload);
    OrdersMessage message;
    message.id = reader.number<std::uint64_t>("id", 1, lastKey);
    message.tokens = reader.number<std::uint32_t>("tokens", fewestTokens, mostTokens);
    message.width = reader.number<std::uint32_t>("width", 1, largestWidth);
    message.isCausal = reader.flag("isCausal");
    const std::uint64_t tokens = message.tokens;
    message.scores = reader.numbers<float>("scores");
    reader.requireCount("scores", message.scores.size(), tokens * tokens * tokens * tokens);
    message.values = reader.numbers<float>("values");
    reader.requireCount("values", message.values.size(), tokens * tokens * message.width);
    const std::int64_t orders = orderCount(message.tokens);
    message.firstOrder = reader.number<std::int64_t>("firstOrder", 0, orders);
    message.endOrder = reader.number<std::int64_t>("endOrder", message.firstOrder, orders);
    message.present = reader.numbers<float>("present");
    reader.requireCount("present", message.present.size(), tokens * message.width);
    return reader.finish(std::move(message));
}

Bytes encode(const ResultMessage& message) {
    PayloadWriter writer(sizeof(float) * (message.map.size() + message.shownColumns.size() +
                                          message.hidden.size() + message.rowLogSums.size()));
    writer.number(message.id);
    writer.number(message.pixelRows);
    writer.number(message.pixelColumns);
    writer.numbers(message.map);
    writer.numbers(message.shownColumns);
    writer.number(message.computedRows);
    writer.number(message.hiddenRows);
    writer.number(message.hiddenColumns);
    writer.numbers(message.hidden);
    writer.numbers(message.rowLogSums);
    writer.number(message.largestRowSumError);
    writer.numbers(message.orderDifferences);
    writer.number(message.deviceMilliseconds);
    writer.number(message.bytesRead);
    return writer.frame(FrameKind::result);
}

Result<ResultMessage> decodeResult(std::span<const std::byte> payload) {
    PayloadReader reader("result", payload);
    ResultMessage message;
    message.id = reader.number<std::uint64_t>("id", 1, lastKey);
    message.pixelRows = reader.number<std::int64_t>("pixelRows", 0, mostRows);
    message.pixelColumns = reader.number<std::int64_t>("pixelColumns", 0, mostRows);
    message.map = reader.numbers<float>("map");
    const bool isEcho = message.pixelRows == 0 && message.pixelColumns == 0;
    if (!isEcho) {
        reader.requireCount("map", message.map.size(),
                            static_cast<std::uint64_t>(message.pixelRows * message.pixelColumns));
    }
    message.shownColumns = reader.numbers<std::uint32_t>("shownColumns");
    reader.requireNoneOrCount("shownColumns", message.shownColumns.size(),
                              static_cast<std::uint64_t>(message.pixelRows));
    const auto wrong = std::find_if(message.shownColumns.begin(), message.shownColumns.end(),
                                    [&](std::uint32_t column) { return column > message.pixelColumns; });
    if (wrong != message.shownColumns.end()) {
        reader.refuse("shownColumns", " must be 0 .. " + std::to_string(message.pixelColumns) + ", got " +
                                          std::to_string(*wrong));
    }
    message.computedRows = reader.number<std::int64_t>("computedRows", 0, mostRows);
    message.hiddenRows = reader.number<std::int64_t>("hiddenRows", 0, mostRows);
    message.hiddenColumns = reader.number<std::int64_t>("hiddenColumns", 0, largestWidth);
    message.hidden = reader.numbers<float>("hidden");
    reader.requireCount("hidden", message.hidden.size(),
                        static_cast<std::uint64_t>(message.hiddenRows * message.hiddenColumns));
    message.rowLogSums = reader.numbers<float>("rowLogSums");
    message.largestRowSumError = reader.number<float>("largestRowSumError");
    message.orderDifferences = reader.numbers<float>("orderDifferences");
    if (message.orderDifferences.size() > mostTokens) {
        reader.refuse("orderDifferences", " must have 0 .. " + std::to_string(mostTokens) + " numbers, got " +
                                              std::to_string(message.orderDifferences.size()));
    }
    message.deviceMilliseconds = reader.finite("deviceMilliseconds");
    if (message.deviceMilliseconds < 0.0) {
        reader.refuse("deviceMilliseconds",
                      " must be 0 or above, got " + std::to_string(message.deviceMilliseconds));
    }
    message.bytesRead = reader.number<std::uint64_t>("bytesRead");
    return reader.finish(std::move(message));
}

}  // namespace phaseladder::gpu
