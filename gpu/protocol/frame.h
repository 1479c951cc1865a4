#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
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

/// Bytes of a frame before its payload, little-endian; XXH3 is XXH3_64bits without a seed:
///   0  the magic "PLGF"        8  u64 length of the payload    24  u64 XXH3 of bytes 0 .. 23
///   4  u16 version, u16 kind  16  u64 XXH3 of the payload
inline constexpr std::size_t frameHeaderBytes = 32;
inline constexpr std::uint16_t protocolVersion = 1;

/// The longest payload of a kind, in bytes: none of bye, 64 KiB of what has no arrays, 4 GiB of the others.
/// A longer one is refused by the other side: whoever writes sees to it that it fits.
[[nodiscard]] std::uint64_t longestPayload(FrameKind kind);

using Bytes = std::vector<std::byte>;

struct Frame {
    FrameKind kind = FrameKind::bye;
    Bytes payload;
};

/// A whole frame: header and payload.
[[nodiscard]] Bytes encodeFrame(FrameKind kind, std::span<const std::byte> payload);

/// The two ends of a stream.
enum class Side { program, helper };

/// Takes a stream apart into frames. Memory grows with what has arrived, never with what a header promises,
/// but for 8 MiB once a payload begins.
class FrameReader {
public:
    /// Of what the other side writes; sentences name it.
    explicit FrameReader(Side other = Side::helper);

    /// Adds bytes as they came.
    void add(std::span<const std::byte> bytes);

    /// The next whole frame, none where more bytes are needed, or one sentence (ErrorKind::invalidInput)
    /// about what is wrong with the stream; nothing can be read from it any more.
    [[nodiscard]] Result<std::optional<Frame>> next();

    /// Bytes that wait for the rest of their frame.
    [[nodiscard]] std::size_t waiting() const;

private:
    [[nodiscard]] std::size_t addToHeader(std::span<const std::byte> bytes);
    [[nodiscard]] std::size_t addToPayload(std::span<const std::byte> bytes);
    [[nodiscard]] std::string wrongInHeader() const;
    void finishFrame();
    void refuse(std::string sentence);

    Side m_other;
    std::array<std::byte, frameHeaderBytes> m_header{};
    std::size_t m_headerBytes = 0;  // of m_header, that have arrived
    Bytes m_payload;                // of the frame that m_header begins, as far as it has arrived
    std::deque<Frame> m_frames;     // whole ones
    std::string m_refusal;          // empty as long as the stream is good
};

}  // namespace phaseladder::gpu
