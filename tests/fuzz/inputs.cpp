#include "tests/fuzz/inputs.h"

namespace phaseladder::tests {

std::span<const FuzzedInput> fuzzedInputs() {
    static constexpr FuzzedInput inputs[] = {{"npy", readFuzzedNpy},
                                             {"safetensors", readFuzzedSafetensors},
                                             {"config", readFuzzedConfig},
                                             {"helper_stream", readFuzzedHelperStream},
                                             {"client_stream", readFuzzedClientStream},
                                             {"scene", readFuzzedScene}};
    return inputs;
}

}  // namespace phaseladder::tests
