#include "core/figures/viewed_cell.h"

#include <algorithm>

#include <fmt/format.h>

namespace phaseladder {
namespace {

/// First position that holds a token.
std::int64_t positionOf(const Scene& scene, int token) {
    const auto found = std::ranges::find(scene.order, token);
    return scene.order.empty() ? token : found - scene.order.begin();
}

}  // namespace

Result<ViewedCell> viewedCell(const Scene& scene) {
    const int query = viewedToken(scene);
    const int key = viewedKey(scene);
    const std::int64_t queryPosition = positionOf(scene, query);
    const std::int64_t keyPosition = positionOf(scene, key);
    Result<PairScorer> scorer =
        PairScorer::create(scene, std::max(sequenceLength(scene), std::max(queryPosition, keyPosition) + 1));
    if (!scorer) {
        return tl::unexpected(scorer.error());
    }
    const std::vector<std::string> labels = tokenLabels(scene);
    ViewedCell cell{.queryPosition = queryPosition,
                    .keyPosition = keyPosition,
                    .queryWord = labels[static_cast<std::size_t>(query)],
                    .keyWord = labels[static_cast<std::size_t>(key)],
                    .scorer = *std::move(scorer)};
    cell.words = fmt::format("{} at {} → {} at {}", cell.queryWord, queryPosition, cell.keyWord, keyPosition);
    for (const std::int64_t position : {queryPosition, keyPosition}) {
        if (!cell.scorer.isDefined(position)) {
            cell.isDefined = false;
            cell.undefinedSentence =
                fmt::format("Position {} has no row in the table: nothing is defined there.", position);
            return cell;
        }
    }
    cell.query = cell.scorer.queryAt(cell.scorer.queryContent(query), queryPosition);
    cell.key = cell.scorer.keyAt(cell.scorer.keyContent(key), keyPosition);
    cell.parts = cell.scorer.parts(cell.query, queryPosition, cell.key, keyPosition);
    cell.logit = cell.scorer.logit(cell.query, queryPosition, cell.key, keyPosition);
    return cell;
}

}  // namespace phaseladder
