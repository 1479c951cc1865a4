#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/encodings/encoding.h"

namespace phaseladder {

/// Pairs of time, row and column for M-RoPE: rope.sections, or the published models' shares of the pairs
/// (16 : 24 : 24 in turn, 24 : 20 : 20 interleaved), rounded so that they sum.
[[nodiscard]] std::vector<int> mropeSections(const Scene& scene, int pairs);

/// Names of the axes: "position"; "time", "row", "column"; "row", "column".
[[nodiscard]] std::vector<std::string> axisNames(RopeAxes axes);

/// Which axis turns each pair (see RopeAxes); empty for a text.
[[nodiscard]] std::vector<std::uint8_t> axisOfPair(const Scene& scene, int pairs);

/// Where tokens 0 .. tokens-1 stand: tokens × axes, row-major; empty for a text. M-RoPE: text has the same
/// number on all axes, a patch has the image's start as time and counts rows and columns from it, and the
/// next text token is one past the largest. 2-D: row i / columns, column i mod columns.
/// Source: get_rope_index of Hugging Face's Qwen2-VL.
[[nodiscard]] std::vector<std::int64_t> axisPositions(const Scene& scene, std::int64_t tokens);

/// Refuses sections that are no three whole numbers of pairs or do not sum to `pairs`, a 2-D width that
/// cannot be halved.
[[nodiscard]] Result<void> checkAxes(const Scene& scene, int pairs);

}  // namespace phaseladder
