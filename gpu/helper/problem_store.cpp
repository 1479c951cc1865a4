#include "gpu/helper/problem_store.h"

#include <algorithm>
#include <utility>

namespace phaseladder::gpu {
namespace {

/// Problems in device memory; each holds its own turned matrices.
constexpr std::size_t mostProblems = 12;
/// Matrices as they were sent: those of a problem are three.
constexpr std::size_t mostRows = 36, rowsOfProblem = 3;

}  // namespace

void ProblemStore::add(const RowsMessage& rows) {
    m_rows.remove_if([&](const StoredRows& stored) { return stored.key == rows.key; });
    while (m_rows.size() >= mostRows) {
        m_rows.pop_back();
    }
    for (;;) {
        DeviceRows made(m_session, rows);
        if (m_session.isGood()) {
            m_rows.push_front({rows.key, std::move(made)});
            m_noRoom.reset();
            return;
        }
        m_noRoom = m_session.fault();
        m_session.goOn();
        const bool hasForgotten = keepOnly(0) || forgetOldestRows(0);
        if (!m_session.isGood() || !hasForgotten) {
            return;
        }
    }
}

std::string ProblemStore::add(ProblemMessage problem) {
    const auto wrong = [&](const char* what, std::uint64_t key, std::int64_t count) {
        const DeviceRows* rows = key == 0 ? nullptr : findRows(key);
        return rows == nullptr || (rows->rows == count && rows->width == static_cast<int>(problem.width))
                   ? std::string()
                   : std::string("a problem has ") + std::to_string(count) + " " + what + " of width " +
                         std::to_string(problem.width) + ", and their matrix is " +
                         std::to_string(rows->rows) + " × " + std::to_string(rows->width);
    };
    std::string reason = wrong("queries", problem.queries, problem.queryRows);
    reason = reason.empty() ? wrong("keys", problem.keys, problem.keyRows) : reason;
    reason = reason.empty() ? wrong("values", problem.values, problem.keyRows) : reason;
    if (reason.empty()) {
        m_problems.remove_if([&](const StoredProblem& stored) { return stored.message.key == problem.key; });
        m_problems.push_front({std::move(problem), nullptr});
    }
    while (m_problems.size() > mostProblems) {
        m_problems.pop_back();
    }
    return reason;
}

DeviceProblem* ProblemStore::find(std::uint64_t key, const std::function<void()>& meanwhile) {
    const auto stored = std::ranges::find_if(
        m_problems, [&](const StoredProblem& problem) { return problem.message.key == key; });
    if (stored == m_problems.end()) {
        return nullptr;
    }
    m_problems.splice(m_problems.begin(), m_problems, stored);
    if (stored->problem == nullptr) {
        stored->problem = make(stored->message, meanwhile);
        if (!m_session.isGood() && !m_session.isLost()) {
            m_session.goOn();
            keepOnly(key);
            stored->problem = make(stored->message, meanwhile);
        }
    }
    return stored->problem.get();
}

std::unique_ptr<DeviceProblem> ProblemStore::make(const ProblemMessage& message,
                                                  const std::function<void()>& meanwhile) {
    const ProblemRows rows{findRows(message.queries), findRows(message.keys), findRows(message.values)};
    if (rows.queries == nullptr || rows.keys == nullptr || (message.values != 0 && rows.values == nullptr)) {
        if (m_noRoom) {
            m_session.fail(*std::exchange(m_noRoom, std::nullopt));
        }
        return nullptr;
    }
    auto problem = std::make_unique<DeviceProblem>(m_session, message, rows);
    m_session.wait(meanwhile);
    return m_session.isGood() ? std::move(problem) : nullptr;
}

DeviceRows* ProblemStore::findRows(std::uint64_t key) {
    const auto stored = std::ranges::find_if(m_rows, [&](const StoredRows& rows) { return rows.key == key; });
    if (stored == m_rows.end()) {
        return nullptr;
    }
    m_rows.splice(m_rows.begin(), m_rows, stored);
    return &stored->rows;
}

bool ProblemStore::keepOnly(std::uint64_t problem) {
    const std::size_t forgotten = m_problems.remove_if([&](const StoredProblem& stored) {
        return stored.message.key != problem && stored.problem != nullptr;
    });
    return forgetOldestRows(rowsOfProblem) || forgotten > 0;
}

bool ProblemStore::forgetOldestRows(std::size_t kept) {
    const bool isSome = m_rows.size() > kept;
    while (m_rows.size() > kept) {
        m_rows.pop_back();
    }
    return isSome;
}

}  // namespace phaseladder::gpu
