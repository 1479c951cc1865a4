#pragma once

#include <string>
#include <string_view>

#include "core/import/read_file.h"
#include "core/result.h"

namespace phaseladder::tests {

/// Throws std::logic_error with `what` unless it holds.
void require(bool holds, const std::string& what);

/// The refusal of an input: one line of valid UTF-8 about an invalid input, of readable length.
void requireSentence(const Error& error);

/// A file in memory that holds bytes, as a path.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes);
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile();

    [[nodiscard]] OpenFile open() const;

private:
    int m_descriptor = -1;
};

}  // namespace phaseladder::tests
