#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/layer_stack.h"
#include "core/attention/order_table.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// Most tokens of which all orders are looked at: in one layer by the score table, else by running each.
inline constexpr int mostTableTokens = 10;
inline constexpr int mostRunTokens = 7;
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
    bool isExact = false;                 ///< over all n! orders, not only a sample of them
    std::vector<std::int64_t> shown;      ///< ranks, or places in the sample, of what follows
    RowMatrix shownLargest;               ///< tokens × shown: max |Δh|
};

/// All orders of a short text, or a seeded sample of those of a long one. Rows are tokens (places in
/// scene.tokens), wherever they stand; equal words are different tokens. In double precision whatever the
/// engine's backend. Made once for a scene whatever its own order is; counts are kept.
class OrderSweep {
public:
    /// The scene must have no orderSweepRefusal(). Takes milliseconds where all orders come from the score
    /// table; else runs every order.
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

    [[nodiscard]] Result<OrderDifferences> differences(const std::vector<int>& present,
                                                       std::stop_token stop) const;

    /// Hidden states that distinctStates() still has to go through: many take seconds.
    [[nodiscard]] std::int64_t statesToCount() const;
    /// Distinct hidden states of each token over the orders.
    [[nodiscard]] Result<std::vector<std::int64_t>> distinctStates(std::stop_token stop);
    /// Distinct hidden states of the token that stands last in an order, over the orders of those before it.
    [[nodiscard]] Result<std::int64_t> distinctStatesHeldLast(const std::vector<int>& order,
                                                              std::stop_token stop);

private:
    OrderSweep() = default;

    [[nodiscard]] Result<RowMatrix> statesOf(const std::vector<int>& order, std::stop_token stop) const;
    template <class OrderOf, class Use>
    [[nodiscard]] Result<void> runAll(std::int64_t orders, OrderOf orderOf, Use use,
                                      std::stop_token stop) const;

    int m_tokens = 0, m_mostTokens = 0;
    std::uint64_t m_seed = 0;
    bool m_isSampled = false;
    std::int64_t m_orders = 0;
    double m_tolerance = 0.0;
    std::optional<OrderTable> m_table;
    std::optional<LayerStack> m_stack;  // where there is no table
    RowMatrix m_states;  // (order, token) × d; without rows where all orders come from the table
    std::optional<std::vector<std::int64_t>> m_distinct;
    std::map<int, std::int64_t> m_distinctHeld;  // by the token that is held last
};

}  // namespace phaseladder
