#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/attention/content.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// What each token scores with each other one, at every pair of positions, in the scene's first layer and
/// shown head: made once, it gives the hidden states of any order by loads, adds and one division a row.
/// Tokens are their places in scene.tokens; equal words stay different tokens.
class OrderTable {
public:
    /// The scene's own order does not matter. tokens⁴ scores; the scene has tokens, all with a code.
    [[nodiscard]] static Result<OrderTable> create(const Scene& scene, std::stop_token stop = {});

    [[nodiscard]] int tokens() const { return m_tokens; }
    [[nodiscard]] Eigen::Index width() const { return m_values.cols(); }  ///< d
    [[nodiscard]] bool isCausal() const { return m_causal; }

    /// exp(logit − largest logit of this query): the query's token and position, the key's token and
    /// position.
    [[nodiscard]] double score(int query, int queryPosition, int key, int keyPosition) const {
        return m_scores[((index(query) * index(m_tokens) + index(queryPosition)) * index(m_tokens) +
                         index(key)) *
                            index(m_tokens) +
                        index(keyPosition)];
    }
    /// What a query at a position gets of a key for weight 1: d numbers.
    [[nodiscard]] auto value(int key, int keyPosition, int queryPosition) const {
        return m_values.row(key * m_keyStride + keyPosition * m_keyPositionStride +
                            queryPosition * m_queryPositionStride);
    }
    /// All values that there are, row by row.
    [[nodiscard]] const RowMatrix& values() const { return m_values; }

    /// How far the logits of one query lie apart, at most. Above mostSpread the scores of an order may all
    /// vanish, and the table must not be used.
    [[nodiscard]] double spread() const { return m_spread; }
    static constexpr double mostSpread = 600.0;

    /// Keys that a query at a position sees: below it under a causal mask.
    [[nodiscard]] int visiblePositions(int queryPosition) const {
        return m_causal ? queryPosition + 1 : m_tokens;
    }

    /// Hidden states and weights of an order. Rows (and the columns of weights) are tokens, not positions.
    struct States {
        RowMatrix hidden;   ///< tokens × d
        RowMatrix weights;  ///< tokens × tokens
    };
    [[nodiscard]] States states(std::span<const int> order) const;

private:
    static std::size_t index(int number) { return static_cast<std::size_t>(number); }

    int m_tokens = 0;
    bool m_causal = false;
    double m_spread = 0.0;
    std::vector<double> m_scores;  // query × its position × key × its position
    RowMatrix m_values;            // by the strides; a stride of 0 where the value does not depend on it
    Eigen::Index m_keyStride = 1, m_keyPositionStride = 0, m_queryPositionStride = 0;
};

}  // namespace phaseladder
