#include "gpu/helper/conversation.h"

#include <condition_variable>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include "gpu/helper/attention_run.h"
#include "gpu/helper/device_probe.h"
#include "gpu/helper/order_run.h"

namespace phaseladder::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds progressEvery{400};
constexpr std::uint64_t chunkBytes = std::uint64_t{256} << 20U;
constexpr int mostHalvings = 4;

ErrorMessage badMessage(std::uint64_t request, std::string sentence) {
    while (sentence.ends_with('.')) {
        sentence.pop_back();
    }
    return {request, HelperState::badMessage, std::move(sentence)};
}

}  // namespace

Conversation::Conversation(DeviceSession& session, Inbox& inbox, FrameWriter write)
    : m_session(session), m_inbox(inbox), m_write(std::move(write)), m_store(session) {}

Conversation::End Conversation::run() {
    while (m_isHeard) {
        const std::optional<Frame> frame = m_inbox.next();
        Ending ending;
        if (frame) {
            ending = answer(*frame);
        } else if (const std::string refusal = m_inbox.refusal(); !refusal.empty()) {
            ending = badMessage(0, refusal);
        } else {
            break;
        }
        if (ending) {
            write(encode(*ending));
            write(encodeBye());
            return End::ofSelf;
        }
    }
    return End::ofLine;
}

Conversation::Ending Conversation::answer(const Frame& frame) {
    const auto decoded = [](const auto& message, const auto& use) -> Ending {
        return message ? use(*message) : Ending(badMessage(0, message.error().message));
    };
    if (!m_hasGreeted || frame.kind == FrameKind::hello) {
        return greet(frame);
    }
    switch (frame.kind) {
        case FrameKind::rows:
            return decoded(decodeRows(frame.payload), [this](const RowsMessage& rows) {
                m_store.add(rows);
                return Ending();
            });
        case FrameKind::problem:
            return decoded(decodeProblem(frame.payload), [this](const ProblemMessage& problem) {
                const std::string reason = m_store.add(problem);
                return reason.empty() ? Ending() : badMessage(0, reason);
            });
        case FrameKind::run:
            return decoded(decodeRun(frame.payload), [this](const RunMessage& run) { return answer(run); });
        case FrameKind::orders:
            return decoded(decodeOrders(frame.payload),
                           [this](const OrdersMessage& orders) { return answer(orders); });
        case FrameKind::echo:
            return decoded(decodeEcho(frame.payload), [this](const EchoMessage& echo) {
                answer(echo);
                return Ending();
            });
        default:
            return decoded(decodeCancel(frame.payload), [](const CancelMessage&) { return Ending(); });
    }
}

Conversation::Ending Conversation::greet(const Frame& frame) {
    if (m_hasGreeted || frame.kind != FrameKind::hello) {
        return badMessage(0, m_hasGreeted ? "a second hello came" : "the first frame is not hello");
    }
    if (const Result<Hello> hello = decodeHello(frame.payload); !hello) {
        return badMessage(0, hello.error().message);
    }
    m_hasGreeted = true;
    {
        const std::jthread alive([this](const std::stop_token& stop) { tellThatItLooks(stop); });
        m_hello = probeDevice(m_session, [] {});
    }
    write(encode(m_hello));
    return std::nullopt;
}

/// A driver takes many seconds to start where it has many devices, and answers nothing meanwhile.
void Conversation::tellThatItLooks(const std::stop_token& stop) {
    constexpr int mostTimes = 75;  // for half a minute: what takes longer does not come
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    for (int time = 0; time < mostTimes; ++time) {
        stopped.wait_for(lock, stop, progressEvery, [] { return false; });
        if (stop.stop_requested()) {
            return;
        }
        write(encode(ProgressMessage{0, 0, 1}));
    }
}

Conversation::Ending Conversation::answer(const RunMessage& run) {
    m_session.beginRequest();
    if (!m_session.isGood()) {
        return writeOutcome(run.id, {});
    }
    m_written = Clock::now();
    DeviceProblem* problem = m_store.find(run.problem, [&] { tell(run.id, 0, 1); });
    if (problem == nullptr && m_session.isGood()) {
        write(encode(ErrorMessage{run.id, HelperState::unknownRows, "the problem is not there"}));
        return std::nullopt;
    }
    if (problem == nullptr) {
        return writeOutcome(run.id, {});
    }
    if (const std::string wrong = wrongWith(run, *problem); !wrong.empty()) {
        return badMessage(run.id, wrong);
    }
    return writeOutcome(run.id, compute(run, *problem));
}

/// What has no room goes in smaller chunks, once nothing else is in the device's memory.
ResultMessage Conversation::compute(const RunMessage& run, DeviceProblem& problem) {
    std::uint64_t bytes = chunkBytes;
    ResultMessage result = runAttention(m_session, problem, run, watch(run.id), bytes);
    for (int halving = 0; halving < mostHalvings; ++halving) {
        if (m_session.isGood() || m_session.fault()->state != HelperState::outOfMemory) {
            break;
        }
        m_session.goOn();
        m_store.keepOnly(run.problem);
        bytes /= 2;
        result = runAttention(m_session, problem, run, watch(run.id), bytes);
    }
    return result;
}

Conversation::Ending Conversation::answer(const OrdersMessage& orders) {
    m_session.beginRequest();
    m_written = Clock::now();
    return writeOutcome(
        orders.id, m_session.isGood() ? runOrders(m_session, orders, watch(orders.id)) : ResultMessage{});
}

void Conversation::answer(const EchoMessage& echo) {
    ResultMessage result;
    result.id = echo.id;
    result.map.resize(echo.numbers);
    std::iota(result.map.begin(), result.map.end(), 0.0F);
    write(encode(result));
}

Conversation::Ending Conversation::writeOutcome(std::uint64_t request, const ResultMessage& result) {
    if (m_session.isGood()) {
        write(encode(result));
        return std::nullopt;
    }
    const ErrorMessage error{request, m_session.fault()->state, m_session.fault()->reason};
    if (m_session.isLost() && m_hello.state == HelperState::ready) {
        return error;
    }
    m_session.goOn();
    write(encode(error));
    return std::nullopt;
}

RunWatch Conversation::watch(std::uint64_t request) {
    return {[this, request] { return m_inbox.isCancelled(request); },
            [this, request](std::int64_t doneRows, std::int64_t rows) { tell(request, doneRows, rows); }};
}

void Conversation::tell(std::uint64_t request, std::int64_t doneRows, std::int64_t rows) {
    if (Clock::now() - m_written >= progressEvery) {
        write(encode(ProgressMessage{request, doneRows, rows}));
    }
}

void Conversation::write(const Bytes& frame) {
    m_isHeard = m_isHeard && m_write(frame);
    m_written = Clock::now();
}

}  // namespace phaseladder::gpu
