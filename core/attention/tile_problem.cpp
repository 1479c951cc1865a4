#include "core/attention/tile_problem.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "core/attention/packed_product.h"
#include "core/index.h"
#include "core/threads.h"

namespace phaseladder {
namespace {

constexpr std::int64_t turnedAtOnce =
    512;  // keys between two looks at the stop token: tenths of a millisecond
constexpr double largestLogGrowth = 60.0;  // e^60 is 1e26: leaves room for the numbers that grow

std::int64_t inGroups(std::int64_t keys) {
    return (keys + PackedProduct::groupKeys - 1) / PackedProduct::groupKeys * PackedProduct::groupKeys;
}

std::int64_t lastPosition(const AttentionProblem& problem) {
    return std::max(problem.queryStart + problem.queries.rows(), problem.keyStart + problem.keys.rows()) - 1;
}

}  // namespace

void RowSums::resize(std::int64_t rows) {
    largest.resize(index(rows));
    inverseSum.resize(index(rows));
    logSum.resize(index(rows));
    sumError.resize(index(rows));
    isKnown.assign(index(rows), 0);
}

TileProblem::TileProblem(std::shared_ptr<const AttentionProblem> source)
    : problem(std::move(source)),
      turner(problem->plan.rotation, lastPosition(*problem)),
      growth(channelGrowth(problem->plan, problem->keys.cols())),
      scale(static_cast<float>(logitScale(problem->plan, problem->queries.cols()))),
      defined(definedTokens(*problem)) {
    sums.resize(problem->queries.rows());
}

std::unique_ptr<TileProblem> TileProblem::create(std::shared_ptr<const AttentionProblem> source,
                                                 const std::stop_token& stop) {
    std::unique_ptr<TileProblem> made(new TileProblem(std::move(source)));
    made->setScoreBias();
    return made->turnKeys(stop) ? std::move(made) : nullptr;
}

void TileProblem::setScoreBias() {
    if (!problem->plan.scoreBias) {
        return;
    }
    const std::int64_t keyCount = problem->keys.rows();
    scoreBias.resize(index(problem->queries.rows() + keyCount - 1));
    const std::int64_t leastDistance = queryPosition(0) - keyPosition(keyCount - 1);
    for (std::size_t at = 0; at < scoreBias.size(); ++at) {
        const std::int64_t distance = leastDistance + static_cast<std::int64_t>(at);
        scoreBias[at] = static_cast<float>(problem->plan.scoreBias->at(-distance));
    }
}

bool TileProblem::turnKeys(const std::stop_token& stop) {
    const std::int64_t rows = problem->keys.rows(), width = problem->keys.cols();
    keys.resize(inGroups(rows) * width);
    std::atomic<bool> isStopped{false};
    const auto turnPart = [&](std::int64_t begin) {
        const std::int64_t end = std::min(begin + turnedAtOnce, rows);
        FloatRows part(inGroups(end - begin), width);
        part.bottomRows(part.rows() - (end - begin)).setZero();
        turner.copyTurned(problem->keys, begin, end, problem->keyStart, part.data());
        for (std::int64_t row = begin; row < end && !growth.empty(); ++row) {
            const auto distance = static_cast<double>(keyPosition(row) - tileCentre(row));
            for (std::int64_t channel = 0; channel < width; ++channel) {
                part(row - begin, channel) *=
                    static_cast<float>(std::exp(-growth[index(channel)] * distance));
            }
        }
        PackedProduct::packKeys(part.data(), part.rows(), width, keys.data() + begin * width);
    };
    forEachInParallel(static_cast<int>((rows + turnedAtOnce - 1) / turnedAtOnce), [&](int part) {
        if (isStopped || stop.stop_requested()) {
            isStopped = true;
            return;
        }
        turnPart(part * turnedAtOnce);
    });
    return !isStopped;
}

std::int64_t TileProblem::visibleKeys(std::int64_t row) const {
    const std::int64_t position = queryPosition(row);
    const std::int64_t end =
        position >= defined ? 0 : std::min(problem->causal ? position + 1 : defined, defined);
    return std::clamp<std::int64_t>(end - problem->keyStart, 0, problem->keys.rows());
}

double TileProblem::bytes() const {
    return static_cast<double>(sizeof(float)) *
           (static_cast<double>(keys.size()) + static_cast<double>(scoreBias.size()) +
            5.0 * static_cast<double>(problem->queries.rows()));
}

bool haveSameScores(const AttentionProblem& first, const AttentionProblem& second) {
    const EncodingPlan& a = first.plan;
    const EncodingPlan& b = second.plan;
    return first.queries.sharesWith(second.queries) && first.keys.sharesWith(second.keys) &&
           first.causal == second.causal && first.queryStart == second.queryStart &&
           first.keyStart == second.keyStart && a.definedTokens == b.definedTokens &&
           a.rotation == b.rotation && a.scoreBias == b.scoreBias && a.relativeKeys == b.relativeKeys &&
           a.queryOffsets == b.queryOffsets && a.scaleByRootWidth == b.scaleByRootWidth &&
           a.softmaxMultiplier == b.softmaxMultiplier;
}

bool growthFitsSinglePrecision(const AttentionProblem& problem) {
    const std::vector<double> growth = channelGrowth(problem.plan, problem.keys.cols());
    double largest = 0.0;
    for (const double g : growth) {
        // A score grows by g (i - j). Of keys that are seen, the farthest before and behind a query.
        const auto before =
            static_cast<double>(problem.queryStart + problem.queries.rows() - 1 - problem.keyStart);
        const auto behind =
            problem.causal
                ? 0.0
                : static_cast<double>(problem.keyStart + problem.keys.rows() - 1 - problem.queryStart);
        largest =
            std::max({largest, std::abs(g) * static_cast<double>(tileKeys / 2), g * before, -g * behind});
    }
    return largest <= largestLogGrowth;
}

}  // namespace phaseladder
