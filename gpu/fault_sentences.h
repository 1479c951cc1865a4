#pragma once

#include <string>

#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {

/// A sentence as a part of another one: without its full stop.
[[nodiscard]] std::string withoutStop(std::string sentence);

/// Why a helper that said hello computes nothing: what it saw, and what to do about it. Without a full stop.
[[nodiscard]] std::string whyNotReady(const HelperHello& hello);

/// What went wrong with a run, likewise.
[[nodiscard]] std::string whatFailed(const ErrorMessage& error);

/// Whether it is no fault of anything: a computer without such a GPU, or a program built without CUDA.
[[nodiscard]] bool isOrdinary(HelperState state);

}  // namespace phaseladder::gpu
