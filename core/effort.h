#pragma once

namespace phaseladder {

/// How much of what takes long a caller wants now: what can be had at once (about 60 ms); to go on with it
/// for a while (about 100 ms) and hand over what is there; or all of it, however long it takes.
enum class Effort { quick, more, whole };

}  // namespace phaseladder
