#pragma once

#include <cstdint>
#include <limits>

namespace phaseladder::gpu {

// The ranges of the protocol's numbers that several messages share.

inline constexpr std::int64_t mostRows = std::numeric_limits<std::int32_t>::max();
inline constexpr std::uint32_t largestWidth = 4096;
inline constexpr std::int64_t latestStart = std::int64_t{1} << 40U;
/// Of keys and ids; they begin at 1, 0 is none.
inline constexpr std::uint64_t lastKey = std::numeric_limits<std::uint64_t>::max();
/// Numbers of a map, 1 GiB.
inline constexpr std::int64_t mostPixels = std::int64_t{1} << 28U;
inline constexpr std::uint64_t mostEchoNumbers = std::uint64_t{1} << 26U;

}  // namespace phaseladder::gpu
