#include "core/figures/viewed_cell.h"

#include <algorithm>

#include <fmt/format.h>

namespace phaseladder {
namespace {

/// Texts up to this length have all their positions scored.
constexpr std::int64_t mostWholeText = 4096;

}  // namespace

Result<ViewedCell> viewedCell(const Scene& scene) {
    const int query = viewedToken(scene);
    const int key = viewedKey(scene);
    const std::int64_t queryPosition = positionOfToken(scene, query);
    const std::int64_t keyPosition = positionOfToken(scene, key);
    const std::int64_t tokens = sequenceLength(scene);
    const std::int64_t last = std::max(queryPosition, keyPosition);
    Result<PairScorer> scorer = PairScorer::create(scene, tokens <= mostWholeText ? tokens : last + 1);
    if (!scorer) {
        return tl::unexpected(scorer.error());
    }
    const std::vector<std::string> labels = tokenLabels(scene);
    ViewedCell cell{.queryPosition = queryPosition,
                    .keyPosition = keyPosition,
                    .queryWord = labels[static_cast<std::size_t>(query)],
                    .keyWord = labels[static_cast<std::size_t>(key)],
                    .scorer = *std::move(scorer)};
    cell.words = fmt::format("{} at {}, {} at {}", cell.queryWord, queryPosition, cell.keyWord, keyPosition);
    for (const auto& [word, position] :
         {std::pair(cell.queryWord, queryPosition), std::pair(cell.keyWord, keyPosition)}) {
        if (position >= tokens) {
            cell.isDefined = false;
            cell.undefinedSentence =
                fmt::format("{} is not in the text of {} tokens: raise text.length.", word, tokens);
            return cell;
        }
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
