#include <algorithm>
#include <iterator>
#include <limits>
#include <new>

#include "core/attention/order_counts.h"
#include "core/attention/order_extremes.h"
#include "core/attention/order_sweep.h"
#include "core/attention/permutations.h"
#include "core/cancelled.h"
#include "core/index.h"
#include "core/random.h"
#include "core/threads.h"

namespace phaseladder {
namespace {

/// Counting this much is not felt while a slider moves.
constexpr double quickOperations = 1e8;
constexpr double operationsOfTableState = 250.0;

/// Steps of progress for running a state; counting it is one more.
constexpr std::int64_t stepsOfRun = 9;

/// Threads that count at a time: each sorts the states of a token.
constexpr int mostCountingThreads = 4;

void add(Progress* progress, std::int64_t steps) {
    if (progress != nullptr) {
        progress->add(steps);
    }
}

}  // namespace

/// What the states that were gone through leave behind.
struct OrderSweep::Tally {
    std::vector<std::vector<StateMark>> marks;  ///< of each token
    RowMatrix least, most;                      ///< tokens × d

    void add(const WalkedStates& walked, const MarkDirections& directions, int tokens) {
        marks.resize(index(tokens));
        if (least.size() == 0) {
            constexpr double infinity = std::numeric_limits<double>::infinity();
            least = RowMatrix::Constant(tokens, walked.hidden.cols(), infinity);
            most = RowMatrix::Constant(tokens, walked.hidden.cols(), -infinity);
        }
        const RowMatrix projected = walked.hidden * directions;
        for (std::size_t row = 0; row < walked.tokens.size(); ++row) {
            const int token = walked.tokens[row];
            const auto at = static_cast<Eigen::Index>(row);
            marks[index(token)].push_back({{projected(at, 0), projected(at, 1)}, walked.states[row]});
            least.row(token) = least.row(token).cwiseMin(walked.hidden.row(at));
            most.row(token) = most.row(token).cwiseMax(walked.hidden.row(at));
        }
    }

