// The fuzzer of one kind of input, whose name is PHASELADDER_FUZZED: libFuzzer calls these.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/inputs.h"
#include "tests/fuzz/mutators.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t largest);

namespace {

using phaseladder::tests::FuzzedInput;
using phaseladder::tests::fuzzedInputs;

constexpr std::string_view fuzzed = PHASELADDER_FUZZED;

std::string mutateText(std::string text) {
    const std::size_t size = text.size();
    constexpr std::size_t growth = 64;
    text.resize(size + growth);
    text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzedInput& input =
        *std::find_if(fuzzedInputs().begin(), fuzzedInputs().end(),
                      [](const FuzzedInput& candidate) { return candidate.name == fuzzed; });
    input.read({reinterpret_cast<const char*>(data), size});
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t largest,
                                               unsigned int seed) {
    std::string (*const mutated)(std::string, std::uint32_t, const phaseladder::tests::Mutate&) =
        fuzzed == "npy"               ? phaseladder::tests::mutatedNpy
        : fuzzed == "safetensors"     ? phaseladder::tests::mutatedSafetensors
        : fuzzed.ends_with("_stream") ? phaseladder::tests::mutatedStream
                                      : nullptr;
    if (mutated == nullptr) {
        return LLVMFuzzerMutate(data, size, largest);
    }
    const std::string after =
        mutated(std::string(reinterpret_cast<const char*>(data), size), seed, mutateText);
    const std::size_t kept = std::min(after.size(), largest);
    std::copy_n(after.begin(), kept, data);
    return kept;
}
