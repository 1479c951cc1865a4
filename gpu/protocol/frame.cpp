#include "gpu/protocol/frame.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

#include "gpu/protocol/bytes.h"

namespace phaseladder::gpu {
namespace {

constexpr std::string_view magic = "PLGF";
constexpr std::size_t versionAt = 4, kindAt = 6, lengthAt = 8, payloadSumAt = 16, headerSumAt = 24;
constexpr std::string_view kindNames[] = {"hello",    "rows",   "problem", "run",   "orders", "echo",
                                          "progress", "cancel", "result",  "error", "bye"};
constexpr std::size_t kinds = std::size(kindNames);
/// Room that the first byte of a payload may take for those to come: a map of a window fits without a move.
constexpr std::size_t bytesAhead = std::size_t{8} << 20U;

std::uint64_t checksum(std::span<const std::byte> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

template <class Number>
void putAt(std::span<std::byte> header, std::size_t at, Number value) {
    std::memcpy(header.subspan(at, sizeof value).data(), &value, sizeof value);
}

template <class Number>
Number numberAt(std::span<const std::byte> header, std::size_t at) {
    Number value{};
    std::memcpy(&value, header.subspan(at, sizeof value).data(), sizeof value);
    return value;
}

}  // namespace

std::uint64_t longestPayload(FrameKind kind) {
    switch (kind) {
        case FrameKind::rows:
        case FrameKind::problem:
        case FrameKind::orders:
        case FrameKind::result:
            return std::uint64_t{1} << 32U;
        case FrameKind::bye:
            return 0;
        default:
            return std::uint64_t{1} << 16U;
    }
}

Bytes withHeader(Bytes frame, FrameKind kind) {
    assert(frame.size() >= frameHeaderBytes);
    const std::span<std::byte> header = std::span(frame).first(frameHeaderBytes);
    const std::span<const std::byte> payload = std::span(frame).subspan(frameHeaderBytes);
    std::memcpy(header.data(), magic.data(), magic.size());
    putAt(header, versionAt, protocolVersion);
    putAt(header, kindAt, static_cast<std::uint16_t>(kind));
    putAt(header, lengthAt, static_cast<std::uint64_t>(payload.size()));
    putAt(header, payloadSumAt, checksum(payload));
    putAt(header, headerSumAt, checksum(header.first(headerSumAt)));
    return frame;
}

Bytes encodeFrame(FrameKind kind, std::span<const std::byte> payload) {
    Bytes frame;
    frame.reserve(frameHeaderBytes + payload.size());
    frame.resize(frameHeaderBytes);
    frame.insert(frame.end(), payload.begin(), payload.end());
    return withHeader(std::move(frame), kind);
}

FrameReader::FrameReader(Side other) : m_other(other) {}

void FrameReader::add(std::span<const std::byte> bytes) {
    while (!bytes.empty() && m_refusal.empty()) {
        const bool isHeader = m_headerBytes < frameHeaderBytes;
        bytes = bytes.subspan(isHeader ? addToHeader(bytes) : addToPayload(bytes));
        if (m_refusal.empty() && m_headerBytes == frameHeaderBytes &&
            m_payload.size() == numberAt<std::uint64_t>(m_header, lengthAt)) {
            finishFrame();
        }
    }
}

Result<std::optional<Frame>> FrameReader::next() {
    if (!m_frames.empty()) {
        std::optional<Frame> frame(std::move(m_frames.front()));
        m_frames.pop_front();
        return frame;
    }
    if (!m_refusal.empty()) {
        return fail(ErrorKind::invalidInput, m_refusal);
    }
    return std::nullopt;
}

std::size_t FrameReader::waiting() const {
    return m_headerBytes + m_payload.size();
}

std::size_t FrameReader::addToHeader(std::span<const std::byte> bytes) {
    const std::size_t taken = std::min(bytes.size(), frameHeaderBytes - m_headerBytes);
    std::copy_n(bytes.begin(), taken, m_header.begin() + static_cast<std::ptrdiff_t>(m_headerBytes));
    m_headerBytes += taken;
    if (std::string wrong = wrongInHeader(); !wrong.empty()) {
        refuse(std::move(wrong));
    }
    return taken;
}

std::size_t FrameReader::addToPayload(std::span<const std::byte> bytes) {
    const auto length = static_cast<std::size_t>(numberAt<std::uint64_t>(m_header, lengthAt));
    const std::size_t taken = std::min(bytes.size(), length - m_payload.size());
    const std::size_t needed = m_payload.size() + taken;
    if (needed > m_payload.capacity()) {
        m_payload.reserve(std::min(length, std::max(4 * needed, bytesAhead)));
    }
    m_payload.insert(m_payload.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
    return taken;
}

/// Says what is wrong as soon as the bytes are there that show it: a stream of something else may be short.
std::string FrameReader::wrongInHeader() const {
    const std::string other = m_other == Side::helper ? "the helper" : "the program";
    const auto kind = numberAt<std::uint16_t>(m_header, kindAt);
    const auto length = numberAt<std::uint64_t>(m_header, lengthAt);
    if (m_headerBytes >= magic.size() && std::memcmp(m_header.data(), magic.data(), magic.size()) != 0) {
        std::string seen(magic.size(), '\0');
        std::memcpy(seen.data(), m_header.data(), seen.size());
        return other + " sent \"" + showableText(seen) + "\" where a frame begins with \"PLGF\"";
    }
    const auto version = numberAt<std::uint16_t>(m_header, versionAt);
    if (m_headerBytes >= kindAt && version != protocolVersion) {
        return other + " speaks version " + std::to_string(version) + " of the protocol, " +
               (m_other == Side::helper ? "this program " : "this helper ") + std::to_string(protocolVersion);
    }
    if (m_headerBytes < frameHeaderBytes) {
        return {};
    }
    if (checksum(std::span(m_header).first(headerSumAt)) != numberAt<std::uint64_t>(m_header, headerSumAt)) {
        return other + " sent a frame whose header does not fit its checksum";
    }
    if (kind < 1 || kind > kinds) {
        return other + " sent a frame of kind " + std::to_string(kind) + ", known are 1 .. " +
               std::to_string(kinds);
    }
    if (const std::uint64_t longest = longestPayload(static_cast<FrameKind>(kind)); length > longest) {
        return other + " sent a frame of kind " + std::string(kindNames[kind - 1]) + " with " +
               std::to_string(length) + " bytes, allowed are 0 .. " + std::to_string(longest);
    }
    return {};
}

void FrameReader::finishFrame() {
    const auto kind = numberAt<std::uint16_t>(m_header, kindAt);
    if (checksum(m_payload) != numberAt<std::uint64_t>(m_header, payloadSumAt)) {
        refuse(std::string(m_other == Side::helper ? "the helper" : "the program") +
               " sent a frame of kind " + std::string(kindNames[kind - 1]) +
               " whose payload does not fit its checksum");
        return;
    }
    m_frames.push_back({static_cast<FrameKind>(kind), std::exchange(m_payload, {})});
    m_headerBytes = 0;
}

void FrameReader::refuse(std::string sentence) {
    m_refusal = std::move(sentence);
    m_headerBytes = 0;
    m_payload = {};
}

}  // namespace phaseladder::gpu
