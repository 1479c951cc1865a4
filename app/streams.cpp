#include "app/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "app/command_line.h"

namespace phaseladder::app {
namespace {

std::string withoutControls(std::string_view sentence) {
    constexpr unsigned char firstPrintable = 0x20, deleteCharacter = 0x7f;
    std::string line;
    for (const char character : sentence) {
        const auto code = static_cast<unsigned char>(character);
        if (character == '\n') {
            line += "\\n";
        } else if (code < firstPrintable || code == deleteCharacter) {
            line += fmt::format("\\x{:02x}", code);
        } else {
            line += character;
        }
    }
    return line;
}

}  // namespace

void reserveStandardStreams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
            // The lowest free number is this one; opened for reading, so that results do not vanish unseen.
            static_cast<void>(open("/dev/null", O_RDONLY));
        }
    }
}

Result<void> writeOutput(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0) {
        return {};
    }
    return fail(ErrorKind::notWritten,
                fmt::format("Standard output could not be written: {}.", std::strerror(errno)));
}

int printOutput(std::string_view text) {
    const Result<void> written = writeOutput(text);
    return written ? exitDone : report(written.error());
}

void printMessage(std::string_view sentence) {
    const std::string line = fmt::format("phaseladder: {}\n", withoutControls(sentence));
    static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
}

}  // namespace phaseladder::app
