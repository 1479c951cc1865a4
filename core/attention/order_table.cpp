#include "core/attention/order_table.h"

#include <algorithm>
#include <cmath>

#include "core/attention/pair_scorer.h"
#include "core/cancelled.h"

namespace phaseladder {

Result<OrderTable> OrderTable::create(const Scene& scene, std::stop_token stop) {
    const auto count = static_cast<int>(scene.tokens.size());
    const Result<PairScorer> scorer = PairScorer::create(scene, count, stop);
    if (!scorer) {
        return tl::unexpected(scorer.error());
    }
    OrderTable table;
    table.m_tokens = count;
    table.m_causal = scene.causal;

    std::vector<Eigen::RowVectorXd> queries, keys;  // token × position
    for (int token = 0; token < count; ++token) {
        for (int position = 0; position < count; ++position) {
            queries.push_back(scorer->queryAt(scorer->queryContent(token), position));
            keys.push_back(scorer->keyAt(scorer->keyContent(token), position));
        }
    }
    for (std::size_t query = 0; query < queries.size(); ++query) {
        if (stop.stop_requested()) {
            return cancelled();
        }
        const auto start = static_cast<std::ptrdiff_t>(table.m_scores.size());
        const auto queryPosition = static_cast<std::int64_t>(query) % count;
        for (std::size_t key = 0; key < keys.size(); ++key) {
            table.m_scores.push_back(scorer->logit(queries[query], queryPosition, keys[key],
                                                   static_cast<std::int64_t>(key) % count));
        }
        const auto [least, most] = std::minmax_element(table.m_scores.begin() + start, table.m_scores.end());
        const double bound = *most;
        table.m_spread = std::max(table.m_spread, bound - *least);
        std::for_each(table.m_scores.begin() + start, table.m_scores.end(),
                      [bound](double& score) { score = std::exp(score - bound); });
    }

    const EncodingPlan& plan = scorer->plan();
    const bool followsKey = !plan.additiveRows.empty() || !plan.concatenatedRows.empty();
    const bool followsBoth = plan.relativeValues.has_value();
    const int keyPositions = followsKey || followsBoth ? count : 1;
    const int queryPositions = followsBoth ? count : 1;
    table.m_keyPositionStride = keyPositions > 1 ? count : 0;
    table.m_queryPositionStride = queryPositions > 1 ? count * count : 0;
    table.m_values.resize(Eigen::Index{count} * keyPositions * queryPositions, scene.headDim);
    Eigen::Index row = 0;
    for (int queryPosition = 0; queryPosition < queryPositions; ++queryPosition) {
        for (int keyPosition = 0; keyPosition < keyPositions; ++keyPosition) {
            for (int key = 0; key < count; ++key) {
                table.m_values.row(row++) = scorer->valueAt(key, keyPosition, queryPosition);
            }
        }
    }
    return table;
}

OrderTable::States OrderTable::states(std::span<const int> order) const {
    States states{RowMatrix::Zero(m_tokens, width()), RowMatrix::Zero(m_tokens, m_tokens)};
    for (int position = 0; position < m_tokens; ++position) {
        const int query = order[index(position)];
        auto weights = states.weights.row(query);
        for (int other = 0; other < visiblePositions(position); ++other) {
            const int key = order[index(other)];
            weights[key] = score(query, position, key, other);
        }
        weights /= weights.sum();
        for (int other = 0; other < visiblePositions(position); ++other) {
            const int key = order[index(other)];
            states.hidden.row(query) += weights[key] * value(key, other, position);
        }
    }
    return states;
}

}  // namespace phaseladder
