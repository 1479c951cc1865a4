#include "core/attention/layers.h"

#include "core/attention/captured.h"
#include "core/cancelled.h"

namespace phaseladder {
namespace {

using ProblemPointer = std::shared_ptr<const AttentionProblem>;

std::int64_t textTokens(const Scene& scene) {
    return scene.tokens.empty() ? 0 : sequenceLength(scene);
}

}  // namespace

RowMatrix joinPositions(RowMatrix words, const RowMatrix& positions, bool isBeside) {
    if (positions.size() == 0) {
        return words;
    }
    if (!isBeside) {
        words += positions;
        return words;
    }
    RowMatrix both(words.rows(), words.cols() + positions.cols());
    both << words, positions;
    return both;
}

RowMatrix inputStream(const Scene& scene, const EncodingPlan& plan) {
    const std::int64_t tokens = textTokens(scene);
    const Vocabulary vocabulary = vocabularyOf(scene);
    return joinPositions(vocabulary.vectors(wordsAtPositions(scene, vocabulary, tokens), Eigen::all),
                         positionRows(plan, tokens, scene.headDim), !plan.concatenatedRows.empty());
}

Result<std::vector<RowMatrix>> runLayers(
    RowMatrix input, int layers, int heads,
    const std::function<Result<HeadRun>(int layer, int head, const RowMatrix& stream)>& headOf,
    Backend& backend, std::stop_token stop) {
    std::vector<RowMatrix> stream{std::move(input)};
    for (int layer = 0; layer < layers; ++layer) {
        RowMatrix next = stream.back();
        for (int head = 0; head < heads; ++head) {
            if (stop.stop_requested()) {
                return cancelled();
            }
            const Result<HeadRun> run = headOf(layer, head, stream.back());
            if (!run) {
                return tl::unexpected(run.error());
            }
            const Result<AttentionResult> result =
                backend.run({.problem = run->problem, .hiddenStates = true}, stop);
            if (!result) {
                return tl::unexpected(result.error());
            }
            next += result->hiddenStates * *run->output;
        }
        stream.push_back(std::move(next));
    }
    return stream;
}

Result<std::vector<RowMatrix>> residualStream(const Scene& scene, int layers, Backend& backend,
                                              std::stop_token stop) {
    const Result<EncodingPlan> plan = makePlan(scene, textTokens(scene));
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const auto headOf = [&](int layer, int head, const RowMatrix& stream) -> Result<HeadRun> {
        Scene headScene = scene;
        headScene.head = head;
        return makePlan(headScene, stream.rows()).map([&](EncodingPlan headPlan) {
            return HeadRun{
                layer == 0 ? makeProblem(headScene, std::move(headPlan))
                           : makeLayerProblem(headScene, std::move(headPlan), stream, layer),
                std::make_shared<const RowMatrix>(outputWeights(scene, layer, head, stream.cols()))};
        });
    };
    return runLayers(inputStream(scene, *plan), layers, scene.heads, headOf, backend, std::move(stop));
}

}  // namespace phaseladder
