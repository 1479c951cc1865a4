#include "core/attention/layer_stack.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/cancelled.h"

namespace phaseladder {
namespace {

/// Most memory of the weights of all layers and heads.
constexpr double mostWeightBytes = 1024.0 * 1024.0 * 1024.0;

/// Refuses weights that take more.
Result<void> checkWeights(const Scene& scene, std::int64_t width) {
    const double heads = (scene.layers - 1.0) * scene.heads + 1.0;
    const double matrix = static_cast<double>(width) * scene.headDim * sizeof(double);
    const double bytes = 4.0 * matrix * heads;
    if (bytes <= mostWeightBytes) {
        return {};
    }
    constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
    return fail(
        ErrorKind::failed,
        fmt::format("The weights of {} layers with {} heads need {:.1f} GiB, {:.1f} GiB allowed to run "
                    "many orders; lower heads, head_dim or layers.",
                    scene.layers, scene.heads, bytes / gibibyte, mostWeightBytes / gibibyte));
}

RowMatrix atPositions(const RowMatrix& words, const std::vector<Eigen::Index>& wordOfPosition,
                      const RowMatrix& positions) {
    return joinPositions(words(wordOfPosition, Eigen::all), positions, false);
}

}  // namespace

Result<LayerStack> LayerStack::create(const Scene& scene, std::stop_token stop) {
    const auto count = static_cast<std::int64_t>(scene.tokens.size());
    const Vocabulary vocabulary = vocabularyOf(scene);
    LayerStack stack;
    stack.m_shownHead = scene.head;
    stack.m_causal = scene.causal;
    stack.m_words = vocabulary.wordOfToken;
    stack.m_vectors = vocabulary.vectors;
    Scene headScene = scene;
    for (headScene.head = 0; headScene.head < scene.heads; ++headScene.head) {
        if (stop.stop_requested()) {
            return cancelled();
        }
        Result<EncodingPlan> plan = makePlan(headScene, count);
        if (!plan) {
            return tl::unexpected(plan.error());
        }
        if (headScene.head == 0) {
            stack.m_concatenates = !plan->concatenatedRows.empty();
            stack.m_positions = positionRows(*plan, count, scene.headDim);
        }
        plan->additiveRows.clear();
        plan->concatenatedRows.clear();
        stack.m_plans.push_back(*std::move(plan));
    }
    const std::int64_t width = stack.m_concatenates ? 2 * scene.headDim : scene.headDim;
    if (const Result<void> fits = checkWeights(scene, width); !fits) {
        return tl::unexpected(fits.error());
    }
    for (int layer = 0; layer < scene.layers; ++layer) {
        std::vector<Head>& heads = stack.m_layers.emplace_back(static_cast<std::size_t>(scene.heads));
        for (int head = 0; head < scene.heads; ++head) {
            if (stop.stop_requested()) {
                return cancelled();
            }
            Head& one = heads[static_cast<std::size_t>(head)];
            const bool isLast = layer + 1 == scene.layers;
            if (isLast && head != scene.head) {
                continue;
            }
            one.weights = headWeights(scene, layer, head, width);
            if (!isLast) {
                one.output = std::make_shared<RowMatrix>(outputWeights(scene, layer, head, width));
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

std::vector<Eigen::Index> LayerStack::wordsOf(std::span<const int> order) const {
    std::vector<Eigen::Index> words(order.size());
    std::ranges::transform(order, words.begin(), [this](int token) { return wordOf(token); });
    return words;
}

RowMatrix LayerStack::input(std::span<const int> order) const {
    return joinPositions(m_vectors(wordsOf(order), Eigen::all), m_positions, m_concatenates);
}

std::shared_ptr<AttentionProblem> LayerStack::firstProblem(int head, std::span<const int> order) const {
    const Head& one = this->head(0, head);
    const std::vector<Eigen::Index> words = wordsOf(order);
    auto problem = std::make_shared<AttentionProblem>();
    problem->queries = atPositions(one.wordQueries, words, one.positionQueries);
    problem->keys = atPositions(one.wordKeys, words, one.positionKeys);
    problem->values = atPositions(one.wordValues, words, one.positionValues);
    problem->plan = plan(head);
    problem->causal = m_causal;
    return problem;
}

std::shared_ptr<const AttentionProblem> LayerStack::problem(int layer, int head, std::span<const int> order,
                                                            const RowMatrix& stream) const {
    if (layer == 0) {
        return firstProblem(head, order);
    }
    const HeadWeights& weights = this->head(layer, head).weights;
    auto problem = std::make_shared<AttentionProblem>();
    problem->queries = RowMatrix(stream * weights.query);
    problem->keys = RowMatrix(stream * weights.key);
    problem->values = RowMatrix(stream * weights.value);
    problem->plan = plan(head);
    problem->causal = m_causal;
    return problem;
}

Result<RowMatrix> LayerStack::hiddenStates(std::span<const int> order, Backend& backend,
                                           std::stop_token stop) const {
    const Result<std::vector<RowMatrix>> stream = runLayers(
        layers() > 1 ? input(order) : RowMatrix(), layers() - 1, heads(),
        [&](int layer, int head, const RowMatrix& rows) -> Result<HeadRun> {
            return HeadRun{problem(layer, head, order, rows), this->head(layer, head).output};
        },
        backend, stop);
    if (!stream) {
        return tl::unexpected(stream.error());
    }
    const auto result = backend.run(
        {.problem = problem(layers() - 1, m_shownHead, order, stream->back()), .hiddenStates = true}, stop);
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
