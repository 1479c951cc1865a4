#pragma once

#include <span>
#include <string_view>

namespace phaseladder::tests {

/// A kind of input that is fuzzed. `read` takes any bytes, as a file or a stream of that kind, and throws
/// std::logic_error where the reader breaks its word: a refusal that is no sentence, an answer that
/// contradicts itself.
struct FuzzedInput {
    std::string_view name;  ///< of its folder in tests/fuzz/corpus
    void (*read)(std::string_view bytes);
};

/// npy, safetensors, config: one file each; what a GPU helper reads and what the program reads from it:
/// helper_stream, client_stream; scene.
[[nodiscard]] std::span<const FuzzedInput> fuzzedInputs();

void readFuzzedNpy(std::string_view bytes);
void readFuzzedSafetensors(std::string_view bytes);
void readFuzzedConfig(std::string_view bytes);
void readFuzzedHelperStream(std::string_view bytes);
void readFuzzedClientStream(std::string_view bytes);
void readFuzzedScene(std::string_view bytes);

}  // namespace phaseladder::tests
