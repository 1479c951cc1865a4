#pragma once

#include <cstddef>
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

/// The values of a series at other places; NaN where it has no point there, or several.
[[nodiscard]] std::vector<double> valuesAt(const std::vector<double>& x, const std::vector<double>& y,
                                           const std::vector<double>& places);

/// B - A at the places that both have, in B's order. Nothing is interpolated.
struct SeriesDifference {
    std::vector<double> x, values;
    std::size_t leftOut = 0;  ///< places within the reach of both that one of them lacks

    [[nodiscard]] bool hasValues() const;
};
[[nodiscard]] SeriesDifference seriesDifference(const std::vector<double>& pinnedX,
                                                const std::vector<double>& pinnedY,
                                                const std::vector<double>& liveX,
                                                const std::vector<double>& liveY, AxisScale scale);

/// The same for lines. Two staircases: the corners of both, as far as both reach, so that it is one again.
/// One staircase: its height at the other line's places.
[[nodiscard]] SeriesDifference curveDifference(const Curve& pinned, const Curve& live, AxisScale scale);

}  // namespace phaseladder
