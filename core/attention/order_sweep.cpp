#include "core/attention/order_sweep.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <numeric>

#include <fmt/format.h>

#include "core/attention/order_counts.h"
#include "core/attention/order_extremes.h"
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

/// What a sample may cost: hidden states that are kept, in numbers, and scores that are made.
constexpr std::int64_t mostKeptNumbers = std::int64_t{1} << 24;
constexpr std::int64_t mostScores = std::int64_t{1} << 26;
constexpr std::int64_t fewestSampledOrders = 16;

/// Threads that count at a time: each holds the states of a token.
constexpr int mostCountingThreads = 4;
constexpr std::int64_t ordersPerBlock = 64;
constexpr int anyThreads = 1024;

/// Distances up to this one are only rounding: 1e-13 of the largest component.
double roundingOf(double tolerance) {
    return 1e-13 / stateTolerance * tolerance;
}

bool fitsTable(const Scene& scene, const EncodingPlan& plan) {
    const auto count = static_cast<std::int64_t>(scene.tokens.size());
    return scene.layers == 1 && count <= mostTableSize &&
           (!plan.relativeValues || count * count * count * scene.headDim <= mostTableValues);
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
    if (!sweep.m_table) {
        Result<LayerStack> stack = LayerStack::create(scene);
        if (!stack) {
            return tl::unexpected(stack.error());
        }
        sweep.m_stack = *std::move(stack);
    }
    const Result<RowMatrix> own = sweep.statesOf(identityOrder(sweep.m_tokens), stop);
    if (!own) {
        return tl::unexpected(own.error());
    }
    sweep.m_tolerance = stateTolerance * own->cwiseAbs().maxCoeff();
    const bool hasTable = sweep.m_table || (scene.layers == 1 && count > mostTableSize);  // of a shorter text
    sweep.m_mostTokens = hasTable ? mostTableTokens : mostRunTokens;
    sweep.m_isSampled = sweep.m_tokens > sweep.m_mostTokens;
    if (!sweep.m_isSampled) {
        sweep.m_orders = orderCount(sweep.m_tokens);
        if (sweep.m_table) {
            return sweep;
        }
    } else {
        const std::int64_t runs = sweep.m_stack ? sweep.m_stack->runs() : 1;
        sweep.m_orders = std::max(std::min({mostSampledOrders, mostKeptNumbers / (count * scene.headDim),
                                            mostScores / (count * count * runs)}),
                                  fewestSampledOrders);
    }
    sweep.m_states.resize(sweep.m_orders * count, own->cols());
    const Result<void> run = sweep.runAll(
        sweep.m_orders, [&](std::int64_t place) { return sweep.orderAt(place); },
        [&](std::int64_t place, const RowMatrix& states) {
            sweep.m_states.middleRows(place * count, count) = states;
        },
        stop);
    if (!run) {
        return tl::unexpected(run.error());
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

Result<RowMatrix> OrderSweep::statesOf(const std::vector<int>& order, std::stop_token stop) const {
    if (m_table) {
        return m_table->states(order).hidden;
    }
    return m_stack->hiddenStates(order, *makeReferenceBackend(), stop);
}

/// Calls use(place, states) for every place, from several threads.
template <class OrderOf, class Use>
Result<void> OrderSweep::runAll(std::int64_t orders, OrderOf orderOf, Use use, std::stop_token stop) const {
    std::mutex mutex;
    std::optional<Error> error;
    const std::int64_t blocks = (orders + ordersPerBlock - 1) / ordersPerBlock;
    forEachInParallel(static_cast<int>(blocks), anyThreads, [&](int block) {
        for (std::int64_t place = block * ordersPerBlock;
             place < std::min((block + 1) * ordersPerBlock, orders); ++place) {
            if (stop.stop_requested()) {
                return;
            }
            const Result<RowMatrix> states = statesOf(orderOf(place), stop);
            if (!states) {
                const std::lock_guard lock(mutex);
                error = states.error();
                return;
            }
            use(place, *states);
        }
    });
    if (stop.stop_requested()) {
        return cancelled();
    }
    return error ? Result<void>(tl::unexpected(*error)) : Result<void>();
}

Result<OrderDifferences> OrderSweep::differences(const std::vector<int>& present,
                                                 std::stop_token stop) const {
    const Result<RowMatrix> now = statesOf(present, stop);
    if (!now) {
        return tl::unexpected(now.error());
    }
    const auto change = [&](int token, const auto& state) {
        return (now->row(token) - state).cwiseAbs().maxCoeff();
    };
    OrderDifferences found;
    found.largest.assign(static_cast<std::size_t>(m_tokens), 0.0);
    const std::int64_t shown = std::min(m_orders, mostShownOrders);
    for (std::int64_t index = 0; index < shown; ++index) {
        // Evenly spaced; n! and mostShownOrders are small enough for the product.
        found.shown.push_back(index * m_orders / shown);
    }
    found.shownLargest.resize(m_tokens, shown);

    if (m_states.rows() > 0) {
        for (std::int64_t place = 0; place < m_orders; ++place) {
            for (int token = 0; token < m_tokens; ++token) {
                double& largest = found.largest[static_cast<std::size_t>(token)];
                largest = std::max(largest, change(token, m_states.row(place * m_tokens + token)));
            }
        }
    }
    double weight = 0.0;
    const std::optional<OrderTable::States> states =
        m_table ? std::optional(m_table->states(present)) : std::nullopt;
    for (std::int64_t column = 0; column < shown; ++column) {
        const std::int64_t place = found.shown[static_cast<std::size_t>(column)];
        if (m_states.rows() > 0) {
            for (int token = 0; token < m_tokens; ++token) {
                found.shownLargest(token, column) = change(token, m_states.row(place * m_tokens + token));
            }
            continue;
        }
        const OrderTable::States other = m_table->states(orderAt(place));
        weight = std::max(weight, (states->weights - other.weights).cwiseAbs().maxCoeff());
        for (int token = 0; token < m_tokens; ++token) {
            found.shownLargest(token, column) = change(token, other.hidden.row(token));
            double& largest = found.largest[static_cast<std::size_t>(token)];
            largest = std::max(largest, found.shownLargest(token, column));
        }
    }
    found.isExact = !m_isSampled || m_table.has_value();
    if (!m_table) {
        return found;
    }
    const double negligible = roundingOf(m_tolerance);
    std::vector<LargestChange> changes(found.largest.size());
    forEachInParallel(m_tokens, anyThreads, [&](int token) {
        if (!stop.stop_requested()) {
            const auto index = static_cast<std::size_t>(token);
            changes[index] =
                largestChange(*m_table, token, *states, {found.largest[index], weight}, negligible);
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
    return m_distinct || m_states.rows() > 0 ? 0 : statesOfToken(*m_table) * m_tokens;
}

Result<std::vector<std::int64_t>> OrderSweep::distinctStates(std::stop_token stop) {
    if (m_distinct) {
        return *m_distinct;
    }
    std::vector<std::int64_t> distinct(static_cast<std::size_t>(m_tokens), 0);
    // No two states of a token differ where none is far from one of them: then there is nothing to go
    // through.
    const auto isBlind = [this, own = m_table ? std::optional(m_table->states(identityOrder(m_tokens)))
                                              : std::nullopt](int token) {
        return largestChange(*m_table, token, *own, {}, roundingOf(m_tolerance)).hidden <= 0.5 * m_tolerance;
    };
    try {
        forEachInParallel(m_tokens, mostCountingThreads, [&](int token) {
            std::int64_t& count = distinct[static_cast<std::size_t>(token)];
            if (stop.stop_requested()) {
                return;
            }
            if (m_states.rows() == 0) {
                count = isBlind(token)
                            ? 1
                            : countStates(*m_table, token, identityOrder(m_tokens), m_tolerance, stop)
                                  .value_or(0);
                return;
            }
            count = countDistinctRows(m_states, token, m_tokens, m_tolerance);
        });
    } catch (const std::bad_alloc&) {
        return fail(ErrorKind::failed, "Not enough memory to count the hidden states; shorten the text.");
    }
    if (stop.stop_requested()) {
        return cancelled();
    }
    m_distinct = distinct;
    return distinct;
}

Result<std::int64_t> OrderSweep::distinctStatesHeldLast(const std::vector<int>& order, std::stop_token stop) {
    const int last = order.back();
    if (const auto known = m_distinctHeld.find(last); known != m_distinctHeld.end()) {
        return known->second;
    }
    if (m_states.rows() == 0) {
        const int positions[] = {m_tokens - 1};
        Result<std::int64_t> distinct = countStates(*m_table, last, positions, m_tolerance, stop);
        if (distinct) {
            m_distinctHeld[last] = *distinct;
        }
        return distinct;
    }
    // Orders of the others: all of them where they are no more than were run before.
    std::vector<int> others = identityOrder(m_tokens);
    std::erase(others, last);
    const int count = m_tokens - 1;
    const bool takesAll = count <= mostTableTokens && orderCount(count) <= m_orders;
    const std::int64_t orders = takesAll ? orderCount(count) : m_orders;
    const auto orderOf = [&](std::int64_t place) {
        const std::vector<int> arrangement =
            takesAll ? orderOfRank(count, place)
                     : shuffledOrder(count, streamSeed(m_seed, "orders of the others",
                                                       static_cast<std::uint64_t>(place)));
        std::vector<int> held = composedOrder(others, arrangement);
        held.push_back(last);
        return held;
    };
    RowMatrix held(orders, m_states.cols());
    const Result<void> run = runAll(
        orders, orderOf,
        [&](std::int64_t place, const RowMatrix& states) { held.row(place) = states.row(last); }, stop);
    if (!run) {
        return tl::unexpected(run.error());
    }
    return m_distinctHeld[last] = countDistinctRows(held, 0, 1, m_tolerance);
}

}  // namespace phaseladder
