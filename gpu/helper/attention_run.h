#pragma once

#include "gpu/helper/device_problem.h"
#include "gpu/helper/device_session.h"
#include "gpu/helper/score_pass.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {

/// Why a request cannot be one of the problem, in one sentence without a full stop; empty where it can.
[[nodiscard]] std::string wrongWith(const RunMessage& run, const DeviceProblem& problem);

/// Answers a request that fits its problem. Where the session has failed after it, the result means nothing:
/// outOfMemory may go with fewer bytes, cancelled is what the watch wanted.
[[nodiscard]] ResultMessage runAttention(DeviceSession& session, DeviceProblem& problem,
                                         const RunMessage& run, const RunWatch& watch,
                                         std::uint64_t chunkBytes);

}  // namespace phaseladder::gpu
