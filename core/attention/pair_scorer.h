#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/attention/problem.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// A logit taken apart; the sum of all parts is the logit.
struct LogitParts {
    std::vector<double> pairs;  ///< q·k of each pair of channels (content.h), times the logit's factor
    double passThrough = 0.0;   ///< of the channels that do not rotate
    double relative = 0.0;      ///< q·r of relative key vectors
    double bias = 0.0;          ///< score bias

    [[nodiscard]] double sum() const;
};

/// Logits of any token at any position, one at a time, in the first layer and the shown head: what the
/// figures of distance, translation and order ask. No softmax, no mask. The same numbers as the attention
/// backends give for a text that has the tokens there.
class PairScorer {
public:
    /// For positions 0 .. positions-1 (at least 1); some of them may be undefined (plan().definedTokens).
    [[nodiscard]] static Result<PairScorer> create(const Scene& scene, std::int64_t positions,
                                                   std::stop_token stop = {});

    [[nodiscard]] const EncodingPlan& plan() const { return m_plan; }
    [[nodiscard]] std::int64_t positions() const { return m_positions; }
    [[nodiscard]] bool isDefined(std::int64_t position) const;

    /// Content of a token (index into scene.tokens) before its position: d numbers; NaN where captured heads
    /// hold no row of it.
    [[nodiscard]] Eigen::RowVectorXd queryContent(int token) const;
    [[nodiscard]] Eigen::RowVectorXd keyContent(int token) const;
    /// Whether there is a key of a token: captured heads may hold those of some tokens only.
    [[nodiscard]] bool hasKey(int token) const;

    /// d numbers with the position in them: rows added, pairs turned. Positions must be in range.
    [[nodiscard]] Eigen::RowVectorXd queryAt(const Eigen::RowVectorXd& content, std::int64_t position) const;
    [[nodiscard]] Eigen::RowVectorXd keyAt(const Eigen::RowVectorXd& content, std::int64_t position) const;

    /// Logit of a query and a key that have their positions in them already.
    [[nodiscard]] double logit(const Eigen::RowVectorXd& query, std::int64_t queryPosition,
                               const Eigen::RowVectorXd& key, std::int64_t keyPosition) const;
    [[nodiscard]] LogitParts parts(const Eigen::RowVectorXd& query, std::int64_t queryPosition,
                                   const Eigen::RowVectorXd& key, std::int64_t keyPosition) const;
    /// Logit of two tokens at two positions.
    [[nodiscard]] double tokenLogit(int queryToken, std::int64_t queryPosition, int keyToken,
                                    std::int64_t keyPosition) const;

    /// What a query at a position gets of a token at another one for weight 1: its value with the position's
    /// rows and relative value vector; d numbers.
    [[nodiscard]] Eigen::RowVectorXd valueAt(int token, std::int64_t position,
                                             std::int64_t queryPosition) const;

    /// Factor between q·k and the logit.
    [[nodiscard]] double scale() const { return m_scale; }

private:
    /// What stands for the tokens: row t - start of `rows` for token t.
    struct Content {
        HeadRows rows;
        std::int64_t start = 0;
    };

    PairScorer() = default;
    [[nodiscard]] Eigen::RowVectorXd contentOf(const Content& content, int token) const;
    [[nodiscard]] Result<void> takeWords(const Scene& scene, const EncodingPlan& plan, std::stop_token stop);
    [[nodiscard]] Result<void> takeCapture(const Scene& scene, const EncodingPlan& plan,
                                           std::stop_token stop);

    EncodingPlan m_plan;
    std::int64_t m_positions = 0;
    double m_scale = 1.0;
    int m_width = 0;  // d
    Content m_queries, m_keys, m_values;
    RowMatrix m_positionQueries, m_positionKeys, m_positionValues;  // positions × d, or without rows
    std::vector<std::pair<int, int>> m_pairs;
};

}  // namespace phaseladder
