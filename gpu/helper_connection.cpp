#include "gpu/helper_connection.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/attention/pooled_map.h"
#include "core/index.h"
#include "gpu/fault_sentences.h"
#include "gpu/protocol/limits.h"

namespace phaseladder::gpu {
namespace {

using Kind = HelperFault::Kind;

/// Problems that are remembered as sent; the helper says when it has dropped one (unknownRows).
constexpr std::size_t mostProblems = 64;

tl::unexpected<HelperFault> fault(Kind kind, std::string reason) {
    return tl::unexpected(HelperFault{kind, std::move(reason)});
}

/// Whether a helper goes on after an error.
bool goesOn(HelperState state) {
    return state == HelperState::outOfMemory || state == HelperState::cancelled ||
           state == HelperState::unknownRows;
}

bool fitsProtocol(const AttentionRequest& request) {
    const AttentionProblem& problem = *request.problem;
    const std::uint64_t most = longestPayload(FrameKind::rows);
    const bool fitsMap =
        !request.map ||
        request.map->pixelRows <= mostPixels / std::max<std::int64_t>(request.map->pixelColumns, 1);
    return fitsMap && rowsBytes(problem.queries) <= most && rowsBytes(problem.keys) <= most &&
           rowsBytes(problem.values) <= most && problem.keys.cols() <= std::int64_t{largestWidth};
}

/// What an answer has to look like.
bool hasShape(const ResultMessage& message, const AttentionRequest& request) {
    std::int64_t pixelRows = 0, pixelColumns = 0, hiddenRows = 0, hiddenColumns = 0;
    if (request.map) {
        const PixelRows wanted = wantedPixelRows(*request.map);
        pixelRows = wanted.end - wanted.begin;
        pixelColumns = request.map->pixelColumns;
    }
    if (request.hiddenStates) {
        hiddenRows = request.problem->queries.rows();
        hiddenColumns = request.problem->values.cols();
    }
    return message.pixelRows == pixelRows && message.pixelColumns == pixelColumns &&
           message.hiddenRows == hiddenRows && message.hiddenColumns == hiddenColumns &&
           std::ssize(message.map) == pixelRows * pixelColumns &&
           std::ssize(message.hidden) == hiddenRows * hiddenColumns;
}

void takeMap(const ResultMessage& message, const MapRequest& map, AttentionResult& result) {
    result.pixelRows = message.pixelRows;
    result.pixelColumns = message.pixelColumns;
    result.map.assign(message.map.begin(), message.map.end());
    result.masked.assign(message.map.size(), 0);
    for (std::size_t row = 0; row < message.shownColumns.size(); ++row) {
        const auto begin = result.masked.begin() + std::ptrdiff_t(row) * message.pixelColumns;
        std::fill(begin + message.shownColumns[row], begin + message.pixelColumns, std::uint8_t{1});
    }
    result.computedRows = static_cast<std::int64_t>(neededRows(map).size());
}

}  // namespace

HelperConnection::HelperConnection(const QStringList& words, const std::string& name,
                                   std::chrono::milliseconds silence)
    : m_process(words, name, silence), m_name(name) {}

HelperConnection::Answer<Frame> HelperConnection::receive(const std::stop_token& stop) {
    Result<Frame> frame = m_process.receive(stop);
    if (!frame) {
        return fault(frame.error().kind == ErrorKind::cancelled ? Kind::cancelled : Kind::lost,
                     frame.error().message);
    }
    if (frame->kind == FrameKind::bye) {
        return fault(Kind::lost, fmt::format("the GPU helper \"{}\" has said goodbye", m_name));
    }
    return *std::move(frame);
}

HelperConnection::Answer<HelperHello> HelperConnection::greet(const std::stop_token& stop) {
    m_process.send(encode(Hello{"phaseladder " PHASELADDER_VERSION}));
    Answer<Frame> frame = receive(stop);
    while (frame && frame->kind == FrameKind::progress) {  // it is still looking for its device
        frame = receive(stop);
    }
    if (!frame) {
        return tl::unexpected(frame.error());
    }
    if (frame->kind == FrameKind::error) {
        const Result<ErrorMessage> error = decodeError(frame->payload);
        return fault(Kind::lost, error ? whatFailed(*error) : error.error().message);
    }
    if (frame->kind != FrameKind::hello) {
        return fault(Kind::lost, fmt::format("the GPU helper \"{}\" does not say hello", m_name));
    }
    Result<HelperHello> hello = decodeHelperHello(frame->payload);
    if (!hello) {
        return fault(Kind::lost, hello.error().message);
    }
    return *std::move(hello);
}

std::uint64_t HelperConnection::sendRows(const HeadRows& rows) {
    m_rows.remove_if([](const SentRows& sent) { return sent.identity.expired(); });
    const std::shared_ptr<const void> identity = rows.identity();
    const auto sent =
        std::ranges::find_if(m_rows, [&](const SentRows& one) { return one.identity.lock() == identity; });
    if (sent != m_rows.end()) {
        return sent->key;
    }
    m_rows.push_front({identity, ++m_lastKey});
    m_process.send(encode(rowsMessage(rows, m_lastKey)));
    return m_lastKey;
}

std::uint64_t HelperConnection::sendProblem(const AttentionRequest& request) {
    const auto sent = std::ranges::find_if(m_problems, [&](const SentProblem& one) {
        return one.problem.lock() == request.problem && (one.hasValues || !request.hiddenStates);
    });
    if (sent != m_problems.end()) {
        m_problems.splice(m_problems.begin(), m_problems, sent);
        return m_problems.front().key;
    }
    const AttentionProblem& problem = *request.problem;
    RowKeys keys{.queries = sendRows(problem.queries), .keys = sendRows(problem.keys)};
    if (request.hiddenStates) {
        keys.values = sendRows(problem.values);
    }
    m_problems.push_front({.problem = request.problem,
                           .key = ++m_lastKey,
                           .hasValues = request.hiddenStates,
                           .isKnown = std::vector<bool>(index(problem.queries.rows()))});
    if (m_problems.size() > mostProblems) {
        m_problems.pop_back();
    }
    m_process.send(encode(problemMessage(problem, m_lastKey, keys)));
    return m_lastKey;
}

void HelperConnection::forget(const AttentionProblem& problem) {
    m_problems.remove_if([&](const SentProblem& sent) {
        const auto kept = sent.problem.lock();
        return kept == nullptr || kept.get() == &problem;
    });
    m_rows.remove_if([&](const SentRows& sent) {
        const std::shared_ptr<const void> kept = sent.identity.lock();
        return kept == nullptr || kept == problem.queries.identity() || kept == problem.keys.identity() ||
               kept == problem.values.identity();
    });
}

/// One request is open at a time: the answer to a cancelled one, which nobody needs, is waited for first.
HelperConnection::Answer<ResultMessage> HelperConnection::ask(const AttentionRequest& request,
                                                              const std::stop_token& stop) {
    if (m_open != 0) {
        const Answer<ResultMessage> earlier = receiveAnswer(stop);
        if (!earlier && earlier.error().kind != Kind::leftOut) {
            return earlier;
        }
    }
    RunMessage run;
    run.problem = sendProblem(request);
    run.id = m_open = ++m_lastId;
    run.hiddenStates = request.hiddenStates;
    if (request.map) {
        run.map = mapMessage(*request.map);
    }
    m_process.send(encode(run));
    Answer<ResultMessage> result = receiveAnswer(stop);
    if (!result && result.error().kind == Kind::cancelled) {
        m_process.send(encode(CancelMessage{run.id}));
    }
    return result;
}

/// The result of the open request, or why there is none; it is open still where it was cancelled.
HelperConnection::Answer<ResultMessage> HelperConnection::receiveAnswer(const std::stop_token& stop) {
    const auto lost = [this](const std::string& what) {
        return fault(Kind::lost, fmt::format("the GPU helper \"{}\" {}", m_name, what));
    };
    for (;;) {
        const Answer<Frame> frame = receive(stop);
        if (!frame) {
            return tl::unexpected(frame.error());
        }
        if (frame->kind == FrameKind::progress) {
            if (const Result<ProgressMessage> progress = decodeProgress(frame->payload); !progress) {
                return fault(Kind::lost, progress.error().message);
            }
        } else if (frame->kind == FrameKind::result) {
            Result<ResultMessage> result = decodeResult(frame->payload);
            if (!result) {
                return fault(Kind::lost, result.error().message);
            }
            if (result->id != m_open) {
                return lost(fmt::format("answers request {}, which nobody made", result->id));
            }
            m_open = 0;
            return *std::move(result);
        } else if (frame->kind == FrameKind::error) {
            const Result<ErrorMessage> error = decodeError(frame->payload);
            if (!error) {
                return fault(Kind::lost, error.error().message);
            }
            if (!goesOn(error->state)) {
                return fault(Kind::lost, whatFailed(*error));
            }
            if (error->id != m_open) {
                return lost(fmt::format("answers request {}, which nobody made", error->id));
            }
            m_open = 0;
            return fault(Kind::leftOut,
                         error->state == HelperState::unknownRows ? std::string() : whatFailed(*error));
        } else {
            return lost(fmt::format("sends a frame of kind {} as an answer", static_cast<int>(frame->kind)));
        }
    }
}

void HelperConnection::noteSums(const AttentionRequest& request) {
    const auto sent = std::ranges::find_if(
        m_problems, [&](const SentProblem& one) { return one.problem.lock() == request.problem; });
    if (sent == m_problems.end()) {
        return;
    }
    if (request.hiddenStates) {
        sent->isKnown.assign(sent->isKnown.size(), true);
    } else if (request.map && request.map->values == ViewValues::weights) {
        for (const std::int64_t row : neededRows(*request.map)) {
            sent->isKnown[index(row)] = true;
        }
    }
}

std::int64_t HelperConnection::knownRows(const AttentionRequest& request) const {
    const auto sent = std::ranges::find_if(
        m_problems, [&](const SentProblem& one) { return one.problem.lock() == request.problem; });
    if (sent == m_problems.end() || !request.map) {
        return 0;
    }
    const auto begin = sent->isKnown.begin();
    return std::count(begin + request.map->window.rowBegin, begin + request.map->window.rowEnd, true);
}

HelperConnection::Answer<AttentionResult> HelperConnection::run(const AttentionRequest& request,
                                                                const std::stop_token& stop) {
    if (!fitsProtocol(request)) {
        return fault(Kind::leftOut, "the matrices are too large for the GPU helper");
    }
    Answer<ResultMessage> message = ask(request, stop);
    const auto isForgotten = [&message] {  // what it was sent: it has no other empty reason
        return !message && message.error().kind == Kind::leftOut && message.error().reason.empty();
    };
    if (isForgotten()) {
        forget(*request.problem);
        message = ask(request, stop);
    }
    if (isForgotten()) {
        return fault(Kind::lost, whatFailed({.state = HelperState::unknownRows}));
    }
    if (!message) {
        return tl::unexpected(message.error());
    }
    if (!hasShape(*message, request)) {
        return fault(Kind::lost, fmt::format("the GPU helper \"{}\" answers with something else than what it "
                                             "was asked for",
                                             m_name));
    }
    AttentionResult result;
    result.definedTokens = definedTokens(*request.problem);
    result.largestRowSumError = double(message->largestRowSumError);
    if (request.map) {
        takeMap(*message, *request.map, result);
    }
    if (request.hiddenStates) {
        result.hiddenStates =
            Eigen::Map<const FloatRows>(message->hidden.data(), message->hiddenRows, message->hiddenColumns)
                .cast<double>();
    }
    noteSums(request);
    return result;
}

}  // namespace phaseladder::gpu
