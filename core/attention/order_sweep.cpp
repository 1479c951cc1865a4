#include "core/attention/order_sweep.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "core/attention/captured.h"
#include "core/attention/order_extremes.h"
#include "core/attention/permutations.h"
#include "core/cancelled.h"
#include "core/index.h"
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

constexpr std::int64_t ordersPerBlock = 48;

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

}  // namespace

std::string orderSweepRefusal(const Scene& scene) {
    const auto count = static_cast<std::int64_t>(scene.tokens.size());
    if (count == 0) {
        return "Type words or drop a text file here.";
    }
    if (std::string wanted = tokenVectorsWanted(scene); !wanted.empty()) {
        return wanted;
    }
    if (sequenceLength(scene) != count) {
        return fmt::format(
            "All orders are of the {} listed words; text.length {} repeats or cuts the list: set it to 0.",
            count, scene.textLength);
    }
    if (count > mostSweepTokens) {
        return fmt::format("Orders are compared up to {} tokens; the text has {}: shorten it.",
                           formatGrouped(mostSweepTokens), formatGrouped(count));
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
        Result<OrderTable> table = OrderTable::create(scene, stop);
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
    forEachInParallel(static_cast<int>(blocks), [&](int block) {
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
    const Eigen::Index blocks = (shown + ordersPerBlock - 1) / ordersPerBlock;
    std::vector<double> weights(index(blocks), 0.0);
    forEachInParallel(static_cast<int>(blocks), [&](int block) {
        const Eigen::Index end = std::min<Eigen::Index>((block + 1) * ordersPerBlock, shown);
        for (Eigen::Index column = block * ordersPerBlock; column < end; ++column) {
            std::optional<OrderTable::States> other;
            if (m_table) {
                double& weight = weights[index(block)];
                other = m_table->states(orderAt(found.shown[index(column)]));
                weight = std::max(weight, (states->weights - other->weights).cwiseAbs().maxCoeff());
            }
            for (int token = 0; token < m_tokens; ++token) {
                found.shownLargest(token, column) =
                    other ? change(token, other->hidden.row(token))
                          : change(token, m_shown.row(column * m_tokens + token));
            }
        }
    });
    double weight = std::ranges::max(weights);
    for (int token = 0; token < m_tokens; ++token) {
        found.largest[index(token)] = found.shownLargest.row(token).maxCoeff();
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
    const double negligible = rounding();
    std::vector<LargestChange> changes(found.largest.size());
    forEachInParallel(m_tokens, [&](int token) {
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

}  // namespace phaseladder
