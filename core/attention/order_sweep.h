#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/layer_stack.h"
#include "core/attention/order_marks.h"
#include "core/attention/order_table.h"
#include "core/attention/order_walk.h"
#include "core/progress.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// Most tokens of which all orders are looked at, in one layer by the score table. In more layers by walking
/// through them: fewer where that would take more than some seconds (OrderSweep::mostTokens).
inline constexpr int mostTableTokens = 10;
/// How many orders of a longer text are drawn, fewer for very long ones.
inline constexpr std::int64_t mostSampledOrders = 10000;
/// How many orders a map of them shows.
inline constexpr std::int64_t mostShownOrders = 720;

/// Two states are equal within this share of the largest component.
inline constexpr double stateTolerance = 1e-9;

/// Why the scene's text has no orders to compare, with a next step; empty where it has.
[[nodiscard]] std::string orderSweepRefusal(const Scene& scene);

/// By how much orders change the hidden state of each token against one of them.
struct OrderDifferences {
    std::vector<double> largest;          ///< max |Δh| of each token over the orders
    std::optional<double> largestWeight;  ///< of any weight; only where the score table serves
    bool isExact = false;                 ///< over all n! orders, not only some of them
    std::int64_t looked = 0;              ///< over how many orders, where it is not exact
    std::vector<std::int64_t> shown;      ///< ranks, or places in the sample, of what follows
    RowMatrix shownLargest;               ///< tokens × shown: max |Δh|
};

/// Distinct hidden states.
struct OrderCounts {
    std::vector<std::int64_t> distinct;  ///< of each token over the orders
    std::int64_t heldLast = 0;           ///< of the token that stands last, over orders of those before it
    std::int64_t heldOrders = 0;         ///< over how many of them
    bool isHeldSampled = false;          ///< not over all of them
};

/// All orders of a short text, or a seeded sample of those of a long one. Rows are tokens (places in
/// scene.tokens), wherever they stand; equal words are different tokens. In double precision whatever the
/// engine's backend. Made once for a scene whatever its own order is; what was counted is kept.
class OrderSweep {
public:
    /// The scene must have no orderSweepRefusal(). Runs the shown orders only.
    [[nodiscard]] static Result<OrderSweep> create(const Scene& scene, std::stop_token stop);

    [[nodiscard]] int tokens() const { return m_tokens; }
    [[nodiscard]] bool isSampled() const { return m_isSampled; }
    /// How many orders are looked at: n!, or the size of the sample (its first is the text's own).
    [[nodiscard]] std::int64_t orders() const { return m_orders; }
    /// Most tokens of which all orders would be looked at.
    [[nodiscard]] int mostTokens() const { return m_mostTokens; }
    /// Largest difference of two equal states.
    [[nodiscard]] double tolerance() const { return m_tolerance; }
    /// The order of a place: its rank among all, or its number in the sample.
    [[nodiscard]] std::vector<int> orderAt(std::int64_t place) const;

    /// Exact by the score table. Else over the shown orders until counts() has gone through all.
    [[nodiscard]] Result<OrderDifferences> differences(const std::vector<int>& present,
                                                       std::stop_token stop) const;

    /// Hidden states that counts() has to go through the first time.
    [[nodiscard]] std::int64_t statesToCount() const;
    /// Whether counts() takes no longer than a frame.
    [[nodiscard]] bool countsQuickly(const std::vector<int>& present) const;
    [[nodiscard]] Result<OrderCounts> counts(const std::vector<int>& present, Progress* progress,
                                             std::stop_token stop);

private:
    struct Tally;

    OrderSweep() = default;

    [[nodiscard]] bool isWalked() const { return !m_table && !m_isSampled && m_walk; }
    /// Distances up to this one are only rounding: 1e-13 of the largest component.
    [[nodiscard]] double rounding() const { return 1e-13 / stateTolerance * m_tolerance; }
    [[nodiscard]] double operationsOfOrder() const;
    [[nodiscard]] std::vector<std::int64_t> shownPlaces() const;
    [[nodiscard]] std::int64_t heldOrders() const;
    [[nodiscard]] bool isHeldSampled() const { return m_isSampled && heldOrders() == m_orders; }
    /// (order, token) × d.
    [[nodiscard]] Result<RowMatrix> statesOf(std::span<const std::vector<int>> orders,
                                             std::stop_token stop) const;
    /// Calls use(block, place of its first order, states) for blocks of orders, from several threads.
    [[nodiscard]] Result<void> runBlocks(
        std::int64_t orders, const std::function<std::vector<int>(std::int64_t)>& orderOf,
        const std::function<void(std::int64_t block, std::int64_t first, const RowMatrix& states)>& use,
        const std::stop_token& stop) const;
    [[nodiscard]] Result<Tally> runOrders(std::int64_t orders,
                                          const std::function<std::vector<int>(std::int64_t)>& orderOf,
                                          Progress* progress, const std::stop_token& stop) const;
    [[nodiscard]] Result<Tally> walkAll(Progress* progress, const std::stop_token& stop) const;
    [[nodiscard]] std::vector<StateMark> heldMarks(const std::vector<StateMark>& marks) const;
    [[nodiscard]] Result<void> countByTable(Progress* progress, const std::stop_token& stop);
    [[nodiscard]] Result<void> countAll(Progress* progress, const std::stop_token& stop);
    [[nodiscard]] Result<void> countHeld(const std::vector<int>& present, Progress* progress,
                                         const std::stop_token& stop);

    int m_tokens = 0, m_mostTokens = 0;
    std::uint64_t m_seed = 0;
    bool m_isSampled = false;
    std::int64_t m_orders = 0;
    double m_tolerance = 0.0;
    std::optional<OrderTable> m_table;
    std::shared_ptr<const LayerStack> m_stack;  // where there is no table
    std::shared_ptr<const OrderWalk> m_walk;    // for a short text without a table
    RowMatrix m_shown;                          // (shown order, token) × d; without rows by the table
    RowMatrix m_least, m_most;  // tokens × d, over all orders that were gone through without the table
    std::vector<std::int64_t> m_distinct;
    std::map<int, std::int64_t> m_held;  // distinct states, by the token that is held last
};

}  // namespace phaseladder
