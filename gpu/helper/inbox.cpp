#include "gpu/helper/inbox.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <utility>
#include <vector>

#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {
namespace {

/// What a device that does not answer is given to end in, once nobody listens.
constexpr std::chrono::seconds patience{2};
constexpr std::size_t portion = std::size_t{1} << 20U;

}  // namespace

Inbox::Inbox(int from) : m_reader([this, from] { read(from); }) {}

Inbox::~Inbox() {
    {
        const std::lock_guard lock(m_mutex);
        m_isLeft = true;
    }
    m_changed.notify_all();
    m_reader.join();
}

std::optional<Frame> Inbox::next() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_frames.empty() || m_hasEnded; });
    if (m_frames.empty()) {
        return std::nullopt;
    }
    Frame frame = std::move(m_frames.front());
    m_frames.pop_front();
    return frame;
}

std::string Inbox::refusal() const {
    const std::lock_guard lock(m_mutex);
    return m_refusal;
}

bool Inbox::isCancelled(std::uint64_t request) const {
    return m_isClosed || m_cancelled == request;
}

void Inbox::read(int from) {
    FrameReader reader(Side::program);
    std::vector<std::byte> bytes(portion);
    bool isOpen = true;
    while (isOpen) {
        const ssize_t count = ::read(from, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            m_isClosed = true;
            break;
        }
        reader.add(std::span(bytes).first(static_cast<std::size_t>(count)));
        for (;;) {
            Result<std::optional<Frame>> frame = reader.next();
            if (!frame) {
                const std::lock_guard lock(m_mutex);
                m_refusal = frame.error().message;
                isOpen = false;
                break;
            }
            if (!*frame) {
                break;
            }
            if ((*frame)->kind == FrameKind::bye) {
                m_isClosed = true;
                isOpen = false;
                break;
            }
            take(**frame);
        }
    }
    std::unique_lock lock(m_mutex);
    m_hasEnded = true;
    m_changed.notify_all();
    if (m_isClosed && !m_changed.wait_for(lock, patience, [this] { return m_isLeft; })) {
        std::_Exit(0);
    }
}

void Inbox::take(const Frame& frame) {
    if (frame.kind == FrameKind::cancel) {
        if (const Result<CancelMessage> cancel = decodeCancel(frame.payload)) {
            m_cancelled = cancel->id;
            return;
        }
    }
    const std::lock_guard lock(m_mutex);
    m_frames.push_back(frame);
    m_changed.notify_all();
}

}  // namespace phaseladder::gpu
