#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/result.h"

namespace phaseladder::gpu {

/// What a frame carries. README.md of this folder describes the payloads.
enum class FrameKind : std::uint16_t {
    hello = 1,     ///< from the program: it wants to talk; from the helper: what it is and what it found
    rows = 2,      ///< to the helper: a matrix of queries, keys or values
    problem = 3,   ///< to the helper: a plan over matrices that it has
    run = 4,       ///< to the helper: compute something of a problem
    orders = 5,    ///< to the helper: attention of all orders of a few tokens
    echo = 6,      ///< to the helper: answer with so many numbers, to measure the line
    progress = 7,  ///< from the helper, at least twice a second while it computes
    cancel = 8,    ///< to the helper: stop the run
    result = 9,    ///< from the helper: the answer to run, orders or echo
    error = 10,    ///< from the helper: why there is no answer
    bye = 11,      ///< from either: nothing more will come
};

/// Bytes of a frame before its payload, little-endian:
///   0  u32 magic "PLGF"      8  u64 length of the payload      24  u64 XXH3 of bytes 0 .. 23
///   4  u16 version, u16 kind  16  u64 XXH3 of the payload
inline constexpr std::size_t frameHeaderBytes = 32;
inline constexpr std::uint16_t protocolVersion = 1;

/// The longest payload of a kind, in bytes: 64 KiB of what has no arrays, 4 GiB of the others.
[[nodiscard]] std::uint64_t longestPayload(FrameKind kind);

using Bytes = std::vector<std::byte>;

struct Frame {
    FrameKind kind = FrameKind::bye;
    Bytes payload;
};

/// A whole frame: header and payload.
[[nodiscard]] Bytes encodeFrame(FrameKind kind, std::span<const std::byte> payload);

/// Takes a stream apart into frames. Memory grows with what has arrived, never with what a header promises.
class FrameReader {
public:
    /// Adds bytes as they came.
    void add(std::span<const std::byte> bytes);

    /// The next whole frame, none where more bytes are needed, or one sentence (ErrorKind::invalidInput)
    /// about what is wrong with the stream; nothing can be read from it any more.
    [[nodiscard]] Result<std::optional<Frame>> next();

    /// Bytes that wait for the rest of their frame.
    [[nodiscard]] std::size_t waiting() const;

private:
    Bytes m_bytes;
    std::size_t m_begin = 0;  // of m_bytes: where the next frame begins
};

}  // namespace phaseladder::gpu
