#pragma once

#include <vector>

#include "tests/gpu/case_builder.h"

namespace phaseladder::tests {

/// What tests/golden/gpu holds, NAME.frames each: for machines that have nothing but a GPU and its compiler.
/// One file for every encoding, then slots of plans, parts of texts, longer texts, tensor cores, and orders.
[[nodiscard]] std::vector<CaseFile> gpuCases();

}  // namespace phaseladder::tests
