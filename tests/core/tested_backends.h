#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/attention/backend.h"

namespace phaseladder::tests {

enum class Precision { twice, single };

struct TestedBackend {
    std::unique_ptr<Backend> backend;
    Precision precision;
    std::size_t mostProblems = 8;  ///< that it is given of each kind: the same with other numbers
};

/// The backends of which backend_contract_test asks what it asks. Each of its programs has its own.
[[nodiscard]] std::vector<TestedBackend> testedBackends();

}  // namespace phaseladder::tests
