#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/backend.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::tests {

/// Questions to a helper, each followed by its right answer as a result: frames of gpu/README.md in the order
/// rows, problem, run, result, ... Keys and ids count from 1 in each file.
struct CaseFile {
    std::string name;
    std::vector<gpu::Bytes> frames;
};

/// What is asked of a problem.
struct Question {
    std::optional<MapRequest> map{};
    bool hiddenStates = false, rowLogSums = false, readsRelativeTable = false, isTensor = false;
};

/// Writes a case file. The answers are those of the reference backend, in double precision.
class CaseBuilder {
public:
    using Problem = std::shared_ptr<const AttentionProblem>;

    explicit CaseBuilder(std::string name) { m_file.name = std::move(name); }

    /// Sends the problem and its matrices where they were not sent yet, then the question.
    void ask(const Problem& problem, const Question& question);
    /// How far the hidden states of all orders of the scene's tokens are from the scene's own.
    void askOrders(const Scene& scene);

    [[nodiscard]] CaseFile take() { return std::move(m_file); }

private:
    [[nodiscard]] std::uint64_t keyOf(const Problem& problem);
    [[nodiscard]] std::uint64_t keyOf(const HeadRows& rows);

    CaseFile m_file;
    std::map<Problem, std::uint64_t> m_problems;
    std::vector<gpu::RowsMessage> m_rows;  // of the keys 1, 2, ...
    std::uint64_t m_questions = 0;
};

}  // namespace phaseladder::tests
