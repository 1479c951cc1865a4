#include "gpu/helper_process.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QMetaObject>
#include <QProcess>
#include <QStandardPaths>
#include <QThread>

#ifdef Q_OS_LINUX
#include <sys/prctl.h>
#endif

#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gpu/fault_sentences.h"

namespace phaseladder::gpu {
namespace {

using Clock = std::chrono::steady_clock;

const QString helperProgram = QStringLiteral("phaseladder-gpu");

/// What waits in the process' own buffer at most: of a long upload one portion is there, the rest is here.
constexpr std::size_t portionBytes = std::size_t{1} << 20;
constexpr std::size_t readBytes = std::size_t{1} << 20;
constexpr qsizetype mostLastWords = 4096;

constexpr int millisecondsToLeave = 100;
constexpr int millisecondsToDie = 300;

}  // namespace

/// What has come from the line, for the thread that waits.
struct HelperProcess::Inbox {
    std::mutex mutex;  // guards what follows
    std::condition_variable_any wake;
    std::deque<Frame> frames;
    std::optional<std::string> end;  // why nothing comes any more
    Clock::time_point lastMove;

    void move() {
        const std::lock_guard lock(mutex);
        lastMove = Clock::now();
    }
};

/// All of it runs in the thread of the line.
class HelperProcess::Line : public QObject {
public:
    Line(QStringList words, std::string name, std::shared_ptr<Inbox> inbox)
        : m_words(std::move(words)), m_name(std::move(name)), m_inbox(std::move(inbox)) {}

    void start() {
        m_process = std::make_unique<QProcess>();
        QProcess* process = m_process.get();
        connect(process, &QProcess::readyReadStandardOutput, this, &Line::read);
        connect(process, &QProcess::readyReadStandardError, this, &Line::readLastWords);
        connect(process, &QProcess::bytesWritten, this, [this] {
            m_inbox->move();
            write();
        });
        connect(process, &QProcess::finished, this, &Line::noteEnd);
        connect(process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart) {
                lose(fmt::format("the GPU helper \"{}\" cannot be started ({})", m_name,
                                 m_process->errorString().toStdString()));
            }
        });
#ifdef Q_OS_LINUX
        // Also where this program is ended on the spot, while the helper does not read its input.
        process->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
#endif
        process->start(m_words.first(), m_words.mid(1));
    }

    void add(Bytes frame) {
        m_outgoing.push_back(std::move(frame));
        write();
    }

    /// A process that no signal ends (it hangs in a driver) is left to the system, and with it its handle.
    void end() {
        if (m_process == nullptr) {
            return;
        }
        m_process->disconnect(this);
        if (m_process->state() != QProcess::NotRunning && m_hasSpoken && !m_isLost) {
            const Bytes bye = encodeFrame(FrameKind::bye, {});
            if (m_outgoing.empty()) {  // else it would be in the middle of a frame
                m_process->write(asChars(bye), static_cast<qint64>(bye.size()));
            }
            m_process->closeWriteChannel();
            m_process->waitForFinished(millisecondsToLeave);
        }
        if (m_process->state() != QProcess::NotRunning) {
            m_process->kill();
            m_process->waitForFinished(millisecondsToDie);
        }
        if (m_process->state() != QProcess::NotRunning) {
            static_cast<void>(m_process.release());
        }
        m_process.reset();
    }

