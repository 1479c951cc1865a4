#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "core/attention/pair_scorer.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// The query token and the key token that are looked at (view.token, view.key), where they stand in the
/// present order, and their logit in the first layer.
struct ViewedCell {
    std::int64_t queryPosition = 0, keyPosition = 0;
    std::string queryWord, keyWord;  ///< labels of the tokens
    std::string words{};             ///< "man at 2, dog at 0"
    PairScorer scorer;
    Eigen::RowVectorXd query{}, key{};  ///< d numbers each, with their positions in them
    LogitParts parts{};
    double logit = 0.0;
    /// Whose row holds what is no number, so that there is no logit; empty where both have numbers.
    std::string warning{};
};

/// Why the two have no logit: one of them is not in the text, stands where the table has no row, or has no
/// query or key in the files of captured heads. An empty
/// text where they have one. The scene must have tokens.
[[nodiscard]] std::string viewedCellRefusal(const Scene& scene);

/// The scene must have tokens, and no viewedCellRefusal().
[[nodiscard]] Result<ViewedCell> viewedCell(const Scene& scene, std::stop_token stop);

}  // namespace phaseladder
