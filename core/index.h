#pragma once

#include <cstddef>
#include <cstdint>

namespace phaseladder {

/// A number that is not below 0, as the index of a container.
[[nodiscard]] inline std::size_t index(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

}  // namespace phaseladder
