#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include "gpu/helper/device_session.h"
#include "gpu/helper/inbox.h"
#include "gpu/helper/problem_store.h"
#include "gpu/helper/run_watch.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {

/// Writes a whole frame; false where nobody listens any more.
using FrameWriter = std::function<bool(const Bytes& frame)>;

/// The helper's side of the protocol (gpu/README.md).
class Conversation {
public:
    Conversation(DeviceSession& session, Inbox& inbox, FrameWriter write);

    enum class End {
        ofLine,  ///< the program said bye, or is gone
        ofSelf,  ///< after a message that is none, or with a device that can be called no more
    };
    /// Answers until the end.
    [[nodiscard]] End run();

private:
    /// Why the helper ends by itself, or nothing.
    using Ending = std::optional<ErrorMessage>;

    [[nodiscard]] Ending answer(const Frame& frame);
    [[nodiscard]] Ending greet(const Frame& frame);
    void tellThatItLooks(const std::stop_token& stop);
    [[nodiscard]] Ending answer(const RunMessage& run);
    [[nodiscard]] Ending answer(const OrdersMessage& orders);
    void answer(const EchoMessage& echo);
    [[nodiscard]] ResultMessage compute(const RunMessage& run, DeviceProblem& problem);
    /// Writes a result, or the session's fault in its place.
    [[nodiscard]] Ending writeOutcome(std::uint64_t request, const ResultMessage& result);
    [[nodiscard]] RunWatch watch(std::uint64_t request);
    /// A progress frame, where nothing was written for a while.
    void tell(std::uint64_t request, std::int64_t doneRows, std::int64_t rows);
    void write(const Bytes& frame);

    DeviceSession& m_session;
    Inbox& m_inbox;
    FrameWriter m_write;
    ProblemStore m_store;
    HelperHello m_hello;
    bool m_hasGreeted = false;
    bool m_isHeard = true;
    std::chrono::steady_clock::time_point m_written;
};

}  // namespace phaseladder::gpu
