#pragma once

#include <string>
#include <vector>

#include "gpu/helper/attention_run.h"
#include "gpu/helper/device_probe.h"
#include "gpu/helper/problem_store.h"

namespace phaseladder::tests {

/// The device that a helper's command would use, in this process and without a pipe.
class OwnDevice {
public:
    explicit OwnDevice(const std::vector<std::string>& helper);

    void add(const gpu::RowsMessage& rows) { m_store.add(rows); }
    void add(const gpu::ProblemMessage& problem) { (void)m_store.add(problem); }
    /// The answer, or why there is none. The problem is in device memory when the run begins.
    [[nodiscard]] Result<gpu::ResultMessage> run(const gpu::RunMessage& message);
    /// Of the last run, from its beginning to its answer in the host's memory.
    [[nodiscard]] double wallMilliseconds() const { return m_wallMilliseconds; }
    [[nodiscard]] const gpu::HelperHello& hello() const { return m_hello; }

private:
    gpu::DeviceSession m_session;
    gpu::HelperHello m_hello;
    gpu::ProblemStore m_store;
    double m_wallMilliseconds = 0.0;
};

}  // namespace phaseladder::tests
