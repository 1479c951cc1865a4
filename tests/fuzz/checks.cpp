#include "tests/fuzz/checks.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "core/import/text.h"

namespace phaseladder::tests {

void require(bool holds, const std::string& what) {
    if (!holds) {
        throw std::logic_error(what);
    }
}

void requireSentence(const Error& error) {
    constexpr std::size_t longestSentence = 2000;
    const std::string& message = error.message;
    const auto isControl = [](char character) { return static_cast<unsigned char>(character) < 0x20; };
    require(error.kind == ErrorKind::invalidInput, "a refusal of another kind: " + message);
    require(!message.empty() && message.size() <= longestSentence, "a refusal that is no sentence");
    require(std::none_of(message.begin(), message.end(), isControl), "a control character in: " + message);
    require(checkUtf8(message).replacements == 0, "a refusal that is not UTF-8");
}

MemoryFile::MemoryFile(std::string_view bytes) : m_descriptor(memfd_create("fuzzed", 0)) {
    require(m_descriptor >= 0, "no file in memory");
    const ssize_t written = write(m_descriptor, bytes.data(), bytes.size());
    require(written == static_cast<ssize_t>(bytes.size()), "a file in memory was not written");
}

MemoryFile::~MemoryFile() {
    close(m_descriptor);
}

OpenFile MemoryFile::open() const {
    Result<OpenFile> file = OpenFile::open("/proc/self/fd/" + std::to_string(m_descriptor));
    require(file.has_value(), "a file in memory was not opened");
    return std::move(*file);
}

}  // namespace phaseladder::tests
