#include "core/attention/backend.h"

namespace phaseladder {

std::unique_ptr<Backend> makeCpuBackend() {
    return makeReferenceBackend();
}

}  // namespace phaseladder
