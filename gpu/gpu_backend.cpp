#include "gpu/gpu_backend.h"

namespace phaseladder::gpu {
namespace {

class GpuBackend final : public Backend {
public:
    BackendInfo info() const override {
        return {"gpu", "GPU through phaseladder-gpu", false,
                "GPU asked for, but this build has no GPU helper program (phaseladder-gpu). Use --backend "
                "cpu."};
    }

    Result<AttentionResult> run(const AttentionRequest&, std::stop_token) override {
        return fail(ErrorKind::unavailable, info().reason);
    }
};

}  // namespace

std::unique_ptr<Backend> makeGpuBackend() {
    return std::make_unique<GpuBackend>();
}

}  // namespace phaseladder::gpu