private:
    static const char* asChars(std::span<const std::byte> bytes) {
        return static_cast<const char*>(static_cast<const void*>(bytes.data()));
    }

    void write() {
        if (m_process == nullptr || m_isLost) {
            return;
        }
        while (!m_outgoing.empty() && m_process->bytesToWrite() < static_cast<qint64>(portionBytes)) {
            const Bytes& frame = m_outgoing.front();
            const std::size_t portion = std::min(portionBytes, frame.size() - m_sentOfFirst);
            m_process->write(asChars(frame) + m_sentOfFirst, static_cast<qint64>(portion));
            m_sentOfFirst += portion;
            if (m_sentOfFirst == frame.size()) {
                m_outgoing.pop_front();
                m_sentOfFirst = 0;
            }
        }
    }

    void read() {
        m_buffer.resize(readBytes);
        while (!m_isLost) {
            const qint64 count = m_process->read(m_buffer.data(), static_cast<qint64>(m_buffer.size()));
            if (count <= 0) {
                return;
            }
            m_reader.add(std::as_bytes(std::span(m_buffer).first(static_cast<std::size_t>(count))));
            m_inbox->move();
            takeFrames();
        }
    }

    void takeFrames() {
        for (;;) {
            Result<std::optional<Frame>> frame = m_reader.next();
            if (!frame) {
                lose(fmt::format("the GPU helper \"{}\" does not speak its language: {}", m_name,
                                 withoutStop(frame.error().message)));
                return;
            }
            if (!*frame) {
                return;
            }
            m_hasSpoken = true;
            const std::lock_guard lock(m_inbox->mutex);
            m_inbox->frames.push_back(**std::move(frame));
            m_inbox->wake.notify_all();
        }
    }

    void readLastWords() {
        m_lastWords = (m_lastWords + m_process->readAllStandardError()).right(mostLastWords);
    }

    void noteEnd(int code, QProcess::ExitStatus status) {
        read();
        readLastWords();
        const QStringList lines =
            QString::fromLocal8Bit(m_lastWords).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        const std::string words =
            lines.isEmpty() ? "" : ": " + withoutStop(lines.last().simplified().toStdString());
        lose(status == QProcess::CrashExit
                 ? fmt::format("the GPU helper \"{}\" was ended by signal {}{}", m_name, code, words)
                 : fmt::format("the GPU helper \"{}\" ended with code {}{}", m_name, code, words));
    }

    void lose(std::string reason) {
        if (std::exchange(m_isLost, true)) {
            return;
        }
        m_outgoing.clear();
        if (m_process != nullptr && m_process->state() != QProcess::NotRunning) {
            m_process->kill();
        }
        const std::lock_guard lock(m_inbox->mutex);
        m_inbox->end = std::move(reason);
        m_inbox->wake.notify_all();
    }

    QStringList m_words;
    std::string m_name;
    std::shared_ptr<Inbox> m_inbox;
    std::unique_ptr<QProcess> m_process;
    FrameReader m_reader;
    std::vector<char> m_buffer;
    std::deque<Bytes> m_outgoing;
    std::size_t m_sentOfFirst = 0;  // bytes of the first of them that the process has taken over
    QByteArray m_lastWords;         // of its standard error
    bool m_hasSpoken = false;       // one that has not is not waited for at the end
    bool m_isLost = false;
};

HelperProcess::HelperProcess(const QStringList& words, const std::string& name,
                             std::chrono::milliseconds silence)
    : m_name(name),
      m_silence(silence),
      m_inbox(std::make_shared<Inbox>()),
      m_line(std::make_unique<Line>(words, name, m_inbox)),
      m_thread(std::make_unique<QThread>()) {
    m_thread->setObjectName(QStringLiteral("gpu helper"));
    m_line->moveToThread(m_thread.get());
    m_thread->start();
    QMetaObject::invokeMethod(
        m_line.get(), [line = m_line.get()] { line->start(); }, Qt::QueuedConnection);
}

HelperProcess::~HelperProcess() {
    QMetaObject::invokeMethod(
        m_line.get(),
        [line = m_line.get(), thread = m_thread.get()] {
            line->end();
            thread->quit();
        },
        Qt::QueuedConnection);
    m_thread->wait();
}

void HelperProcess::send(Bytes frame) {
    QMetaObject::invokeMethod(
        m_line.get(),
        [line = m_line.get(), bytes = std::move(frame)]() mutable { line->add(std::move(bytes)); },
        Qt::QueuedConnection);
}

Result<Frame> HelperProcess::receive(const std::stop_token& stop) {
    std::unique_lock lock(m_inbox->mutex);
    m_inbox->lastMove = Clock::now();
    for (;;) {
        const auto deadline = m_inbox->lastMove + m_silence;
        const bool isWoken = m_inbox->wake.wait_until(
            lock, stop, deadline, [this] { return !m_inbox->frames.empty() || m_inbox->end; });
        if (!m_inbox->frames.empty()) {
            Frame frame = std::move(m_inbox->frames.front());
            m_inbox->frames.pop_front();
            return frame;
        }
        if (m_inbox->end) {
            return fail(ErrorKind::unavailable, *m_inbox->end);
        }
        if (stop.stop_requested()) {
            return fail(ErrorKind::cancelled, "Cancelled.");
        }
        if (!isWoken && Clock::now() >= m_inbox->lastMove + m_silence) {
            return fail(ErrorKind::unavailable,
                        fmt::format("the GPU helper \"{}\" has not answered for {:g} s", m_name,
                                    std::chrono::duration<double>(m_silence).count()));
        }
    }
}

QStringList helperWords(const QString& command) {
    QStringList words = QProcess::splitCommand(command);
    if (!words.isEmpty() && words.first() == helperProgram) {
        const QFileInfo beside(QDir(QCoreApplication::applicationDirPath()), helperProgram);
        words.first() =
            beside.isExecutable() ? beside.absoluteFilePath() : QStandardPaths::findExecutable(helperProgram);
        if (words.first().isEmpty()) {
            words.clear();
        }
    }
    return words;
}

}  // namespace phaseladder::gpu
