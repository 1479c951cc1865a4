#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/attention/layers.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// The scene's layers with all weights made once, to run many orders of its tokens: the same numbers as the
/// engine gives for one scene after the other.
class LayerStack {
public:
    /// One head of one layer; matrices without rows where it is not run.
    struct Head {
        HeadWeights weights;                                                      ///< of the later layers
        std::shared_ptr<const RowMatrix> output = std::make_shared<RowMatrix>();  ///< of all but the last
        /// First layer: of words, then of positions (without rows where the plan has none).
        RowMatrix wordQueries, wordKeys, wordValues, positionQueries, positionKeys, positionValues;
    };

    /// The scene's own order does not matter; its text is as long as its list of tokens. Refuses weights that
    /// do not fit the memory.
    [[nodiscard]] static Result<LayerStack> create(const Scene& scene, std::stop_token stop);

    [[nodiscard]] int tokens() const { return static_cast<int>(m_words.size()); }
    [[nodiscard]] int layers() const { return static_cast<int>(m_layers.size()); }
    [[nodiscard]] int heads() const { return static_cast<int>(m_plans.size()); }
    [[nodiscard]] int shownHead() const { return m_shownHead; }
    [[nodiscard]] bool isCausal() const { return m_causal; }
    [[nodiscard]] Eigen::Index headWidth() const { return m_vectors.cols(); }  ///< d
    /// Of the residual stream: d, or 2d where the rows of positions stand beside the tokens.
    [[nodiscard]] Eigen::Index width() const { return m_concatenates ? 2 * headWidth() : headWidth(); }
    /// Heads that one order runs.
    [[nodiscard]] int runs() const { return (layers() - 1) * heads() + 1; }
    [[nodiscard]] const Head& head(int layer, int head) const {
        return m_layers[static_cast<std::size_t>(layer)][static_cast<std::size_t>(head)];
    }
    /// Without the rows, which are inside the queries, keys and values of the first layer.
    [[nodiscard]] const EncodingPlan& plan(int head) const { return m_plans[static_cast<std::size_t>(head)]; }
    [[nodiscard]] Eigen::Index wordOf(int token) const { return m_words[static_cast<std::size_t>(token)]; }

    /// What the tokens of an order bring into the first layer: tokens × width, by position.
    [[nodiscard]] RowMatrix input(std::span<const int> order) const;
    /// Queries, keys and values of the first layer at the positions, before rotation.
    [[nodiscard]] std::shared_ptr<AttentionProblem> firstProblem(int head, std::span<const int> order) const;

    /// Hidden states of the shown head in the last layer, tokens × d; row t is token t, wherever it stands.
    [[nodiscard]] Result<RowMatrix> hiddenStates(std::span<const int> order, Backend& backend,
                                                 std::stop_token stop) const;

private:
    [[nodiscard]] std::vector<Eigen::Index> wordsOf(std::span<const int> order) const;
    [[nodiscard]] std::shared_ptr<const AttentionProblem> problem(int layer, int head,
                                                                  std::span<const int> order,
                                                                  const RowMatrix& stream) const;

    int m_shownHead = 0;
    bool m_causal = false;
    std::vector<Eigen::Index> m_words;  // of each token
    RowMatrix m_vectors;                // words × d
    RowMatrix m_positions;              // tokens × d, or without rows
    bool m_concatenates = false;
    std::vector<EncodingPlan> m_plans;  // of each head
    std::vector<std::vector<Head>> m_layers;
};

}  // namespace phaseladder
