#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "gpu/protocol/frame.h"
#include "tests/fuzz/mutators.h"

namespace phaseladder::tests {
namespace {

constexpr std::size_t kindAt = 6, lengthAt = 8, mostFrames = 16;

struct LooseFrame {
    std::uint16_t kind = 0;
    std::string payload;
};

template <class Number>
Number numberAt(const std::string& bytes, std::size_t at) {
    Number value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

/// The frames of a stream as their headers say, whatever the sums are; the last one may be short.
std::vector<LooseFrame> framesOf(const std::string& bytes) {
    std::vector<LooseFrame> frames;
    for (std::size_t at = 0; at + gpu::frameHeaderBytes <= bytes.size() && frames.size() < mostFrames;) {
        const auto length = numberAt<std::uint64_t>(bytes, at + lengthAt);
        const auto kind = numberAt<std::uint16_t>(bytes, at + kindAt);
        at += gpu::frameHeaderBytes;
        const std::size_t taken = std::min<std::uint64_t>(length, bytes.size() - at);
        frames.push_back({kind, bytes.substr(at, taken)});
        at += taken;
    }
    return frames;
}

std::string joined(const std::vector<LooseFrame>& frames) {
    std::string stream;
    for (const LooseFrame& frame : frames) {
        const gpu::Bytes bytes =
            gpu::encodeFrame(static_cast<gpu::FrameKind>(frame.kind),
                             std::as_bytes(std::span(frame.payload.data(), frame.payload.size())));
        stream.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return stream;
}

/// Makes the count of an array and its numbers one longer or shorter: at some eight bytes that may be a
/// count, as the numbers behind them are there.
void resizeArray(std::string& payload, std::uint32_t seed) {
    constexpr std::size_t countBytes = sizeof(std::uint64_t);
    if (payload.size() < countBytes) {
        return;
    }
    const std::size_t places = payload.size() - countBytes + 1, width = (seed & 1U) != 0 ? 4 : 8;
    for (std::size_t tried = 0; tried < places; ++tried) {
        const std::size_t at = (seed / 4 + tried) % places;
        const auto count = numberAt<std::uint64_t>(payload, at);
        if (count == 0 || count > (payload.size() - at - countBytes) / width) {
            continue;
        }
        const bool isLonger = (seed & 2U) != 0;
        const std::uint64_t changed = isLonger ? count + 1 : count - 1;
        std::memcpy(payload.data() + at, &changed, sizeof changed);
        if (isLonger) {
            payload.insert(at + countBytes, payload.substr(at + countBytes, width));
        } else {
            payload.erase(at + countBytes, width);
        }
        return;
    }
}

}  // namespace

std::string mutatedStream(std::string bytes, std::uint32_t seed, const Mutate& mutate) {
    std::vector<LooseFrame> frames = framesOf(bytes);
    if (seed % 8 == 0 || frames.empty()) {
        return mutate(std::move(bytes));
    }
    const std::size_t at = (seed >> 8U) % frames.size();
    switch ((seed >> 3U) % 8) {
        case 0: {
            const LooseFrame twice = frames[at];
            frames.push_back(twice);
            break;
        }
        case 1:
            frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(at));
            break;
        case 2:
            frames[at].kind = static_cast<std::uint16_t>((seed >> 16U) % 13);
            break;
        case 3:
            resizeArray(frames[at].payload, seed >> 12U);
            break;
        default:
            frames[at].payload = mutate(std::move(frames[at].payload));
    }
    return joined(frames);
}

}  // namespace phaseladder::tests