    void take(Tally part) {
        if (part.marks.empty()) {
            return;
        }
        if (marks.empty()) {
            *this = std::move(part);
            return;
        }
        for (std::size_t token = 0; token < marks.size(); ++token) {
            marks[token].insert(marks[token].end(), part.marks[token].begin(), part.marks[token].end());
        }
        least = least.cwiseMin(part.least);
        most = most.cwiseMax(part.most);
    }
};

std::int64_t OrderSweep::statesToCount() const {
    if (!m_distinct.empty()) {
        return 0;
    }
    return m_table && !m_isSampled ? statesOfToken(*m_table) * m_tokens
           : isWalked() ? static_cast<std::int64_t>(OrderWalk::states(m_tokens, m_stack->isCausal()))
                        : m_orders * m_tokens;
}

std::int64_t OrderSweep::heldOrders() const {
    const int others = m_tokens - 1;
    const bool takesAll = !m_isSampled || (others <= mostTableTokens && orderCount(others) <= m_orders);
    return takesAll ? orderCount(others) : m_orders;
}

bool OrderSweep::countsQuickly(const std::vector<int>& present) const {
    const double each = m_table && !m_isSampled ? operationsOfTableState : operationsOfOrder() / m_tokens;
    const double held = m_held.contains(present.back()) || isWalked() ? 0.0
                        : m_table && !m_isSampled                     ? operationsOfTableState
                                                                      : operationsOfOrder();
    return each * static_cast<double>(statesToCount()) + held * static_cast<double>(heldOrders()) <=
           quickOperations;
}

Result<OrderSweep::Tally> OrderSweep::runOrders(std::int64_t orders,
                                                const std::function<std::vector<int>(std::int64_t)>& orderOf,
                                                Progress* progress, const std::stop_token& stop) const {
    const MarkDirections directions = markDirections(m_table ? m_table->width() : m_stack->headWidth());
    std::vector<Tally> parts(index(orders));
    const Result<void> run = runBlocks(
        orders, orderOf,
        [&](std::int64_t block, std::int64_t first, const RowMatrix& rows) {
            WalkedStates walked{rows, {}, {}};
            for (Eigen::Index row = 0; row < rows.rows(); ++row) {
                walked.tokens.push_back(static_cast<int>(row % m_tokens));
                walked.states.push_back(static_cast<std::uint32_t>(first * m_tokens + row));
            }
            parts[index(block)].add(walked, directions, m_tokens);
            add(progress, stepsOfRun * rows.rows());
        },
        stop);
    if (!run) {
        return tl::unexpected(run.error());
    }
    Tally tally;
    for (Tally& part : parts) {
        tally.take(std::move(part));
    }
    return tally;
}

Result<OrderSweep::Tally> OrderSweep::walkAll(Progress* progress, const std::stop_token& stop) const {
    const MarkDirections directions = markDirections(m_stack->headWidth());
    std::vector<Tally> parts(index(m_walk->parts()));
    forEachInParallel(m_walk->parts(), [&](int part) {
        m_walk->go(
            part,
            [&](const WalkedStates& walked) {
                parts[index(part)].add(walked, directions, m_tokens);
                add(progress, stepsOfRun * walked.hidden.rows());
            },
            stop);
    });
    if (stop.stop_requested()) {
        return cancelled();
    }
    Tally tally;
    for (Tally& part : parts) {
        tally.take(std::move(part));
    }
    return tally;
}

/// The states of a token that a walk came to with the token in the last position.
std::vector<StateMark> OrderSweep::heldMarks(const std::vector<StateMark>& marks) const {
    std::vector<StateMark> held;
    std::ranges::copy_if(marks, std::back_inserter(held), [this](const StateMark& mark) {
        return static_cast<int>(mark.state % static_cast<std::uint32_t>(m_tokens)) + 1 == m_tokens;
    });
    return held;
}

Result<void> OrderSweep::countByTable(Progress* progress, const std::stop_token& stop) {
    const OrderTable::States own = m_table->states(identityOrder(m_tokens));
    const OrderTable::States other = m_table->states(reversedOrder(m_tokens));
    // No two states of a token differ where none is far from one of them: then there is nothing to go
    // through.
    const auto isBlind = [&](int token) {
        const double change = (own.hidden.row(token) - other.hidden.row(token)).cwiseAbs().maxCoeff();
        return change <= m_tolerance &&
               largestChange(*m_table, token, own, {change, 0.0}, rounding(), stop).hidden <=
                   0.5 * m_tolerance;
    };
    std::vector<std::int64_t> distinct(index(m_tokens), 1);
    forEachInParallel(m_tokens, mostCountingThreads, [&](int token) {
        if (!stop.stop_requested() && !isBlind(token)) {
            distinct[index(token)] =
                countStates(*m_table, token, identityOrder(m_tokens), m_tolerance, progress, stop)
                    .value_or(0);
        }
    });
    if (stop.stop_requested()) {
        return cancelled();
    }
    m_distinct = std::move(distinct);
    return {};
}

Result<void> OrderSweep::countAll(Progress* progress, const std::stop_token& stop) {
    if (m_table && !m_isSampled) {
        return countByTable(progress, stop);
    }
    Result<Tally> made =
        isWalked() ? walkAll(progress, stop)
                   : runOrders(
                         m_orders, [this](std::int64_t place) { return orderAt(place); }, progress, stop);
    if (!made) {
        return tl::unexpected(made.error());
    }
    const StateMaker make = [&](std::uint32_t state) -> Eigen::RowVectorXd {
        const std::vector<std::vector<int>> order{orderAt(state / m_tokens)};
        const auto place = static_cast<std::size_t>(state % static_cast<std::uint32_t>(m_tokens));
        return statesOf(order, {})->row(isWalked() ? order.front()[place] : static_cast<int>(place));
    };
    std::vector<std::int64_t> distinct(index(m_tokens)), held(index(m_tokens));
    forEachInParallel(m_tokens, mostCountingThreads, [&](int token) {
        std::vector<StateMark>& marks = made->marks[index(token)];
        if (isWalked()) {
            std::vector<StateMark> last = heldMarks(marks);
            held[index(token)] = countDistinct(last, m_tolerance, make, nullptr, stop);
        }
        distinct[index(token)] = countDistinct(marks, m_tolerance, make, progress, stop);
    });
    if (stop.stop_requested()) {
        return cancelled();
    }
    m_distinct = std::move(distinct);
    m_least = std::move(made->least);
    m_most = std::move(made->most);
    for (int token = 0; token < m_tokens && isWalked(); ++token) {
        m_held[token] = held[index(token)];
    }
    return {};
}

Result<void> OrderSweep::countHeld(const std::vector<int>& present, Progress* progress,
                                   const std::stop_token& stop) {
    const int last = present.back();
    if (m_held.contains(last)) {
        return {};
    }
    if (m_table && !m_isSampled) {
        const int positions[] = {m_tokens - 1};
        return countStates(*m_table, last, positions, m_tolerance, progress, stop)
            .map([&](std::int64_t distinct) { m_held[last] = distinct; });
    }
    std::vector<int> others = identityOrder(m_tokens);
    std::erase(others, last);
    const int count = m_tokens - 1;
    const auto orderOf = [&](std::int64_t place) {
        const std::vector<int> arrangement =
            isHeldSampled() ? shuffledOrder(count, streamSeed(m_seed, "orders of the others",
                                                              static_cast<std::uint64_t>(place)))
                            : orderOfRank(count, place);
        std::vector<int> held = composedOrder(others, arrangement);
        held.push_back(last);
        return held;
    };
    Result<Tally> made = runOrders(heldOrders(), orderOf, progress, stop);
    if (!made) {
        return tl::unexpected(made.error());
    }
    const StateMaker make = [&](std::uint32_t state) -> Eigen::RowVectorXd {
        const std::vector<std::vector<int>> order{orderOf(state / m_tokens)};
        return statesOf(order, {})->row(last);
    };
    const std::int64_t distinct = countDistinct(made->marks[index(last)], m_tolerance, make, progress, stop);
    if (stop.stop_requested()) {
        return cancelled();
    }
    m_held[last] = distinct;
    return {};
}

Result<OrderCounts> OrderSweep::counts(const std::vector<int>& present, Progress* progress,
                                       std::stop_token stop) {
    if (progress != nullptr) {
        const bool isRun = !m_table || m_isSampled;
        const std::int64_t heldStates =
            m_held.contains(present.back()) || isWalked() ? 0 : heldOrders() * (isRun ? m_tokens : 1);
        progress->begin("counting distinct states",
                        (statesToCount() + heldStates) * (isRun ? stepsOfRun + 1 : 1));
    }
    Result<void> counted;
    try {
        counted = m_distinct.empty() ? countAll(progress, stop) : Result<void>();
        counted = counted ? countHeld(present, progress, stop) : counted;
    } catch (const std::bad_alloc&) {
        counted = fail(ErrorKind::failed, "Not enough memory to count the hidden states; shorten the text.");
    }
    if (progress != nullptr) {
        progress->end();
    }
    return counted.map([&] {
        return OrderCounts{m_distinct, m_held.at(present.back()), heldOrders(), isHeldSampled()};
    });
}

}  // namespace phaseladder
