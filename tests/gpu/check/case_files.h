#pragma once

#include <filesystem>
#include <vector>

#include "core/result.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::tests {

/// The files NAME.frames of a folder by their names, or a sentence.
[[nodiscard]] Result<std::vector<std::filesystem::path>> caseFiles(const std::filesystem::path& folder);

/// The frames of a file, or a sentence about what is wrong with it.
[[nodiscard]] Result<std::vector<gpu::Frame>> readFrames(const std::filesystem::path& file);

/// The largest difference, relative to the right number where that is above 1. Infinite where there are more
/// or fewer numbers, and where only one of two is a number.
[[nodiscard]] double largestError(const std::vector<float>& ours, const std::vector<float>& right);

}  // namespace phaseladder::tests
