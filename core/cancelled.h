#pragma once

#include "core/result.h"

namespace phaseladder {

/// What work that was asked to stop returns; nothing of it is shown.
[[nodiscard]] inline tl::unexpected<Error> cancelled() {
    return fail(ErrorKind::cancelled, "Cancelled.");
}

}  // namespace phaseladder
