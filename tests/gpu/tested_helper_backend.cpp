#include <cstdio>
#include <cstdlib>

#include "gpu/gpu_backend.h"
#include "tests/core/tested_backends.h"

namespace phaseladder::tests {

/// A helper program. Where it cannot run the tests are skipped, and not passed.
std::vector<TestedBackend> testedBackends() {
    constexpr int skipped = 77;
    std::vector<TestedBackend> list;
    list.push_back({gpu::makeGpuBackend({.command = QStringLiteral("\"" PHASELADDER_GPU_HELPER
                                                                   "\" " PHASELADDER_GPU_ARGUMENTS),
                                         .silence = std::chrono::minutes(5)}),
                    Precision::single, PHASELADDER_PROBLEMS});
    const std::string why = list.front().backend->info().reason;
    // The last is what ThreadSanitizer says where addresses are too random for it.
    for (const char* absence :
         {"no NVIDIA driver found", "no GPU found", "the GPU helper was built without CUDA",
          "ThreadSanitizer: unexpected memory mapping"}) {
        if (why.find(absence) != std::string::npos) {
            std::printf("Skipped: %s.\n", why.c_str());
            std::exit(skipped);
        }
    }
    return list;
}

}  // namespace phaseladder::tests
