#include "core/attention/order_sweep.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <mutex>
#include <new>

#include <fmt/format.h>

#include "core/attention/order_counts.h"
#include "core/attention/order_extremes.h"
#include "core/attention/order_marks.h"
#include "core/attention/permutations.h"
#include "core/cancelled.h"
#include "core/number_text.h"
#include "core/random.h"
#include "core/threads.h"

namespace phaseladder {
namespace {

/// Longest text whose orders are compared.
constexpr std::int64_t mostSweepTokens = 1024;

/// Longest text with a score table (its size grows with the fourth power), and the most numbers of its
/// values.
constexpr int mostTableSize = 32;
constexpr std::int64_t mostTableValues = std::int64_t{1} << 24;

/// All orders of so few tokens are run whatever each one takes.
constexpr int fewTokens = 4;

/// What a sample, and the orders that are shown of it, may cost, in operations; and the fewest of each.
constexpr double sampleOperations = 2e10;
constexpr double shownOperations = 2e8;
constexpr std::int64_t fewestSampledOrders = 16;
constexpr std::int64_t fewestShownOrders = 6;

/// Counting this much is not felt while a slider moves.
constexpr double quickOperations = 1e8;
constexpr double operationsOfTableState = 250.0;

/// Steps of progress for running a state; counting it is one more.
constexpr std::int64_t stepsOfRun = 9;

/// Threads that count at a time: each sorts the states of a token.
constexpr int mostCountingThreads = 4;
constexpr std::int64_t ordersPerBlock = 48;
constexpr int anyThreads = 1024;

std::size_t index(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

/// Distances up to this one are only rounding: 1e-13 of the largest component.
double roundingOf(double tolerance) {
    return 1e-13 / stateTolerance * tolerance;
}

bool fitsTable(const Scene& scene, const EncodingPlan& plan) {
    const auto count = static_cast<std::int64_t>(scene.tokens.size());
    return scene.layers == 1 && count <= mostTableSize &&
           (!plan.relativeValues || count * count * count * scene.headDim <= mostTableValues);
}

int mostWalkedTokens(const LayerStack& stack) {
    int tokens = mostTableTokens;
    while (tokens > fewTokens && !OrderWalk::fits(stack, tokens)) {
        --tokens;
    }
    return tokens;
}

std::int64_t affordable(double operations, double each, std::int64_t least, std::int64_t most) {
    return std::clamp(static_cast<std::int64_t>(operations / each), least, most);
}

void add(Progress* progress, std::int64_t steps) {
    if (progress != nullptr) {
        progress->add(steps);
    }
}

}  // namespace

std::string orderSweepRefusal(const Scene& scene) {
    const auto count = static_cast<std::int64_t>(scene.tokens.size());
    if (count == 0) {
        return "Type words or drop a text file here.";
    }
    if (sequenceLength(scene) != count) {
        return fmt::format(
            "All orders are of the {} listed words; text.length {} repeats or cuts the list: set it to 0.",
            count, scene.textLength);
    }
    if (count > mostSweepTokens) {
        return fmt::format("Orders are compared up to {} tokens; the text has {}: shorten it.",
                           formatGrouped(mostSweepTokens), formatGrouped(static_cast<double>(count)));
    }
    const Result<EncodingPlan> plan = makePlan(scene, count);
    if (plan && plan->definedTokens && *plan->definedTokens < count) {
        return fmt::format(
            "Only {} of {} positions have a code: a token moved past them has no hidden state. Shorten the "
            "text "
            "or choose a longer table.",
            *plan->definedTokens, count);
    }
    return {};
}

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

Result<OrderSweep> OrderSweep::create(const Scene& scene, std::stop_token stop) {
    const auto count = static_cast<std::int64_t>(scene.tokens.size());
    const Result<EncodingPlan> plan = makePlan(scene, count);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    OrderSweep sweep;
    sweep.m_tokens = static_cast<int>(count);
    sweep.m_seed = static_cast<std::uint64_t>(scene.seed);
    if (fitsTable(scene, *plan)) {
        Result<OrderTable> table = OrderTable::create(scene);
        if (!table) {
            return tl::unexpected(table.error());
        }
        if (table->spread() <= OrderTable::mostSpread) {
            sweep.m_table = *std::move(table);
        }
    }
    sweep.m_mostTokens = mostTableTokens;
    if (!sweep.m_table) {
        Result<LayerStack> stack = LayerStack::create(scene, stop);
        if (!stack) {
            return tl::unexpected(stack.error());
        }
        sweep.m_stack = std::make_shared<const LayerStack>(*std::move(stack));
        if (scene.layers > 1 || count <= mostTableTokens) {  // a shorter text in one layer would have a table
            sweep.m_mostTokens = mostWalkedTokens(*sweep.m_stack);
        }
        if (count <= mostTableTokens && OrderWalk::canHold(*sweep.m_stack, sweep.m_tokens)) {
            sweep.m_walk = std::make_shared<const OrderWalk>(sweep.m_stack, stop);
        }
        if (stop.stop_requested()) {
            return cancelled();
        }
    }
    sweep.m_isSampled = sweep.m_tokens > sweep.m_mostTokens;
    sweep.m_orders = sweep.m_isSampled ? affordable(sampleOperations, sweep.operationsOfOrder(),
                                                    fewestSampledOrders, mostSampledOrders)
                                       : orderCount(sweep.m_tokens);
    const std::vector<std::vector<int>> own{identityOrder(sweep.m_tokens)};
    const Result<RowMatrix> states = sweep.statesOf(own, stop);
    if (!states) {
        return tl::unexpected(states.error());
    }
    sweep.m_tolerance = stateTolerance * states->cwiseAbs().maxCoeff();
    if (!sweep.m_table) {
        const std::vector<std::int64_t> shown = sweep.shownPlaces();
        sweep.m_shown.resize(static_cast<Eigen::Index>(shown.size()) * count, states->cols());
        const Result<void> run = sweep.runBlocks(
            static_cast<std::int64_t>(shown.size()),
            [&](std::int64_t column) { return sweep.orderAt(shown[index(column)]); },
            [&](std::int64_t, std::int64_t column, const RowMatrix& rows) {
                sweep.m_shown.middleRows(column * count, rows.rows()) = rows;
            },
            stop);
        if (!run) {
            return tl::unexpected(run.error());
        }
    }
    return sweep;
}

std::vector<int> OrderSweep::orderAt(std::int64_t place) const {
    if (!m_isSampled) {
        return orderOfRank(m_tokens, place);
    }
    return place == 0
               ? identityOrder(m_tokens)
               : shuffledOrder(m_tokens, streamSeed(m_seed, "orders", static_cast<std::uint64_t>(place)));
}

double OrderSweep::operationsOfOrder() const {
    return m_tokens * (m_table ? m_tokens * (static_cast<double>(m_table->width()) + 8.0)
                               : OrderWalk::operationsOfRow(*m_stack, m_tokens));
}

/// Evenly spaced; n! and mostShownOrders are small enough for the product.
std::vector<std::int64_t> OrderSweep::shownPlaces() const {
    const std::int64_t shown = std::min(
        m_orders, affordable(shownOperations, operationsOfOrder(), fewestShownOrders, mostShownOrders));
    std::vector<std::int64_t> places;
    for (std::int64_t column = 0; column < shown; ++column) {
        places.push_back(column * m_orders / shown);
    }
    return places;
}

Result<RowMatrix> OrderSweep::statesOf(std::span<const std::vector<int>> orders, std::stop_token stop) const {
    if (!m_table && m_walk) {
        return m_walk->states(orders);
    }
    RowMatrix states;
    for (std::size_t order = 0; order < orders.size(); ++order) {
        if (stop.stop_requested()) {
            return cancelled();
        }
        const Result<RowMatrix> rows =
            m_table ? Result<RowMatrix>(m_table->states(orders[order]).hidden)
                    : m_stack->hiddenStates(orders[order], *makeReferenceBackend(), stop);
        if (!rows) {
            return rows;
        }
        if (order == 0) {
            states.resize(static_cast<Eigen::Index>(orders.size()) * m_tokens, rows->cols());
        }
        states.middleRows(static_cast<Eigen::Index>(order) * m_tokens, m_tokens) = *rows;
    }
    return states;
}

Result<void> OrderSweep::runBlocks(
    std::int64_t orders, const std::function<std::vector<int>(std::int64_t)>& orderOf,
    const std::function<void(std::int64_t block, std::int64_t first, const RowMatrix& states)>& use,
    const std::stop_token& stop) const {
    std::mutex mutex;
    std::optional<Error> error;
    const std::int64_t perBlock = m_table || m_walk ? ordersPerBlock : 1;
    const std::int64_t blocks = (orders + perBlock - 1) / perBlock;
    forEachInParallel(static_cast<int>(blocks), anyThreads, [&](int block) {
        if (stop.stop_requested()) {
            return;
        }
        const std::int64_t first = block * perBlock;
        std::vector<std::vector<int>> batch;
        for (std::int64_t place = first; place < std::min(first + perBlock, orders); ++place) {
            batch.push_back(orderOf(place));
        }
        const Result<RowMatrix> states = statesOf(batch, stop);
        if (!states) {
            const std::lock_guard lock(mutex);
            error = states.error();
            return;
        }
        use(block, first, *states);
    });
    if (stop.stop_requested()) {
        return cancelled();
    }
    return error ? Result<void>(tl::unexpected(*error)) : Result<void>();
}

Result<OrderDifferences> OrderSweep::differences(const std::vector<int>& present,
                                                 std::stop_token stop) const {
    const Result<RowMatrix> now = statesOf({&present, 1}, stop);
    if (!now) {
        return tl::unexpected(now.error());
    }
    const auto change = [&](int token, const auto& state) {
        return (now->row(token) - state).cwiseAbs().maxCoeff();
    };
    OrderDifferences found;
    found.largest.assign(index(m_tokens), 0.0);
    found.shown = shownPlaces();
    const auto shown = static_cast<Eigen::Index>(found.shown.size());
    found.shownLargest.resize(m_tokens, shown);
    const std::optional<OrderTable::States> states =
        m_table ? std::optional(m_table->states(present)) : std::nullopt;
    double weight = 0.0;
    for (Eigen::Index column = 0; column < shown; ++column) {
        std::optional<OrderTable::States> other;
        if (m_table) {
            other = m_table->states(orderAt(found.shown[index(column)]));
            weight = std::max(weight, (states->weights - other->weights).cwiseAbs().maxCoeff());
        }
        for (int token = 0; token < m_tokens; ++token) {
            double& one = found.shownLargest(token, column);
            one = other ? change(token, other->hidden.row(token))
                        : change(token, m_shown.row(column * m_tokens + token));
            found.largest[index(token)] = std::max(found.largest[index(token)], one);
        }
    }
    if (!m_table) {
        for (int token = 0; token < m_tokens && m_least.size() > 0; ++token) {
            found.largest[index(token)] =
                std::max(change(token, m_least.row(token)), change(token, m_most.row(token)));
        }
        found.looked = m_least.size() > 0 ? m_orders : shown;
        found.isExact = !m_isSampled && found.looked == m_orders;
        return found;
    }
    found.isExact = true;
    found.looked = m_orders;
    const double negligible = roundingOf(m_tolerance);
    std::vector<LargestChange> changes(found.largest.size());
    forEachInParallel(m_tokens, anyThreads, [&](int token) {
        if (!stop.stop_requested()) {
            changes[index(token)] = largestChange(*m_table, token, *states,
                                                  {found.largest[index(token)], weight}, negligible, stop);
        }
    });
    if (stop.stop_requested()) {
        return cancelled();
    }
    for (std::size_t token = 0; token < changes.size(); ++token) {
        found.largest[token] = changes[token].hidden;
        weight = std::max(weight, changes[token].weight);
    }
    found.largestWeight = weight;
    return found;
}

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
    forEachInParallel(m_walk->parts(), anyThreads, [&](int part) {
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
    // No two states of a token differ where none is far from one of them: then there is nothing to go
    // through.
    const auto isBlind = [&, own = m_table->states(identityOrder(m_tokens))](int token) {
        return largestChange(*m_table, token, own, {}, roundingOf(m_tolerance), stop).hidden <=
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
        progress->begin((statesToCount() + heldStates) * (isRun ? stepsOfRun + 1 : 1));
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
