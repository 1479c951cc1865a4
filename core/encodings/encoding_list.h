#pragma once

#include "core/encodings/encoding.h"

namespace phaseladder {

// One function an encoding, in the file of its name; core/encodings/encoding.cpp puts them in order.
[[nodiscard]] Encoding noEncoding();
[[nodiscard]] Encoding learnedEncoding();
[[nodiscard]] Encoding sinusoidalEncoding();
[[nodiscard]] Encoding relativeBiasEncoding();
[[nodiscard]] Encoding shawEncoding();
[[nodiscard]] Encoding t5Encoding();
[[nodiscard]] Encoding alibiEncoding();
[[nodiscard]] Encoding transformerXlEncoding();
[[nodiscard]] Encoding ropeEncoding();
[[nodiscard]] Encoding xposEncoding();

}  // namespace phaseladder
