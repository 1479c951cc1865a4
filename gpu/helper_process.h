#pragma once

#include <QString>
#include <QStringList>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

#include "core/result.h"
#include "gpu/protocol/frame.h"

class QThread;

namespace phaseladder::gpu {

/// A helper program and the line to it: its standard input and output. A thread of its own owns the process,
/// writes what is to be sent in portions and reads meanwhile, so that neither side ever waits for the other
/// with a full pipe. The functions may be called from one thread at a time, which needs no event loop.
class HelperProcess {
public:
    /// Starts it: a program and its arguments. `name` is what sentences call it. The line is lost where
    /// nothing has moved on it for `silence` while an answer is waited for.
    HelperProcess(const QStringList& words, const std::string& name, std::chrono::milliseconds silence);
    /// Says goodbye, and ends a process that does not end by itself; waits for half a second at most.
    ~HelperProcess();
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;

    /// Puts a frame at the end of what is to be sent, and returns at once.
    void send(Bytes frame);

    /// The next frame of the helper. Errors: cancelled, or unavailable with what happened to the line, a
    /// sentence without its full stop: nothing comes from it any more.
    [[nodiscard]] Result<Frame> receive(const std::stop_token& stop);

private:
    struct Inbox;
    class Line;

    std::string m_name;
    std::chrono::milliseconds m_silence;
    std::shared_ptr<Inbox> m_inbox;
    std::unique_ptr<Line> m_line;  // lives in the thread
    std::unique_ptr<QThread> m_thread;
};

/// A command as a program and its arguments, split like a shell line; no shell runs it. A bare
/// "phaseladder-gpu" is the one beside this program, else the one in PATH; without either the list is empty.
[[nodiscard]] QStringList helperWords(const QString& command);

}  // namespace phaseladder::gpu
