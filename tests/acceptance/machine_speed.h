#pragma once

namespace phaseladder::tests {

/// Why this build says nothing about speed ("AddressSanitizer"), or null.
[[nodiscard]] const char* slowBuildReason();

/// How much of the machine's processors this program gets, 0 to 1: work on all of them at once, its processor
/// time over its wall time. Takes about a tenth of a second.
[[nodiscard]] double processorShare();

}  // namespace phaseladder::tests
