#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "core/result.h"

namespace phaseladder {

/// A regular file's bytes, at most `limit`. A directory, FIFO or device is refused without opening it ("Not a
/// regular file."); the message quotes the path with control characters escaped.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path, std::size_t limit);

/// A path for messages: in quotes, control characters as \n, \x1b …
[[nodiscard]] std::string quotedPath(const std::filesystem::path& path);

}  // namespace phaseladder
