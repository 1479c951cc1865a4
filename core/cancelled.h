#pragma once

#include <stop_token>
#include <utility>

#include "core/result.h"

namespace phaseladder {

/// What work that was asked to stop returns; nothing of it is shown.
[[nodiscard]] inline tl::unexpected<Error> cancelled() {
    return fail(ErrorKind::cancelled, "Cancelled.");
}

/// Whether an inner loop was asked to stop: looks at the token at every 64th step. What such a loop leaves
/// out is of no use: its caller returns cancelled().
class StopLook {
public:
    explicit StopLook(std::stop_token stop) : m_stop(std::move(stop)) {}
    [[nodiscard]] bool operator()() {
        m_isStopped = m_isStopped || (m_step++ % 64 == 0 && m_stop.stop_requested());
        return m_isStopped;
    }

private:
    std::stop_token m_stop;
    int m_step = 0;
    bool m_isStopped = false;
};

}  // namespace phaseladder
