#include "gpu/protocol/messages.h"

#include <limits>

#include "gpu/protocol/bytes.h"
#include "gpu/protocol/limits.h"

namespace phaseladder::gpu {
namespace {

constexpr std::int64_t mostSteps = std::numeric_limits<std::int64_t>::max();
constexpr std::int32_t largestVersion = std::numeric_limits<std::int32_t>::max();

HelperState readState(PayloadReader& reader, HelperState lowest) {
    return static_cast<HelperState>(reader.number<std::uint16_t>(
        "state", static_cast<std::uint16_t>(lowest), static_cast<std::uint16_t>(HelperState::badMessage)));
}

std::uint64_t readId(PayloadReader& reader) {
    return reader.number<std::uint64_t>("id", 1, lastKey);
}

}  // namespace

Bytes encode(const Hello& message) {
    PayloadWriter writer;
    writer.text(message.program);
    return writer.frame(FrameKind::hello);
}

Result<Hello> decodeHello(std::span<const std::byte> payload) {
    PayloadReader reader("hello", payload);
    Hello message;
    message.program = reader.text("program");
    return reader.finish(std::move(message));
}

Bytes encode(const HelperHello& message) {
    PayloadWriter writer;
    writer.text(message.program);
    writer.number(static_cast<std::uint16_t>(message.state));
    writer.text(message.reason);
    writer.flag(message.isEmulated);
    writer.text(message.device);
    writer.number(message.memoryBytes);
    writer.number(message.freeBytes);
    writer.number(message.capabilityMajor);
    writer.number(message.capabilityMinor);
    writer.number(message.driverVersion);
    writer.number(message.runtimeVersion);
    writer.number(message.productsPerSecond);
    return writer.frame(FrameKind::hello);
}

Result<HelperHello> decodeHelperHello(std::span<const std::byte> payload) {
    PayloadReader reader("hello", payload);
    HelperHello message;
    message.program = reader.text("program");
    message.state = readState(reader, HelperState::ready);
    message.reason = reader.text("reason");
    message.isEmulated = reader.flag("isEmulated");
    message.device = reader.text("device");
    message.memoryBytes = reader.number<std::uint64_t>("memoryBytes");
    message.freeBytes = reader.number<std::uint64_t>("freeBytes");
    message.capabilityMajor = reader.number<std::int32_t>("capabilityMajor", 0, largestVersion);
    message.capabilityMinor = reader.number<std::int32_t>("capabilityMinor", 0, largestVersion);
    message.driverVersion = reader.number<std::int32_t>("driverVersion", 0, largestVersion);
    message.runtimeVersion = reader.number<std::int32_t>("runtimeVersion", 0, largestVersion);
    message.productsPerSecond = reader.finite("productsPerSecond");
    if (message.productsPerSecond < 0.0) {
        reader.refuse("productsPerSecond",
                      " must be 0 or above, got " + std::to_string(message.productsPerSecond));
    }
    return reader.finish(std::move(message));
}

Bytes encode(const EchoMessage& message) {
    PayloadWriter writer;
    writer.number(message.id);
    writer.number(message.numbers);
    return writer.frame(FrameKind::echo);
}

Result<EchoMessage> decodeEcho(std::span<const std::byte> payload) {
    PayloadReader reader("echo", payload);
    EchoMessage message;
    message.id = readId(reader);
    message.numbers = reader.number<std::uint64_t>("numbers", 0, mostEchoNumbers);
    return reader.finish(message);
}

Bytes encode(const ProgressMessage& message) {
    PayloadWriter writer;
    writer.number(message.id);
    writer.number(message.doneRows);
    writer.number(message.rows);
    return writer.frame(FrameKind::progress);
}

Result<ProgressMessage> decodeProgress(std::span<const std::byte> payload) {
    PayloadReader reader("progress", payload);
    ProgressMessage message;
    message.id = reader.number<std::uint64_t>("id", 0, lastKey);
    message.doneRows = reader.number<std::int64_t>("doneRows", 0, mostSteps);
    message.rows = reader.number<std::int64_t>("rows", message.doneRows, mostSteps);
    return reader.finish(message);
}

Bytes encode(const CancelMessage& message) {
    PayloadWriter writer;
    writer.number(message.id);
    return writer.frame(FrameKind::cancel);
}

Result<CancelMessage> decodeCancel(std::span<const std::byte> payload) {
    PayloadReader reader("cancel", payload);
    CancelMessage message;
    message.id = readId(reader);
    return reader.finish(message);
}

Bytes encode(const ErrorMessage& message) {
    PayloadWriter writer;
    writer.number(message.id);
    writer.number(static_cast<std::uint16_t>(message.state));
    writer.text(message.reason);
    return writer.frame(FrameKind::error);
}

Result<ErrorMessage> decodeError(std::span<const std::byte> payload) {
    PayloadReader reader("error", payload);
    ErrorMessage message;
    message.id = reader.number<std::uint64_t>("id");
    message.state = readState(reader, HelperState::noToolkit);
    message.reason = reader.text("reason");
    return reader.finish(std::move(message));
}

Bytes encodeBye() {
    return PayloadWriter().frame(FrameKind::bye);
}

}  // namespace phaseladder::gpu
