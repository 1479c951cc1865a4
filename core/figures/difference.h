#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder {

/// live - pinned, and exactly 0 where they are equal, infinite ones too. NaN where one of them is.
[[nodiscard]] double difference(double pinned, double live);

/// The way from one phase to another on a circle of this length, the shorter one: within ± half of it.
[[nodiscard]] double circularDifference(double pinned, double live, double period);

/// log2(live / pinned): how often the value has doubled. NaN where one of them is not above 0.
[[nodiscard]] double doublings(double pinned, double live);

/// How two values on an axis are compared: as their difference, on a log axis as their doublings.
[[nodiscard]] double differenceOn(AxisScale scale, double pinned, double live);

/// What is drawn where a series of B is compared with its counterpart in A.
struct ComparedSeries {
    std::vector<double> values;  ///< one an x of B; NaN where A has none
    bool isInterpolated = false;
    bool hasValues = false;
};

enum class BetweenPoints { nothing, interpolated };

/// B - A at each x of B. Where A has no point at an x, its value is interpolated between its neighbours (both
/// x ascending), or there is none.
[[nodiscard]] ComparedSeries compareSeries(const std::vector<double>& pinnedX,
                                           const std::vector<double>& pinnedY,
                                           const std::vector<double>& liveX, const std::vector<double>& liveY,
                                           AxisScale scale, BetweenPoints between);

/// Why two maps cannot be subtracted, as the end of "Not compared: ..."; empty when they can.
[[nodiscard]] std::string whyNotSubtracted(const Heatmap& pinned, const Heatmap& live);

/// B - A cell by cell on a diverging map; phases the shorter way around. A cell that is hidden in one of them
/// is hidden, undefined before aliased before masked.
[[nodiscard]] Heatmap differenceMap(const Heatmap& pinned, const Heatmap& live);

}  // namespace phaseladder
