#include "app/backend_options.h"

#include <fmt/format.h>

#include "gpu/gpu_backend.h"

namespace phaseladder::app {
namespace {

/// A helper that is named computes all maps, small ones too.
BackendChoice choiceOf(const BackendOptions& options) {
    return options.backend == QStringLiteral("reference") ? BackendChoice::reference
           : options.backend == QStringLiteral("cpu")     ? BackendChoice::cpu
           : options.backend == QStringLiteral("gpu")     ? BackendChoice::gpu
           : options.helper.isEmpty()                     ? BackendChoice::automatic
                                                          : BackendChoice::gpuFirst;
}

}  // namespace

Result<Backends> chooseBackends(const BackendOptions& options) {
    Backends backends(gpu::makeGpuBackend({.command = options.helper}));
    if (const Result<void> chosen = backends.choose(choiceOf(options)); !chosen) {
        return fail(ErrorKind::unavailable,
                    fmt::format("GPU asked for, but: {}. Use --backend cpu.", chosen.error().message));
    }
    return backends;
}

}  // namespace phaseladder::app
