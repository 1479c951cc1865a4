#pragma once

#include <stop_token>

namespace phaseladder::app {

/// From now on Ctrl+C and SIGTERM ask the work to stop instead of ending the process on the spot: the token
/// is stopped, a running QCoreApplication is told to quit, and a process that has not ended by itself within
/// 900 ms is ended. Call once, before any other thread starts.
std::stop_token watchSignals();

/// 130 after Ctrl+C, 143 after SIGTERM, else the given code.
[[nodiscard]] int exitCodeAfterSignals(int code);

}  // namespace phaseladder::app
