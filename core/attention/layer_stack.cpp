#include "core/attention/layer_stack.h"

#include <memory>

namespace phaseladder {
namespace {

/// Word rows of an order, with those of the positions where there are any.
RowMatrix atPositions(const RowMatrix& words, const std::vector<Eigen::Index>& wordOfPosition,
                      const RowMatrix& positions) {
    RowMatrix rows = words(wordOfPosition, Eigen::all);
    if (positions.size() > 0) {
        rows += positions;
    }
    return rows;
}

}  // namespace

Result<LayerStack> LayerStack::create(const Scene& scene) {
    const auto count = static_cast<std::int64_t>(scene.tokens.size());
    const Vocabulary vocabulary = vocabularyOf(scene);
    LayerStack stack;
    stack.m_shownHead = static_cast<std::size_t>(scene.head);
    stack.m_causal = scene.causal;
    stack.m_words = vocabulary.wordOfToken;
    stack.m_vectors = vocabulary.vectors;
    Scene headScene = scene;
    for (headScene.head = 0; headScene.head < scene.heads; ++headScene.head) {
        Result<EncodingPlan> plan = makePlan(headScene, count);
        if (!plan) {
            return tl::unexpected(plan.error());
        }
        stack.m_concatenates = !plan->concatenatedRows.empty();
        const std::vector<double>& rows = stack.m_concatenates ? plan->concatenatedRows : plan->additiveRows;
        if (!rows.empty()) {
            stack.m_positions = Eigen::Map<const RowMatrix>(rows.data(), count, scene.headDim);
        }
        plan->additiveRows.clear();  // they are inside queries, keys and values
        plan->concatenatedRows.clear();
        stack.m_plans.push_back(*std::move(plan));
    }
    const std::int64_t width = stack.m_concatenates ? 2 * scene.headDim : scene.headDim;
    for (int layer = 0; layer < scene.layers; ++layer) {
        std::vector<Head>& heads = stack.m_layers.emplace_back(static_cast<std::size_t>(scene.heads));
        for (int head = 0; head < scene.heads; ++head) {
            Head& one = heads[static_cast<std::size_t>(head)];
            const bool isLast = layer + 1 == scene.layers;
            if (isLast && head != scene.head) {
                continue;
            }
            one.weights = headWeights(scene, layer, head, width);
            if (!isLast) {
                one.output = outputWeights(scene, layer, head, width);
            }
            if (layer == 0) {
                const WordContent content = wordContent(scene, vocabulary, one.weights, head);
                one.wordQueries = content.queries;
                one.wordKeys = content.keys;
                one.wordValues = vocabulary.vectors * one.weights.value.topRows(scene.headDim);
                if (stack.m_positions.size() > 0) {
                    one.positionQueries = stack.m_positions * one.weights.query.bottomRows(scene.headDim);
                    one.positionKeys = stack.m_positions * one.weights.key.bottomRows(scene.headDim);
                    one.positionValues = stack.m_positions * one.weights.value.bottomRows(scene.headDim);
                }
                one.weights = {};
            }
        }
    }
    return stack;
}

std::shared_ptr<const AttentionProblem> LayerStack::problem(std::size_t layer, std::size_t head,
                                                            std::span<const int> order,
                                                            const RowMatrix& stream) const {
    const Head& one = m_layers[layer][head];
    auto problem = std::make_shared<AttentionProblem>();
    if (layer == 0) {
        std::vector<Eigen::Index> words;
        for (const int token : order) {
            words.push_back(m_words[static_cast<std::size_t>(token)]);
        }
        problem->queries = atPositions(one.wordQueries, words, one.positionQueries);
        problem->keys = atPositions(one.wordKeys, words, one.positionKeys);
        problem->values = atPositions(one.wordValues, words, one.positionValues);
    } else {
        problem->queries = stream * one.weights.query;
        problem->keys = stream * one.weights.key;
        problem->values = stream * one.weights.value;
    }
    problem->plan = m_plans[head];
    problem->causal = m_causal;
    return problem;
}

Result<RowMatrix> LayerStack::hiddenStates(std::span<const int> order, Backend& backend,
                                           std::stop_token stop) const {
    RowMatrix stream;
    if (m_layers.size() > 1) {
        std::vector<Eigen::Index> words;
        for (const int token : order) {
            words.push_back(m_words[static_cast<std::size_t>(token)]);
        }
        const RowMatrix none;
        stream = atPositions(m_vectors, words, m_concatenates ? none : m_positions);
        if (m_concatenates) {
            stream.conservativeResize(Eigen::NoChange, 2 * m_positions.cols());
            stream.rightCols(m_positions.cols()) = m_positions;
        }
    }
    for (std::size_t layer = 0; layer + 1 < m_layers.size(); ++layer) {
        RowMatrix next = stream;
        for (std::size_t head = 0; head < m_plans.size(); ++head) {
            const auto result =
                backend.run({.problem = problem(layer, head, order, stream), .hiddenStates = true}, stop);
            if (!result) {
                return tl::unexpected(result.error());
            }
            next += result->hiddenStates * m_layers[layer][head].output;
        }
        stream = std::move(next);
    }
    const auto result = backend.run(
        {.problem = problem(m_layers.size() - 1, m_shownHead, order, stream), .hiddenStates = true}, stop);
    if (!result) {
        return tl::unexpected(result.error());
    }
    RowMatrix byToken(result->hiddenStates.rows(), result->hiddenStates.cols());
    for (std::size_t position = 0; position < order.size(); ++position) {
        byToken.row(order[position]) = result->hiddenStates.row(static_cast<Eigen::Index>(position));
    }
    return byToken;
}

}  // namespace phaseladder
