#include "core/attention/layers.h"

namespace phaseladder {
namespace {

using ProblemPointer = std::shared_ptr<const AttentionProblem>;

/// What one head of a layer adds to the stream: tokens × width.
Result<RowMatrix> headOutput(const Scene& scene, const RowMatrix& stream, int layer, Backend& backend,
                             std::stop_token stop) {
    Result<EncodingPlan> plan = makePlan(scene, stream.rows());
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const ProblemPointer problem = layer == 0 ? makeProblem(scene, *std::move(plan))
                                              : makeLayerProblem(scene, *std::move(plan), stream, layer);
    const Result<AttentionResult> result = backend.run({.problem = problem, .hiddenStates = true}, stop);
    if (!result) {
        return tl::unexpected(result.error());
    }
    return RowMatrix(result->hiddenStates * outputWeights(scene, layer, scene.head, stream.cols()));
}

}  // namespace

RowMatrix inputStream(const Scene& scene, const EncodingPlan& plan) {
    const std::int64_t tokens = scene.tokens.empty() ? 0 : sequenceLength(scene);
    const Vocabulary vocabulary = vocabularyOf(scene);
    RowMatrix words = vocabulary.vectors(wordsAtPositions(scene, vocabulary, tokens), Eigen::all);
    if (!plan.additiveRows.empty()) {
        words += Eigen::Map<const RowMatrix>(plan.additiveRows.data(), tokens, scene.headDim);
    }
    if (plan.concatenatedRows.empty()) {
        return words;
    }
    RowMatrix both(tokens, 2 * scene.headDim);
    both << words, Eigen::Map<const RowMatrix>(plan.concatenatedRows.data(), tokens, scene.headDim);
    return both;
}

Result<std::vector<RowMatrix>> residualStream(const Scene& scene, int layers, Backend& backend,
                                              std::stop_token stop) {
    const Result<EncodingPlan> plan = makePlan(scene, scene.tokens.empty() ? 0 : sequenceLength(scene));
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    std::vector<RowMatrix> stream{inputStream(scene, *plan)};
    for (int layer = 0; layer < layers; ++layer) {
        RowMatrix next = stream.back();
        Scene headScene = scene;
        for (headScene.head = 0; headScene.head < scene.heads; ++headScene.head) {
            Result<RowMatrix> output = headOutput(headScene, stream.back(), layer, backend, stop);
            if (!output) {
                return tl::unexpected(output.error());
            }
            next += *output;
        }
        stream.push_back(std::move(next));
    }
    return stream;
}

Result<ProblemPointer> makeLastProblem(const Scene& scene, Backend& backend, std::stop_token stop) {
    Result<EncodingPlan> plan = makePlan(scene, scene.tokens.empty() ? 0 : sequenceLength(scene));
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    if (scene.layers == 1 || scene.tokens.empty()) {
        return makeProblem(scene, *std::move(plan));
    }
    Result<std::vector<RowMatrix>> stream = residualStream(scene, scene.layers - 1, backend, stop);
    if (!stream) {
        return tl::unexpected(stream.error());
    }
    return makeLayerProblem(scene, *std::move(plan), stream->back(), scene.layers - 1);
}

}  // namespace phaseladder
