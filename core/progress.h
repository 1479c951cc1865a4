#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace phaseladder {

/// How far a long computation has come: written by the threads that compute, read by any other one. The
/// computation begins with what it has to do, adds what it has done, and ends.
class Progress {
public:
    /// `what` for people, in the present participle: "counting distinct states"; it must stay.
    void begin(const char* what, std::int64_t steps) {
        m_what = what;
        m_done = 0;
        m_steps = steps;
    }
    void add(std::int64_t steps) { m_done.fetch_add(steps, std::memory_order_relaxed); }
    void end() { m_steps = 0; }

    /// 0 .. 1; below 0 while nothing that tells its progress goes on.
    [[nodiscard]] double share() const {
        const std::int64_t steps = m_steps;
        return steps <= 0 ? -1.0 : std::min(static_cast<double>(m_done) / static_cast<double>(steps), 1.0);
    }

    [[nodiscard]] const char* what() const { return m_what; }

private:
    std::atomic<const char*> m_what{""};
    std::atomic<std::int64_t> m_done{0}, m_steps{0};
};

/// A computation from its beginning to its end, however it ends; told to nobody where `progress` is null.
class ProgressSpan {
public:
    ProgressSpan(Progress* progress, const char* what, std::int64_t steps) : m_progress(progress) {
        if (m_progress != nullptr) {
            m_progress->begin(what, steps);
        }
    }
    ~ProgressSpan() {
        if (m_progress != nullptr) {
            m_progress->end();
        }
    }
    ProgressSpan(const ProgressSpan&) = delete;
    ProgressSpan& operator=(const ProgressSpan&) = delete;

    void add(std::int64_t steps) const {
        if (m_progress != nullptr) {
            m_progress->add(steps);
        }
    }

private:
    Progress* m_progress;
};

}  // namespace phaseladder
