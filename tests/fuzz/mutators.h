#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace phaseladder::tests {

/// Changes some bytes of a text at random: what the fuzzer does itself.
using Mutate = std::function<std::string(std::string)>;

// With plain changes nearly all inputs end at the first check of a binary format. These change the header's
// text, or the data, and then make lengths and offsets true again; a few times in eight they do not.

[[nodiscard]] std::string mutatedNpy(std::string bytes, std::uint32_t seed, const Mutate& mutate);
[[nodiscard]] std::string mutatedSafetensors(std::string bytes, std::uint32_t seed, const Mutate& mutate);
/// Frames between the program and its GPU helper, whose checksums are made true.
[[nodiscard]] std::string mutatedStream(std::string bytes, std::uint32_t seed, const Mutate& mutate);

}  // namespace phaseladder::tests
