#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/attention/backend.h"
#include "gpu/helper_process.h"
#include "gpu/problem_messages.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {

/// Why a helper has no answer, a sentence without its full stop.
struct HelperFault {
    enum class Kind {
        lost,       ///< nothing can be asked of it any more
        leftOut,    ///< it cannot compute this one
        cancelled,  ///< nobody waits for the answer
    };
    Kind kind = Kind::lost;
    std::string reason;
};

/// A conversation with one helper from its hello on: knows what it was sent, and sends it once.
class HelperConnection {
public:
    template <class T>
    using Answer = tl::expected<T, HelperFault>;

    HelperConnection(const QStringList& words, const std::string& name, std::chrono::milliseconds silence);

    /// First of all: what the helper found.
    [[nodiscard]] Answer<HelperHello> greet(const std::stop_token& stop);

    /// Runs a request whose problem has rows and whose window lies in the map.
    [[nodiscard]] Answer<AttentionResult> run(const AttentionRequest& request, const std::stop_token& stop);

    /// Rows of the window whose sums the helper has.
    [[nodiscard]] std::int64_t knownRows(const AttentionRequest& request) const;

private:
    struct SentRows {
        std::weak_ptr<const void> identity;
        std::uint64_t key = 0;
    };
    struct SentProblem {
        std::weak_ptr<const AttentionProblem> problem;
        std::uint64_t key = 0;
        bool hasValues = false;
        std::vector<bool> isKnown;  ///< of each query: whether its sum was computed
    };

    [[nodiscard]] Answer<ResultMessage> ask(const AttentionRequest& request, const std::stop_token& stop);
    [[nodiscard]] Answer<ResultMessage> receiveAnswer(const std::stop_token& stop);
    [[nodiscard]] Answer<Frame> receive(const std::stop_token& stop);
    [[nodiscard]] std::uint64_t sendRows(const HeadRows& rows);
    [[nodiscard]] std::uint64_t sendProblem(const AttentionRequest& request);
    void forget(const AttentionProblem& problem);
    void noteSums(const AttentionRequest& request);

    HelperProcess m_process;
    std::string m_name;
    std::uint64_t m_lastKey = 0, m_lastId = 0;
    std::uint64_t m_open = 0;  // the request that has no answer yet; 0: none
    std::list<SentRows> m_rows;
    std::list<SentProblem> m_problems;  // newest first
};

}  // namespace phaseladder::gpu
