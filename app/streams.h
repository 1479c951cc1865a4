#pragma once

#include <string_view>

#include "core/result.h"

namespace phaseladder::app {

/// Holds the places of standard input, output and error where the caller closed them, so that no file that is
/// opened later takes one of them and receives our messages; writing to such a place fails. First of all in
/// main.
void reserveStandardStreams();

/// Writes results to standard output and flushes it. Error: notWritten.
[[nodiscard]] Result<void> writeOutput(std::string_view bytes);

/// writeOutput with the exit code of the command: done, or not written, which is reported.
[[nodiscard]] int printOutput(std::string_view text);

/// Prints one sentence as "phaseladder: …" on standard error, on one line: control characters, which a file
/// name or an argument may hold, are escaped. A standard error that cannot be written is no reason to stop.
void printMessage(std::string_view sentence);

}  // namespace phaseladder::app
