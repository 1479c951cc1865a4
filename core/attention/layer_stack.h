#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "core/attention/backend.h"
#include "core/attention/content.h"
#include "core/attention/problem.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// The scene's layers with all weights made once, to run many orders of its tokens: the same numbers as the
/// engine gives for one scene after the other.
class LayerStack {
public:
    /// The scene's own order does not matter; its text is as long as its list of tokens.
    [[nodiscard]] static Result<LayerStack> create(const Scene& scene);

    [[nodiscard]] int tokens() const { return static_cast<int>(m_words.size()); }
    /// Heads that one order runs.
    [[nodiscard]] int runs() const {
        return (static_cast<int>(m_layers.size()) - 1) * static_cast<int>(m_plans.size()) + 1;
    }

    /// Hidden states of the shown head in the last layer, tokens × d; row t is token t, wherever it stands.
    [[nodiscard]] Result<RowMatrix> hiddenStates(std::span<const int> order, Backend& backend,
                                                 std::stop_token stop) const;

private:
    struct Head {
        HeadWeights weights;  ///< of the first layer without use
        RowMatrix output;     ///< without rows in the last layer
        /// First layer: of words, then of positions (without rows where the plan has none).
        RowMatrix wordQueries, wordKeys, wordValues, positionQueries, positionKeys, positionValues;
    };
    [[nodiscard]] std::shared_ptr<const AttentionProblem> problem(std::size_t layer, std::size_t head,
                                                                  std::span<const int> order,
                                                                  const RowMatrix& stream) const;

    std::size_t m_shownHead = 0;
    bool m_causal = false;
    std::vector<Eigen::Index> m_words;  // of each token
    RowMatrix m_vectors;                // words × d
    RowMatrix m_positions;              // tokens × d, or without rows
    bool m_concatenates = false;
    std::vector<EncodingPlan> m_plans;        // of each head, without the rows
    std::vector<std::vector<Head>> m_layers;  // layer × head
};

}  // namespace phaseladder
