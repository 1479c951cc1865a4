#pragma once

#include <stop_token>

#include "core/attention/backend.h"
#include "core/attention/tile_problem.h"

namespace phaseladder {

/// Hidden states of all queries from tiles of scores, on all threads, into hiddenStates and
/// largestRowSumError of a result: NaN where a row sees nothing. Values, and the relative ones, are those of
/// `asked`, which has the scores of the problem. The sums of all rows are kept. False where it was stopped.
[[nodiscard]] bool sumValues(TileProblem& problem, const AttentionProblem& asked, const std::stop_token& stop,
                             AttentionResult& result);

}  // namespace phaseladder
