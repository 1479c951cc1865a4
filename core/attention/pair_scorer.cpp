#include "core/attention/pair_scorer.h"

#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "core/attention/captured.h"
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
    scorer.m_width = scene.headDim;
    if (stop.stop_requested()) {
        return cancelled();
    }
    const Result<void> taken =
        hasCapture(scene) ? scorer.takeCapture(scene, *plan, stop) : scorer.takeWords(scene, *plan, stop);
    if (!taken) {
        return tl::unexpected(taken.error());
    }
    const ChannelPairs pairs = channelPairs(*plan, scene.headDim);
    for (int pair = 0; pair < pairs.count; ++pair) {
        scorer.m_pairs.push_back(pairs.channels(pair));
    }
    scorer.m_scale = logitScale(*plan, scene.headDim);
    scorer.m_plan = *std::move(plan);
    return scorer;
}

Result<void> PairScorer::takeWords(const Scene& scene, const EncodingPlan& plan, std::stop_token stop) {
    const bool concatenates = !plan.concatenatedRows.empty();
    const Vocabulary vocabulary = vocabularyOf(scene);
    const HeadWeights weights =
        headWeights(scene, 0, scene.head, concatenates ? 2 * scene.headDim : scene.headDim);
    WordContent content = wordContent(scene, vocabulary, weights, scene.head);
    m_queries.rows = HeadRows(std::move(content.queries), vocabulary.wordOfToken);
    m_keys.rows = HeadRows(std::move(content.keys), vocabulary.wordOfToken);
    m_values.rows =
        HeadRows(vocabulary.vectors * weights.value.topRows(scene.headDim), vocabulary.wordOfToken);
    if (stop.stop_requested()) {
        return cancelled();
    }
    const RowMatrix codes = positionRows(plan, m_positions, scene.headDim);
    if (codes.size() > 0) {
        for (const auto& [rows, matrix] :
             {std::pair(&m_positionQueries, &weights.query), std::pair(&m_positionKeys, &weights.key),
              std::pair(&m_positionValues, &weights.value)}) {
            if (stop.stop_requested()) {
                return cancelled();
            }
            *rows = codes * matrix->bottomRows(scene.headDim);
        }
    }
    return {};
}

Result<void> PairScorer::takeCapture(const Scene& scene, const EncodingPlan& plan, std::stop_token stop) {
    if (const Result<void> acts = checkCapturedPlan(plan); !acts) {
        return acts;
    }
    const Result<CapturedHead> head = readCapturedHead(scene, std::move(stop));
    if (!head) {
        return tl::unexpected(head.error());
    }
    m_queries = {head->queries->rows, scene.capture.rowOffset};
    m_keys = {head->keys->rows, scene.capture.columnOffset};
    m_values = {head->values ? head->values->rows : HeadRows(), scene.capture.columnOffset};
    return {};
}

bool PairScorer::isDefined(std::int64_t position) const {
    return position < m_plan.definedTokens.value_or(m_positions);
}

Eigen::RowVectorXd PairScorer::contentOf(const Content& content, int token) const {
    const std::int64_t row = token - content.start;
    Eigen::RowVectorXd numbers =
        Eigen::RowVectorXd::Constant(m_width, std::numeric_limits<double>::quiet_NaN());
    if (row >= 0 && row < content.rows.rows()) {
        content.rows.copyRows(row, row + 1, numbers.data());
    }
    return numbers;
}

Eigen::RowVectorXd PairScorer::queryContent(int token) const {
    return contentOf(m_queries, token);
}

Eigen::RowVectorXd PairScorer::keyContent(int token) const {
    return contentOf(m_keys, token);
}

bool PairScorer::hasKey(int token) const {
    return token >= m_keys.start && token - m_keys.start < m_keys.rows.rows();
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
    Eigen::RowVectorXd row = contentOf(m_values, token);
    if (m_positionValues.size() > 0) {
        row += m_positionValues.row(position);
    }
    if (m_plan.relativeValues) {
        row += relativeVector(*m_plan.relativeValues, position - queryPosition, row.size());
    }
    return row;
}

}  // namespace phaseladder
