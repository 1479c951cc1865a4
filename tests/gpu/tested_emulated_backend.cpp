#include "gpu/gpu_backend.h"
#include "tests/core/tested_backends.h"

namespace phaseladder::tests {

/// The helper program, its kernels on the processor.
std::vector<TestedBackend> testedBackends() {
    std::vector<TestedBackend> list;
    list.push_back(
        {gpu::makeGpuBackend({.command = QStringLiteral("\"" PHASELADDER_GPU_HELPER "\" --emulate"),
                              .silence = std::chrono::minutes(5)}),
         Precision::single, PHASELADDER_PROBLEMS});
    return list;
}

}  // namespace phaseladder::tests
