#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "gpu/helper/device_calls.h"

namespace phaseladder::gpu {

/// A call that goes wrong, to test what follows from it. As text CALL:CODE[@REQUEST][*]
///   CALL      the name of a member of DeviceCalls
///   CODE      of CUDA; `hang`: nothing that was launched ends any more (query); `flip`: a bit of each number
///             of the request is wrong (download); driverVersion=NUMBER: what it answers
///   REQUEST   from 1 the request in which it happens, 0, as without it: before the first one
///   *         each such call of the request, or of all where REQUEST is not named; else the first one only
struct PlannedFault {
    enum class Kind { code, hang, flip, answer };

    std::string call;
    Kind kind = Kind::code;
    int number = 0;  ///< of the code, or the answer
    int request = 0;
    bool isEvery = false;
    bool isInAll = false;  ///< in every request
};

/// Refuses with one sentence (ErrorKind::usage).
[[nodiscard]] Result<PlannedFault> readFault(const std::string& text);

/// A device with faults.
[[nodiscard]] DeviceCalls makeFaulty(DeviceCalls device, std::vector<PlannedFault> faults);

}  // namespace phaseladder::gpu
