#include <algorithm>
#include <cstddef>
#include <string>

#include "gpu/protocol/messages.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/inputs.h"

namespace phaseladder::tests {
namespace {

using Payload = std::span<const std::byte>;

template <class Message>
void readMessage(const gpu::Frame& frame, Result<Message> (*decode)(Payload)) {
    const Result<Message> message = decode(frame.payload);
    if (!message) {
        requireSentence(message.error());
        return;
    }
    require(gpu::encode(*message) == gpu::encodeFrame(frame.kind, frame.payload),
            "a message is written as another frame than it was read from");
}

/// What a helper does with a frame: it understands what a program says.
void readInHelper(const gpu::Frame& frame) {
    switch (frame.kind) {
        case gpu::FrameKind::hello:
            return readMessage(frame, gpu::decodeHello);
        case gpu::FrameKind::rows:
            return readMessage(frame, gpu::decodeRows);
        case gpu::FrameKind::problem:
            return readMessage(frame, gpu::decodeProblem);
        case gpu::FrameKind::run:
            return readMessage(frame, gpu::decodeRun);
        case gpu::FrameKind::orders:
            return readMessage(frame, gpu::decodeOrders);
        case gpu::FrameKind::echo:
            return readMessage(frame, gpu::decodeEcho);
        case gpu::FrameKind::cancel:
            return readMessage(frame, gpu::decodeCancel);
        default:
            return;
    }
}

void readInProgram(const gpu::Frame& frame) {
    switch (frame.kind) {
        case gpu::FrameKind::hello:
            return readMessage(frame, gpu::decodeHelperHello);
        case gpu::FrameKind::progress:
            return readMessage(frame, gpu::decodeProgress);
        case gpu::FrameKind::result:
            return readMessage(frame, gpu::decodeResult);
        case gpu::FrameKind::error:
            return readMessage(frame, gpu::decodeError);
        default:
            return;
    }
}

/// How a stream ends: what was wrong with it, or that more is needed.
struct StreamEnd {
    std::string refusal;
    std::size_t frames = 0, waiting = 0;

    friend bool operator==(const StreamEnd&, const StreamEnd&) = default;
};

/// Reads a stream that comes in pieces of `step` bytes.
StreamEnd readStream(Payload bytes, gpu::Side other, std::size_t step,
                     void (*read)(const gpu::Frame&) = nullptr) {
    gpu::FrameReader reader(other);
    StreamEnd end;
    std::size_t takenBytes = 0;
    for (std::size_t begin = 0; begin < bytes.size(); begin += step) {
        reader.add(bytes.subspan(begin, std::min(step, bytes.size() - begin)));
    }
    Result<std::optional<gpu::Frame>> frame = reader.next();
    for (; frame && *frame; frame = reader.next()) {
        ++end.frames;
        takenBytes += gpu::frameHeaderBytes + (*frame)->payload.size();
        require((*frame)->payload.size() <= gpu::longestPayload((*frame)->kind),
                "a payload beyond its limit");
        if (read != nullptr) {
            read(**frame);
        }
    }
    end.waiting = reader.waiting();
    if (!frame) {
        requireSentence(frame.error());
        end.refusal = frame.error().message;
    } else {
        require(takenBytes + end.waiting == bytes.size(), "bytes of a stream are lost");
    }
    return end;
}

void readBothWays(std::string_view bytes, gpu::Side other, void (*read)(const gpu::Frame&)) {
    const Payload stream = std::as_bytes(std::span(bytes.data(), bytes.size()));
    const StreamEnd end = readStream(stream, other, std::max<std::size_t>(stream.size(), 1), read);
    require(readStream(stream, other, 1) == end && readStream(stream, other, 13) == end,
            "a stream that comes in pieces is read as another one");
}

}  // namespace

void readFuzzedHelperStream(std::string_view bytes) {
    readBothWays(bytes, gpu::Side::program, readInHelper);
}

void readFuzzedClientStream(std::string_view bytes) {
    readBothWays(bytes, gpu::Side::helper, readInProgram);
}

}  // namespace phaseladder::tests
