#pragma once

#include <QImage>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/attention/backend.h"

namespace phaseladder::app {

/// Attention in which a few queries look at one key each, far from all others.
struct HotCells {
    std::shared_ptr<const AttentionProblem> problem;            ///< causal, no positions
    std::vector<std::pair<std::int64_t, std::int64_t>> places;  ///< (query, key), no row or column twice
};

/// Normal queries and keys of `tokens` tokens; `count` of the queries are three times the key that they look
/// at, so that its weight is nearly 1. None among the first rows, whose weights are large anyway.
[[nodiscard]] HotCells hotCells(std::int64_t tokens, int width, int count);

/// How many of the cells stand out in a picture of the map of all of the text, a pixel of it by a cell of the
/// map, painted in the sequential colours of the light style from 0 to 1: those whose pixel has the colour of
/// at least half their weight.
[[nodiscard]] double visiblePercent(const HotCells& cells, const QImage& picture);

}  // namespace phaseladder::app
