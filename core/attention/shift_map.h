#pragma once

#include <cstdint>

#include "core/attention/content.h"
#include "core/encodings/encoding.h"
#include "core/scene.h"

namespace phaseladder {

/// M with PE(p + shift) = M · PE(p) for the rows of sinusoidalRows: width × width. Each pair turns by
/// shift · ω:
///   sin'  =  cos(shift ω) sin + sin(shift ω) cos
///   cos'  = -sin(shift ω) sin + cos(shift ω) cos
/// A last column of zeros (tensor2tensor, odd width) stays 0. A sine without its cosine (paper, odd width)
/// has no such map: its row keeps cos(shift ω) sin and misses the rest.
[[nodiscard]] RowMatrix sinusoidalShift(const SinusoidalSettings& settings, int width, std::int64_t shift);

/// The rotation itself as a matrix, width × width: a row vector at position p becomes that at p + shift.
/// Channels that do not rotate stay; the attention factor and growth are left out.
[[nodiscard]] RowMatrix rotationShift(const PairRotation& rotation, int width, std::int64_t shift);

/// The map that takes rows i of `from` to rows i of `to` best (least squares; the smallest one where several
/// do): to_i ≈ M · from_i, width × width.
[[nodiscard]] RowMatrix fittedMap(const RowMatrix& from, const RowMatrix& to);

}  // namespace phaseladder
