#include "core/attention/problem.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/attention/relative_rows.h"

namespace phaseladder {

std::int64_t definedTokens(const AttentionProblem& problem) {
    const std::int64_t positions =
        std::max(problem.queryStart + problem.queries.rows(), problem.keyStart + problem.keys.rows());
    return std::min(problem.plan.definedTokens.value_or(positions), positions);
}

double logitScale(const EncodingPlan& plan, std::int64_t width) {
    return plan.softmaxMultiplier *
           (plan.scaleByRootWidth ? 1.0 / std::sqrt(static_cast<double>(width)) : 1.0);
}

RowMatrix positionRows(const EncodingPlan& plan, std::int64_t positions, std::int64_t width) {
    const std::vector<double>& rows = plan.additiveRows.empty() ? plan.concatenatedRows : plan.additiveRows;
    return rows.empty() ? RowMatrix() : RowMatrix(Eigen::Map<const RowMatrix>(rows.data(), positions, width));
}

double pairLogit(const EncodingPlan& plan, double scale, const Eigen::Ref<const Eigen::RowVectorXd>& query,
                 std::int64_t queryPosition, const Eigen::Ref<const Eigen::RowVectorXd>& key,
                 std::int64_t keyPosition) {
    double sum = query.dot(key);
    if (plan.queryOffsets) {
        sum += asRow(plan.queryOffsets->content).dot(key);
    }
    if (plan.relativeKeys) {
        const auto vector = relativeVector(*plan.relativeKeys, keyPosition - queryPosition, query.size());
        sum += query.dot(vector);
        if (plan.queryOffsets) {
            sum += asRow(plan.queryOffsets->position).dot(vector);
        }
    }
    const double bias = plan.scoreBias ? plan.scoreBias->at(keyPosition - queryPosition) : 0.0;
    return scale * sum + bias;
}

Result<EncodingPlan> makePlan(const Scene& scene, std::int64_t positions) {
    const Encoding* encoding = findEncoding(scene.encoding);
    if (encoding == nullptr) {
        return fail(ErrorKind::usage, fmt::format("There is no encoding '{}'.", scene.encoding));
    }
    return encoding->plan(scene, positions);
}

std::shared_ptr<const AttentionProblem> makeProblem(const Scene& scene, EncodingPlan plan) {
    const std::int64_t tokens = scene.tokens.empty() ? 0 : sequenceLength(scene);
    const std::int64_t width = plan.concatenatedRows.empty() ? scene.headDim : 2 * scene.headDim;
    const Vocabulary vocabulary = vocabularyOf(scene);
    const std::vector<Eigen::Index> words = wordsAtPositions(scene, vocabulary, tokens);
    const HeadWeights weights = headWeights(scene, 0, scene.head, width);
    const WordContent content = wordContent(scene, vocabulary, weights, scene.head);

    // Projection is linear: words and the rows of positions are projected apart, so a repeated word costs
    // nothing more.
    const RowMatrix positions = positionRows(plan, tokens, scene.headDim);
    const auto project = [&](const RowMatrix& projectedWords, const RowMatrix& matrix) {
        if (positions.size() == 0) {
            return HeadRows(projectedWords, words);
        }
        RowMatrix rows = projectedWords(words, Eigen::all);
        rows.noalias() += positions * matrix.bottomRows(scene.headDim);
        return HeadRows(std::move(rows));
    };
    auto problem = std::make_shared<AttentionProblem>();
    problem->queries = project(content.queries, weights.query);
    problem->keys = project(content.keys, weights.key);
    problem->values = project(vocabulary.vectors * weights.value.topRows(scene.headDim), weights.value);
    problem->plan = std::move(plan);
    problem->causal = scene.causal;
    return problem;
}

std::shared_ptr<const AttentionProblem> makeLayerProblem(const Scene& scene, EncodingPlan plan,
                                                         const RowMatrix& stream, int layer) {
    const HeadWeights weights = headWeights(scene, layer, scene.head, stream.cols());
    auto problem = std::make_shared<AttentionProblem>();
    problem->queries = RowMatrix(stream * weights.query);
    problem->keys = RowMatrix(stream * weights.key);
    problem->values = RowMatrix(stream * weights.value);
    problem->plan = std::move(plan);
    problem->causal = scene.causal;
    return problem;
}

}  // namespace phaseladder
