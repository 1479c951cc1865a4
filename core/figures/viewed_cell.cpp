#include "core/figures/viewed_cell.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/attention/captured.h"
#include "core/encodings/absolute.h"

namespace phaseladder {
namespace {

/// Texts up to this length have all their positions scored.
constexpr std::int64_t mostWholeText = 4096;

}  // namespace

std::string viewedCellRefusal(const Scene& scene) {
    if (std::string missing = missingRow(scene); !missing.empty()) {
        return missing;
    }
    const std::int64_t tokens = sequenceLength(scene);
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    for (const int token : {viewedToken(scene), viewedKey(scene)}) {
        const std::int64_t position = positionOfToken(scene, token);
        if (position >= tokens) {
            return fmt::format("{} is not in the text of {} tokens: raise text.length.",
                               tokenLabels(scene)[static_cast<std::size_t>(token)], tokens);
        }
        if (plan && position >= plan->definedTokens.value_or(position + 1)) {
            return fmt::format("Position {} has no row in the table: nothing is defined there.", position);
        }
    }
    return {};
}

Result<ViewedCell> viewedCell(const Scene& scene, std::stop_token stop) {
    const int query = viewedToken(scene);
    const int key = viewedKey(scene);
    const std::int64_t queryPosition = positionOfToken(scene, query);
    const std::int64_t keyPosition = positionOfToken(scene, key);
    const std::int64_t tokens = sequenceLength(scene);
    const std::int64_t last = std::max(queryPosition, keyPosition);
    Result<PairScorer> scorer =
        PairScorer::create(scene, tokens <= mostWholeText ? tokens : last + 1, std::move(stop));
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
    cell.query = cell.scorer.queryAt(cell.scorer.queryContent(query), queryPosition);
    cell.key = cell.scorer.keyAt(cell.scorer.keyContent(key), keyPosition);
    cell.parts = cell.scorer.parts(cell.query, queryPosition, cell.key, keyPosition);
    cell.logit = cell.scorer.logit(cell.query, queryPosition, cell.key, keyPosition);
    const bool isQuery = !cell.query.allFinite();
    if (isQuery || !cell.key.allFinite()) {
        cell.warning =
            fmt::format("The {} of {} at {} has a NaN or an infinity ({}): no logit, no weight.",
                        isQuery ? "query" : "key", isQuery ? cell.queryWord : cell.keyWord,
                        isQuery ? queryPosition : keyPosition, isQuery ? "view.token" : "view.key");
    }
    return cell;
}

}  // namespace phaseladder
