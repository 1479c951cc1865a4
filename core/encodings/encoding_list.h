#pragma once

#include "core/encodings/encoding.h"

namespace phaseladder {

// One function an encoding, in the file of its name; core/encodings/encoding.cpp puts them in order.
[[nodiscard]] Encoding noEncoding();
[[nodiscard]] Encoding sinusoidalEncoding();
[[nodiscard]] Encoding ropeEncoding();

}  // namespace phaseladder
