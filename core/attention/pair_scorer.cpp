#include "core/attention/pair_scorer.h"

#include <cassert>
#include <numeric>

#include "core/attention/relative_rows.h"
#include "core/attention/rotate.h"
#include "core/cancelled.h"

namespace phaseladder {
double LogitParts::sum() const {
    return std::accumulate(pairs.begin(), pairs.end(), passThrough + relative + bias);
}

Result<PairScorer> PairScorer::create(const Scene& scene, std::int64_t positions, std::stop_token stop) {
    assert(positions >= 1);
    Result<EncodingPlan> plan = makePlan(scene, positions);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    PairScorer scorer;
    scorer.m_positions = positions;
    const bool concatenates = !plan->concatenatedRows.empty();
    if (stop.stop_requested()) {
        return cancelled();
    }
    const Vocabulary vocabulary = vocabularyOf(scene);
    const HeadWeights weights =
        headWeights(scene, 0, scene.head, concatenates ? 2 * scene.headDim : scene.headDim);
    const WordContent content = wordContent(scene, vocabulary, weights, scene.head);
    scorer.m_wordOfToken = vocabulary.wordOfToken;
    scorer.m_queries = content.queries;
    scorer.m_keys = content.keys;
    scorer.m_values = vocabulary.vectors * weights.value.topRows(scene.headDim);
    if (stop.stop_requested()) {
        return cancelled();
    }
    const RowMatrix codes = positionRows(*plan, positions, scene.headDim);
    if (codes.size() > 0) {
        for (const auto& [rows, matrix] : {std::pair(&scorer.m_positionQueries, &weights.query),
                                           std::pair(&scorer.m_positionKeys, &weights.key),
                                           std::pair(&scorer.m_positionValues, &weights.value)}) {
            if (stop.stop_requested()) {
                return cancelled();
            }
            *rows = codes * matrix->bottomRows(scene.headDim);
        }
    }
    const ChannelPairs pairs = channelPairs(*plan, scene.headDim);
    for (int pair = 0; pair < pairs.count; ++pair) {
        scorer.m_pairs.push_back(pairs.channels(pair));
    }
    scorer.m_scale = logitScale(*plan, scene.headDim);
    scorer.m_plan = *std::move(plan);
    return scorer;
}

bool PairScorer::isDefined(std::int64_t position) const {
    return position < m_plan.definedTokens.value_or(m_positions);
}

Eigen::RowVectorXd PairScorer::queryContent(int token) const {
    return m_queries.row(m_wordOfToken[static_cast<std::size_t>(token)]);
}

Eigen::RowVectorXd PairScorer::keyContent(int token) const {
    return m_keys.row(m_wordOfToken[static_cast<std::size_t>(token)]);
}

Eigen::RowVectorXd PairScorer::queryAt(const Eigen::RowVectorXd& content, std::int64_t position) const {
    Eigen::RowVectorXd row = content;
    if (m_positionQueries.size() > 0) {
        row += m_positionQueries.row(position);
    }
    if (m_plan.rotation) {
        rotateQuery({row.data(), static_cast<std::size_t>(row.size())}, *m_plan.rotation, position);
    }
    return row;
}

Eigen::RowVectorXd PairScorer::keyAt(const Eigen::RowVectorXd& content, std::int64_t position) const {
    Eigen::RowVectorXd row = content;
    if (m_positionKeys.size() > 0) {
        row += m_positionKeys.row(position);
    }
    if (m_plan.rotation) {
        rotateKey({row.data(), static_cast<std::size_t>(row.size())}, *m_plan.rotation, position);
    }
    return row;
}

LogitParts PairScorer::parts(const Eigen::RowVectorXd& query, std::int64_t queryPosition,
                             const Eigen::RowVectorXd& key, std::int64_t keyPosition) const {
    LogitParts parts;
    Eigen::RowVectorXd withOffset = query;
    if (m_plan.queryOffsets) {
        withOffset += asRow(m_plan.queryOffsets->content);
    }
    Eigen::RowVectorXd products = withOffset.cwiseProduct(key) * m_scale;
    for (const auto& [first, second] : m_pairs) {
        parts.pairs.push_back(products[first] + products[second]);
        products[first] = 0.0;
        products[second] = 0.0;
    }
    parts.passThrough = products.sum();
    if (m_plan.relativeKeys) {
        Eigen::RowVectorXd positional = query;
        if (m_plan.queryOffsets) {
            positional += asRow(m_plan.queryOffsets->position);
        }
        parts.relative = m_scale * positional.dot(relativeVector(*m_plan.relativeKeys,
                                                                 keyPosition - queryPosition, query.size()));
    }
    if (m_plan.scoreBias) {
        parts.bias = m_plan.scoreBias->at(keyPosition - queryPosition);
    }
    return parts;
}

double PairScorer::logit(const Eigen::RowVectorXd& query, std::int64_t queryPosition,
                         const Eigen::RowVectorXd& key, std::int64_t keyPosition) const {
    return pairLogit(m_plan, m_scale, query, queryPosition, key, keyPosition);
}

double PairScorer::tokenLogit(int queryToken, std::int64_t queryPosition, int keyToken,
                              std::int64_t keyPosition) const {
    return logit(queryAt(queryContent(queryToken), queryPosition), queryPosition,
                 keyAt(keyContent(keyToken), keyPosition), keyPosition);
}

Eigen::RowVectorXd PairScorer::valueAt(int token, std::int64_t position, std::int64_t queryPosition) const {
    Eigen::RowVectorXd row = m_values.row(m_wordOfToken[static_cast<std::size_t>(token)]);
    if (m_positionValues.size() > 0) {
        row += m_positionValues.row(position);
    }
    if (m_plan.relativeValues) {
        row += relativeVector(*m_plan.relativeValues, position - queryPosition, row.size());
    }
    return row;
}

}  // namespace phaseladder
