#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/attention/layer_stack.h"
#include "core/progress.h"
#include "core/result.h"

namespace phaseladder {

/// Hidden states that a walk has come to.
struct WalkedStates {
    RowMatrix hidden;         ///< states × d
    std::vector<int> tokens;  ///< whose state each is
    std::vector<std::uint32_t>
        states;  ///< rank of an order × tokens + position, by which it can be run again
};

/// Runs all orders of a few tokens through all layers. Under a causal mask a state depends on the tokens
/// before it alone: the walk goes from prefix to prefix and runs each once, e·n! rows in place of n·n!.
/// Without a mask it runs whole orders. Either way many rows go through a layer as one product. The position
/// is inside the weights (x W turned as at p is x times the turned rows of W), and W_o inside the values.
class OrderWalk {
public:
    /// Whether the weights for a text of so many tokens (the stack's, or another) fit the memory; and whether
    /// going through all its orders ends within seconds, and what is kept of each state fits, as well.
    [[nodiscard]] static bool canHold(const LayerStack& stack, int tokens);
    [[nodiscard]] static bool fits(const LayerStack& stack, int tokens);

    /// The walk must be able to hold the stack's text. Incomplete where it was asked to stop.
    OrderWalk(std::shared_ptr<const LayerStack> stack, const std::stop_token& stop);

    /// States of a whole walk, and what one takes: each operation is about a multiplication and an addition.
    [[nodiscard]] static double states(int tokens, bool causal);
    [[nodiscard]] static double operationsOfRow(const LayerStack& stack, int tokens);

    /// The walk falls into parts that can be gone through at the same time.
    [[nodiscard]] int parts() const;
    /// Calls use for one batch after the other; stops early when asked.
    void go(int part, const std::function<void(const WalkedStates&)>& use, const std::stop_token& stop) const;

    /// Hidden states of some orders, few enough not to be stopped: (order, token) × d.
    [[nodiscard]] RowMatrix states(std::span<const std::vector<int>> orders) const;

private:
    struct Rows;
    class Part;

    [[nodiscard]] Eigen::Index place(int token, int position) const {
        return Eigen::Index{token} * m_tokens + position;
    }
    [[nodiscard]] RowMatrix runRows(Rows& rows, const std::vector<Rows>& levels) const;
    void attend(const Rows& rows, const std::vector<Rows>& levels, int layer, int head,
                const RowMatrix& queries, RowMatrix& sums) const;
    [[nodiscard]] Rows orderRows(std::span<const std::vector<int>> orders) const;

    /// A head of a layer. First layer: of each token at each position. Later: turned weights of each
    /// position.
    struct Head {
        RowMatrix keys, values;                 ///< first layer: token × position
        std::vector<double> logits;             ///< first layer: query × its position × key × its position
        std::vector<RowMatrix> queryAt, keyAt;  ///< later layers
        RowMatrix value;
        RowMatrix relativeValues;  ///< offsets × width, or without rows
        double scale = 1.0;
    };
    [[nodiscard]] const Head& head(int layer, int head) const {
        return m_heads[static_cast<std::size_t>(layer * m_stack->heads() + head)];
    }
    [[nodiscard]] Head firstHead(int head) const;
    [[nodiscard]] Head laterHead(int layer, int head) const;

    std::shared_ptr<const LayerStack> m_stack;
    int m_tokens = 0;
    RowMatrix m_input;  // token × position, × width; without rows in one layer
    std::vector<Head> m_heads;
};

}  // namespace phaseladder
