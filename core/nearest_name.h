#pragma once

#include <span>
#include <string>
#include <string_view>

namespace phaseladder {

/// The known name with the smallest edit distance (also compared without its "group." prefix), or empty when
/// none is near.
[[nodiscard]] std::string nearestName(std::string_view wanted, std::span<const std::string> known);

/// " (did you mean 'x'?)" or nothing.
[[nodiscard]] std::string didYouMean(std::string_view wanted, std::span<const std::string> known);

}  // namespace phaseladder
