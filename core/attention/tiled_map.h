#pragma once

#include <stop_token>

#include "core/attention/backend.h"
#include "core/attention/tile_problem.h"

namespace phaseladder {

/// Pools a request's part of the map from tiles of scores, on all threads, into map, masked, computedRows and
/// largestRowSumError of a result. Rows whose sums are known cost the tiles of the window only; the sums of
/// all others are kept. False where it was stopped.
[[nodiscard]] bool poolTiles(TileProblem& problem, const MapRequest& request, const std::stop_token& stop,
                             AttentionResult& result);

}  // namespace phaseladder
