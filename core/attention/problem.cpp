#include "core/attention/problem.h"

#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/random.h"

namespace phaseladder {
namespace {

void fillNormal(RowMatrix::RowXpr row, std::uint64_t seed) {
    Random random(seed);
    for (Eigen::Index channel = 0; channel < row.size(); ++channel) {
        row[channel] = random.normal();
    }
}

/// d × d, entries normal / √d; each head has its own.
RowMatrix weightMatrix(const Scene& scene, std::string_view name) {
    const Eigen::Index width = scene.headDim;
    RowMatrix weights(width, width);
    Random random(
        streamSeed(static_cast<std::uint64_t>(scene.seed), name, static_cast<std::uint64_t>(scene.head)));
    const double scale = 1.0 / std::sqrt(static_cast<double>(width));
    for (Eigen::Index at = 0; at < weights.size(); ++at) {
        weights.data()[at] = random.normal() * scale;
    }
    return weights;
}

/// The different words of a text, each with its vector.
struct Vocabulary {
    std::vector<Eigen::Index> wordAtPosition;  ///< row of vectors, one a position
    RowMatrix vectors;                         ///< words × d
};

Vocabulary vocabularyOf(const Scene& scene, std::int64_t tokens) {
    std::map<std::string_view, Eigen::Index> wordOfText;
    std::vector<Eigen::Index> wordOfToken;
    for (const std::string& token : scene.tokens) {
        const auto next = static_cast<Eigen::Index>(wordOfText.size());
        wordOfToken.push_back(wordOfText.try_emplace(token, next).first->second);
    }
    Vocabulary vocabulary;
    vocabulary.wordAtPosition.reserve(static_cast<std::size_t>(tokens));
    for (std::int64_t position = 0; position < tokens; ++position) {
        const auto token = static_cast<std::size_t>(tokenAtPosition(scene, position));
        vocabulary.wordAtPosition.push_back(wordOfToken[token]);
    }
    vocabulary.vectors.resize(static_cast<Eigen::Index>(wordOfText.size()), scene.headDim);
    for (const auto& [text, word] : wordOfText) {
        fillNormal(vocabulary.vectors.row(word), streamSeed(static_cast<std::uint64_t>(scene.seed), text));
    }
    return vocabulary;
}

}  // namespace

Result<std::shared_ptr<const AttentionProblem>> makeProblem(const Scene& scene) {
    const Encoding* encoding = findEncoding(scene.encoding);
    if (encoding == nullptr) {
        return fail(ErrorKind::usage, fmt::format("There is no encoding '{}'.", scene.encoding));
    }
    const std::int64_t tokens = scene.tokens.empty() ? 0 : sequenceLength(scene);
    Result<EncodingPlan> plan = encoding->plan(scene, tokens);
    if (!plan) {
        return tl::unexpected(plan.error());
    }

    const Vocabulary vocabulary = vocabularyOf(scene, tokens);
    const RowMatrix queryWeights = weightMatrix(scene, "W_q");
    const RowMatrix keyWeights = weightMatrix(scene, "W_k");
    const RowMatrix valueWeights = weightMatrix(scene, "W_v");

    // Projection is linear: words and additive rows are projected apart, so a repeated word costs nothing
    // more.
    auto problem = std::make_shared<AttentionProblem>();
    const auto project = [&](const RowMatrix& weights) -> RowMatrix {
        const RowMatrix words = vocabulary.vectors * weights;
        RowMatrix rows = words(vocabulary.wordAtPosition, Eigen::all);
        if (!plan->additiveRows.empty()) {
            rows.noalias() +=
                Eigen::Map<const RowMatrix>(plan->additiveRows.data(), tokens, scene.headDim) * weights;
        }
        return rows;
    };
    problem->queries = project(queryWeights);
    problem->keys = project(keyWeights);
    problem->values = project(valueWeights);
    problem->plan = *std::move(plan);
    problem->causal = scene.causal;
    return problem;
}

}  // namespace phaseladder
