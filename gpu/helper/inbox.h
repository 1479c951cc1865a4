#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "gpu/protocol/frame.h"

namespace phaseladder::gpu {

/// What the program writes, read by a thread of its own, so that a cancel is seen while the device computes.
class Inbox {
public:
    /// Reads from this file descriptor until its end, a bye, or what is no frame. After an end or a bye, the
    /// process is ended where nobody leaves the inbox within two seconds: its device does not answer.
    explicit Inbox(int from);
    /// Waits for the end of what is read.
    ~Inbox();
    Inbox(const Inbox&) = delete;
    Inbox& operator=(const Inbox&) = delete;

    /// The next frame; none at the end of the line, and then `refusal` may say what is wrong with it.
    [[nodiscard]] std::optional<Frame> next();
    [[nodiscard]] std::string refusal() const;

    /// Whether the program does not want the answer to this request any more.
    [[nodiscard]] bool isCancelled(std::uint64_t request) const;

private:
    void read(int from);
    void take(const Frame& frame);

    mutable std::mutex m_mutex;  // guards what follows
    std::condition_variable m_changed;
    std::deque<Frame> m_frames;
    std::string m_refusal;
    bool m_hasEnded = false;
    bool m_isLeft = false;  // nobody asks any more
    std::atomic<std::uint64_t> m_cancelled{0};
    std::atomic<bool> m_isClosed{false};
    std::thread m_reader;
};

}  // namespace phaseladder::gpu
