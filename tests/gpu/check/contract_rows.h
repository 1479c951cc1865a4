#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/gpu/check/table.h"

namespace phaseladder::tests {

/// Asks a new helper what a case file asks, and compares its answers with those of the file.
[[nodiscard]] Row contractRow(const std::filesystem::path& file, const std::vector<std::string>& helper);

}  // namespace phaseladder::tests
