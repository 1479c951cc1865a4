#pragma once

#include <span>
#include <string_view>

namespace phaseladder::tests {

/// A kind of input that is fuzzed. `read` takes any bytes, as a file of that kind, and throws
/// std::logic_error where the reader breaks its word: a refusal that is no sentence, an answer that
/// contradicts itself.
struct FuzzedInput {
    std::string_view name;  ///< of its folder in tests/fuzz/corpus
    void (*read)(std::string_view bytes);
};

/// npy, safetensors, config, scene: one file each.
[[nodiscard]] std::span<const FuzzedInput> fuzzedInputs();

void readFuzzedNpy(std::string_view bytes);
void readFuzzedSafetensors(std::string_view bytes);
void readFuzzedConfig(std::string_view bytes);
void readFuzzedScene(std::string_view bytes);

}  // namespace phaseladder::tests
