#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "core/result.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::tests {

/// A helper process and the two pipes to it. A helper that cannot be started, ends, or is silent for minutes
/// shows as a sentence of whatever is asked next.
class HelperLine {
public:
    explicit HelperLine(const std::vector<std::string>& command);
    /// Says bye and waits for its end.
    ~HelperLine();
    HelperLine(const HelperLine&) = delete;
    HelperLine& operator=(const HelperLine&) = delete;

    /// Hello and hello; one that is not ready shows as its reason (ErrorKind::unavailable).
    [[nodiscard]] Result<gpu::HelperHello> greet();
    /// Sends what has no answer.
    void send(const gpu::Bytes& frame);
    /// Sends a request and waits for its result.
    [[nodiscard]] Result<gpu::ResultMessage> ask(const gpu::Bytes& request);

private:
    [[nodiscard]] Result<gpu::Frame> receive();

    pid_t m_process = -1;
    int m_to = -1, m_from = -1;
    gpu::FrameReader m_reader;
};

}  // namespace phaseladder::tests
