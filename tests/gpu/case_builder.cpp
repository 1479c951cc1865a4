#include "tests/gpu/case_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/attention/order_table.h"
#include "core/attention/permutations.h"
#include "core/index.h"
#include "gpu/problem_messages.h"
#include "tests/core/plain_attention.h"

namespace phaseladder::tests {
namespace {

template <class Numbers>
std::vector<float> inSingle(const Numbers& numbers) {
    std::vector<float> single;
    for (const double number : numbers) {
        single.push_back(static_cast<float>(number));
    }
    return single;
}

AttentionResult truthOf(const CaseBuilder::Problem& problem, const std::optional<MapRequest>& map,
                        bool hiddenStates) {
    return makeReferenceBackend()->run({problem, map, hiddenStates}, {}).value();
}

/// log Σ exp of each row's logits: logit - log weight of any key that it sees, best of the heaviest.
std::vector<float> rowLogSums(const CaseBuilder::Problem& problem) {
    const std::int64_t queries = problem->queries.rows(), keys = problem->keys.rows();
    MapRequest cells{.window = {0, queries, 0, keys}, .pixelRows = queries, .pixelColumns = keys};
    const std::vector<double> weights = truthOf(problem, cells, false).map;
    cells.values = ViewValues::logits;
    const std::vector<double> logits = truthOf(problem, cells, false).map;
    std::vector<float> sums;
    for (std::int64_t row = 0; row < queries; ++row) {
        const auto begin = weights.begin() + row * keys;
        const auto heaviest = std::max_element(begin, begin + keys);
        const double logit = logits[index(heaviest - weights.begin())];
        sums.push_back(*heaviest > 0.0 ? static_cast<float>(logit - std::log(*heaviest))
                                       : std::numeric_limits<float>::quiet_NaN());
    }
    return sums;
}

std::uint64_t bytesOfRelativeVectors(const AttentionProblem& problem) {
    std::uint64_t vectors = 0;
    for (Eigen::Index row = 0; row < problem.queries.rows(); ++row) {
        for (Eigen::Index key = 0; key < problem.keys.rows(); ++key) {
            vectors += plainlySees(problem, row, key) ? 1 : 0;
        }
    }
    return vectors * index(problem.keys.cols()) * sizeof(float);
}

gpu::ResultMessage answerOf(const CaseBuilder::Problem& problem, const Question& question) {
    gpu::ResultMessage answer;
    const AttentionResult truth = truthOf(problem, question.map, question.hiddenStates);
    answer.pixelRows = truth.pixelRows;
    answer.pixelColumns = truth.pixelColumns;
    answer.map = inSingle(truth.map);
    for (std::int64_t row = 0; row < truth.pixelRows; ++row) {
        const auto begin = truth.masked.begin() + row * truth.pixelColumns;
        const auto shown = std::find(begin, begin + truth.pixelColumns, std::uint8_t{1}) - begin;
        answer.shownColumns.push_back(static_cast<std::uint32_t>(shown));
    }
    answer.computedRows = truth.computedRows;
    answer.hiddenRows = truth.hiddenStates.rows();
    answer.hiddenColumns = truth.hiddenStates.cols();
    answer.hidden = inSingle(truth.hiddenStates.reshaped<Eigen::RowMajor>());
    if (question.rowLogSums) {
        answer.rowLogSums = rowLogSums(problem);
    }
    if (question.readsRelativeTable) {
        answer.bytesRead = bytesOfRelativeVectors(*problem);
    }
    return answer;
}

/// The table of scores and values of a few tokens, as a helper gets it.
gpu::OrdersMessage ordersMessage(const OrderTable& table, const RowMatrix& present) {
    const int tokens = table.tokens();
    gpu::OrdersMessage orders;
    orders.tokens = static_cast<std::uint32_t>(tokens);
    orders.width = static_cast<std::uint32_t>(table.width());
    orders.isCausal = table.isCausal();
    for (int query = 0; query < tokens; ++query) {
        for (int at = 0; at < tokens; ++at) {
            for (int cell = 0; cell < tokens * tokens; ++cell) {
                orders.scores.push_back(
                    static_cast<float>(table.score(query, at, cell / tokens, cell % tokens)));
            }
            for (Eigen::Index channel = 0; channel < table.width(); ++channel) {
                orders.values.push_back(static_cast<float>(table.value(query, at, 0)(channel)));
            }
        }
    }
    orders.endOrder = orderCount(tokens);
    orders.present = inSingle(present.reshaped<Eigen::RowMajor>());
    return orders;
}

}  // namespace

std::uint64_t CaseBuilder::keyOf(const HeadRows& rows) {
    gpu::RowsMessage message = gpu::rowsMessage(rows, 0);
    const auto same = std::ranges::find_if(m_rows, [&](const gpu::RowsMessage& sent) {
        return sent.width == message.width && sent.distinct == message.distinct &&
               sent.rowOf == message.rowOf;
    });
    if (same != m_rows.end()) {
        return same->key;
    }
    message.key = m_rows.size() + 1;
    m_file.frames.push_back(gpu::encode(message));
    m_rows.push_back(std::move(message));
    return m_rows.back().key;
}

std::uint64_t CaseBuilder::keyOf(const Problem& problem) {
    const auto [place, isNew] = m_problems.try_emplace(problem, m_problems.size() + 1);
    if (isNew) {
        const std::uint64_t queries = keyOf(problem->queries), keys = keyOf(problem->keys);
        const std::uint64_t values = problem->values.rows() == 0 ? 0 : keyOf(problem->values);
        m_file.frames.push_back(
            gpu::encode(gpu::problemMessage(*problem, place->second, {queries, keys, values})));
    }
    return place->second;
}

void CaseBuilder::ask(const Problem& problem, const Question& question) {
    gpu::RunMessage run;
    run.problem = keyOf(problem);
    run.id = ++m_questions;
    if (question.map) {
        run.map = gpu::mapMessage(*question.map);
    }
    run.hiddenStates = question.hiddenStates;
    run.rowLogSums = question.rowLogSums;
    run.readsRelativeTable = question.readsRelativeTable;
    run.isTensor = question.isTensor;
    gpu::ResultMessage answer = answerOf(problem, question);
    answer.id = run.id;
    m_file.frames.push_back(gpu::encode(run));
    m_file.frames.push_back(gpu::encode(answer));
}

void CaseBuilder::askOrders(const Scene& scene) {
    const OrderTable table = OrderTable::create(scene).value();
    const int tokens = table.tokens();
    const RowMatrix present = table.states(identityOrder(tokens)).hidden;
    gpu::OrdersMessage orders = ordersMessage(table, present);
    gpu::ResultMessage answer;
    orders.id = answer.id = ++m_questions;
    answer.orderDifferences.assign(index(tokens), 0.0F);
    for (std::int64_t rank = 0; rank < orders.endOrder; ++rank) {
        const RowMatrix states = table.states(orderOfRank(tokens, rank)).hidden;
        for (int token = 0; token < tokens; ++token) {
            const double most = (states.row(token) - present.row(token)).cwiseAbs().maxCoeff();
            float& largest = answer.orderDifferences[index(token)];
            largest = std::max(largest, static_cast<float>(most));
        }
    }
    m_file.frames.push_back(gpu::encode(orders));
    m_file.frames.push_back(gpu::encode(answer));
}

}  // namespace phaseladder::tests
