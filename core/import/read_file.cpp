#include "core/import/read_file.h"

#include <cassert>
#include <cerrno>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/import/text.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

tl::unexpected<Error> tooLarge(const std::filesystem::path& path, std::uintmax_t bytes, std::size_t limit) {
    return fail(ErrorKind::invalidInput, fmt::format("{} is {} bytes; the limit is {}.", quotedPath(path),
                                                     formatGrouped(bytes), formatGrouped(limit)));
}

tl::unexpected<Error> unreadable(const std::filesystem::path& path, const std::error_code& error) {
    std::string reason = error.message();
    if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
        reason = "no such file";
    } else if (error == std::errc::permission_denied) {
        reason = "permission denied";
    } else if (error == std::errc::filename_too_long) {
        reason = "the name is too long";
    } else if (error == std::errc::too_many_symbolic_link_levels) {
        reason = "its symbolic links lead in a circle";
    }
    return fail(ErrorKind::invalidInput, fmt::format("Cannot read {} ({}).", quotedPath(path), reason));
}

tl::unexpected<Error> fileChanged() {
    return fail(ErrorKind::invalidInput, "File changed while reading; try again.");
}

struct FoundFile {
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type changedAt;
};

/// Looks, without opening anything: a FIFO or a device would wait or never end.
Result<FoundFile> findRegularFile(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) {
        return unreadable(path, std::make_error_code(std::errc::no_such_file_or_directory));
    }
    if (error) {
        return unreadable(path, error);
    }
    if (!std::filesystem::is_regular_file(status)) {
        return fail(ErrorKind::invalidInput, fmt::format("Not a regular file: {}.", quotedPath(path)));
    }
    FoundFile found;
    found.bytes = std::filesystem::file_size(path, error);
    if (!error) {
        found.changedAt = std::filesystem::last_write_time(path, error);
    }
    if (error) {
        return unreadable(path, error);
    }
    return found;
}

Result<std::ifstream> openStream(const std::filesystem::path& path) {
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        return unreadable(path, std::error_code(errno, std::generic_category()));
    }
    return stream;
}

}  // namespace

Result<std::string> readFile(const std::filesystem::path& path, std::size_t limit) {
    const Result<FoundFile> found = findRegularFile(path);
    if (!found) {
        return tl::unexpected(found.error());
    }
    if (found->bytes > limit) {
        return tooLarge(path, found->bytes, limit);
    }
    Result<std::ifstream> file = openStream(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    // A file in /proc says 0 bytes and holds some, and a file may grow: read on until its end or the limit.
    std::string bytes;
    constexpr std::size_t blockBytes = 1u << 16;
    while (*file && bytes.size() <= limit) {
        const std::size_t before = bytes.size();
        bytes.resize(before + blockBytes);
        file->read(bytes.data() + before, static_cast<std::streamsize>(blockBytes));
        bytes.resize(before + static_cast<std::size_t>(file->gcount()));
    }
    if (file->bad()) {
        return unreadable(path, std::make_error_code(std::errc::io_error));
    }
    if (bytes.size() > limit) {
        return tooLarge(path, bytes.size(), limit);
    }
    return bytes;
}

Result<OpenFile> OpenFile::open(const std::filesystem::path& path) {
    const Result<FoundFile> found = findRegularFile(path);
    if (!found) {
        return tl::unexpected(found.error());
    }
    errno = 0;
    OpenFile file;
    file.m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file.m_descriptor < 0) {
        return unreadable(path, std::error_code(errno, std::generic_category()));
    }
    file.m_path = path;
    file.m_bytes = found->bytes;
    file.m_changedAt = found->changedAt;
    return file;
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_bytes(other.m_bytes),
      m_changedAt(other.m_changedAt),
      m_descriptor(std::exchange(other.m_descriptor, -1)) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_bytes, other.m_bytes);
    std::swap(m_changedAt, other.m_changedAt);
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

OpenFile::~OpenFile() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

Result<void> OpenFile::read(std::uint64_t offset, std::span<char> into) const {
    assert(offset <= m_bytes && into.size() <= m_bytes - offset);
    while (!into.empty()) {
        const ssize_t count = ::pread(m_descriptor, into.data(), into.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return unreadable(m_path, std::error_code(errno, std::generic_category()));
        }
        if (count == 0) {
            return fileChanged();
        }
        into = into.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

Result<void> OpenFile::checkUnchanged() const {
    const Result<FoundFile> now = findRegularFile(m_path);
    if (!now || now->bytes != m_bytes || now->changedAt != m_changedAt) {
        return fileChanged();
    }
    return {};
}

std::string quotedPath(const std::filesystem::path& path) {
    return quotedText(path.string(), std::numeric_limits<std::size_t>::max());
}

}  // namespace phaseladder
