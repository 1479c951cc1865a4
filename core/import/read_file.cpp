#include "core/import/read_file.h"

#include <cerrno>
#include <fstream>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "core/import/text.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

std::string grouped(std::uintmax_t bytes) {
    return formatGrouped(static_cast<double>(bytes));
}

tl::unexpected<Error> tooLarge(const std::filesystem::path& path, std::uintmax_t bytes, std::size_t limit) {
    return fail(ErrorKind::invalidInput, fmt::format("{} is {} bytes; the limit is {}.", quotedPath(path),
                                                     grouped(bytes), grouped(limit)));
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

}  // namespace

Result<std::string> readFile(const std::filesystem::path& path, std::size_t limit) {
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
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) {
        return unreadable(path, error);
    }
    if (size > limit) {
        return tooLarge(path, size, limit);
    }

    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return unreadable(path, std::error_code(errno, std::generic_category()));
    }
    // A file in /proc says 0 bytes and holds some, and a file may grow: read on until its end or the limit.
    std::string bytes;
    constexpr std::size_t blockBytes = 1u << 16;
    while (file && bytes.size() <= limit) {
        const std::size_t before = bytes.size();
        bytes.resize(before + blockBytes);
        file.read(bytes.data() + before, static_cast<std::streamsize>(blockBytes));
        bytes.resize(before + static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) {
        return unreadable(path, std::make_error_code(std::errc::io_error));
    }
    if (bytes.size() > limit) {
        return tooLarge(path, bytes.size(), limit);
    }
    return bytes;
}

std::string quotedPath(const std::filesystem::path& path) {
    return quotedText(path.string(), std::numeric_limits<std::size_t>::max());
}

}  // namespace phaseladder
