#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "gpu/helper/device_problem.h"
#include "gpu/helper/device_session.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {

/// The matrices and problems that were sent, as long as there is room: what was not used for longest is
/// forgotten first, and the program sends it again.
class ProblemStore {
public:
    explicit ProblemStore(DeviceSession& session) : m_session(session) {}

    /// Takes a matrix in. Where there is no room, it is not there.
    void add(const RowsMessage& rows);
    /// Notes a problem. Why it does not fit its matrices, in one sentence without a full stop, else empty.
    [[nodiscard]] std::string add(ProblemMessage problem);

    /// The problem in device memory, made when it is asked for first; null where it, or one of its matrices,
    /// is not there (any more), or where the session has failed. It stays as long as nothing else is called.
    [[nodiscard]] DeviceProblem* find(std::uint64_t key, const std::function<void()>& meanwhile);

    /// Forgets all but this one; whether there was something.
    bool keepOnly(std::uint64_t problem);

private:
    struct StoredRows {
        std::uint64_t key;
        DeviceRows rows;
    };
    struct StoredProblem {
        ProblemMessage message;
        std::unique_ptr<DeviceProblem> problem;  // null: not made yet
    };

    [[nodiscard]] DeviceRows* findRows(std::uint64_t key);
    [[nodiscard]] std::unique_ptr<DeviceProblem> make(const ProblemMessage& message,
                                                      const std::function<void()>& meanwhile);
    bool forgetOldestRows(std::size_t kept);

    DeviceSession& m_session;
    std::list<StoredRows> m_rows;         // the one used last first
    std::list<StoredProblem> m_problems;  // likewise
    std::optional<DeviceFault> m_noRoom;  // why a matrix that came is not there
};

}  // namespace phaseladder::gpu
