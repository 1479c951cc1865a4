#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace phaseladder {

/// What kind of thing went wrong; the command line maps each kind to an exit code (command line contract).
enum class ErrorKind {
    failed,        ///< failed while working (exit 1)
    usage,         ///< a wrong argument or a value outside its hard limits (exit 2)
    invalidInput,  ///< a file that cannot be read or whose content is invalid (exit 3)
    notWritten,    ///< an output that could not be written (exit 4)
    unavailable,   ///< a backend that was asked for by name and is not there (exit 5)
    cancelled,     ///< a stop was requested; nothing is shown to the user
};

/// One sentence for the person: what, the value seen, the allowed range.
struct Error {
    ErrorKind kind = ErrorKind::failed;
    std::string message;

    friend bool operator==(const Error&, const Error&) = default;
};

/// A value, or the reason why there is none. Used for all that a user, a file or a machine can cause.
template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
    return tl::unexpected<Error>(Error{kind, std::move(message)});
}

}  // namespace phaseladder
