#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/result.h"

namespace phaseladder {

/// Where an answer about a file is kept: whether the file is looked at first, and read again where it has
/// changed; or the newest answer is good enough, because a disk must not hold up who asks.
enum class FileLook { now, remembered };

/// A regular file's bytes, at most `limit`. A directory, FIFO or device is refused without opening it ("Not a
/// regular file."); the message quotes the path with control characters escaped.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& path, std::size_t limit);

/// A regular file of any size, opened to read pieces of it: it is never mapped, so one that is cut short
/// meanwhile is an answer and no signal. A file that changes meanwhile (size or time of the last change) is
/// refused: "File changed while reading; try again."
class OpenFile {
public:
    OpenFile(OpenFile&& other) noexcept;
    OpenFile& operator=(OpenFile&& other) noexcept;
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile();

    /// Refuses as readFile does.
    [[nodiscard]] static Result<OpenFile> open(const std::filesystem::path& path);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// Size and time of the last change when it was opened.
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] std::filesystem::file_time_type changedAt() const { return m_changedAt; }

    /// Fills `into` with the bytes from `offset` on, which lie within bytes(). May be called from many
    /// threads.
    [[nodiscard]] Result<void> read(std::uint64_t offset, std::span<char> into) const;

    /// To be asked after the last read.
    [[nodiscard]] Result<void> checkUnchanged() const;

private:
    OpenFile() = default;

    std::filesystem::path m_path;
    std::uint64_t m_bytes = 0;
    std::filesystem::file_time_type m_changedAt;
    int m_descriptor = -1;
};

/// A path for messages: in quotes, control characters as \n, \x1b …
[[nodiscard]] std::string quotedPath(const std::filesystem::path& path);

}  // namespace phaseladder
