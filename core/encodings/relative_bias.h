#pragma once

#include <vector>

#include "core/scene.h"

namespace phaseladder {

/// The clipped tables of the scene, one for each head in turn (or one where shared), 2K + 1 numbers each, of
/// i - j from -K to K: the drawn ones, or seeded normal ones.
[[nodiscard]] std::vector<double> biasTables(const Scene& scene);

/// Whether one such table serves all heads.
[[nodiscard]] bool sharesTable(const Scene& scene);

/// Whether entries of the scene's bias can be drawn: those of the clipped table.
[[nodiscard]] bool hasDrawableTable(const Scene& scene);

/// Tables of 2·before + 1 numbers as tables of 2·after + 1: the middle stays, a longer one repeats its ends
/// (which is what clipping did). Returned as it is where the length does not fit.
[[nodiscard]] std::vector<double> reclippedTable(const std::vector<double>& tables, int before, int after);

/// A drawn table as it is for another number of heads (1 where shared), each 2·clip + 1 numbers: further
/// heads get the last one's. Returned as it is where nothing is drawn or the length does not fit.
[[nodiscard]] std::vector<double> tablesForHeads(const std::vector<double>& tables, int clip, int heads);

}  // namespace phaseladder
