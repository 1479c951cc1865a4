#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/result.h"

namespace phaseladder {

/// A JSON text that a person or a file gave us, refused with one sentence before it is used: cut off ("JSON
/// ends at byte 512"), nested deeper than 64 levels (byte), a key twice in one object (both lines), any other
/// syntax error (line and byte), a number beyond double, above `limit` bytes, more than `maximumValues`
/// values, a string above 1 MiB. Keys keep their order. The error is of kind invalidInput.
[[nodiscard]] Result<nlohmann::ordered_json> parseCheckedJson(std::string_view text, std::size_t limit,
                                                              std::size_t maximumValues = 100'000);

}  // namespace phaseladder
