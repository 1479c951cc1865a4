#include "tests/core/tested_backends.h"

namespace phaseladder::tests {

std::vector<TestedBackend> testedBackends() {
    std::vector<TestedBackend> list;
    list.push_back({makeReferenceBackend(), Precision::twice});
    list.push_back({makeCpuBackend(), Precision::single});
    return list;
}

}  // namespace phaseladder::tests
