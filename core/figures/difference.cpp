#include "core/figures/difference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "core/figures/figure_parts.h"

namespace phaseladder {
namespace {

/// Of a staircase left and right of x; NaN outside.
std::pair<double, double> heightsAt(const Curve& stairs, double x) {
    const auto [first, last] = std::ranges::equal_range(stairs.x, x);
    const auto before = first - stairs.x.begin();
    const auto after = last - stairs.x.begin();
    const auto count = static_cast<std::ptrdiff_t>(stairs.x.size());
    const auto height = [&](std::ptrdiff_t index) { return stairs.y[static_cast<std::size_t>(index)]; };
    if (before == after) {  // between two corners
        const double inside = before == 0 || before == count ? noValue : height(before);
        return {inside, inside};
    }
    return {before == 0 ? noValue : height(before), after == count ? noValue : height(after - 1)};
}

SeriesDifference staircaseDifference(const Curve& pinned, const Curve& live, AxisScale scale) {
    SeriesDifference found;
    std::vector<double> corners = pinned.x;
    corners.insert(corners.end(), live.x.begin(), live.x.end());
    std::ranges::sort(corners);
    const auto repeated = std::ranges::unique(corners);
    corners.erase(repeated.begin(), repeated.end());
    for (const double x : corners) {
        const auto [pinnedLeft, pinnedRight] = heightsAt(pinned, x);
        const auto [liveLeft, liveRight] = heightsAt(live, x);
        const double left = differenceOn(scale, pinnedLeft, liveLeft);
        const double right = differenceOn(scale, pinnedRight, liveRight);
        if (!std::isnan(left)) {
            found.x.push_back(x);
            found.values.push_back(left);
        }
        if (!std::isnan(right) && right != left) {
            found.x.push_back(x);
            found.values.push_back(right);
        }
    }
    return found;
}

/// The staircase as points at these places; none on a corner.
Curve pointsOf(const Curve& stairs, const std::vector<double>& places) {
    Curve points;
    points.x = places;
    for (const double place : places) {
        const auto [left, right] = heightsAt(stairs, place);
        points.y.push_back(left == right ? left : noValue);
    }
    return points;
}

/// How many places of `x` lie within the reach of `other` and are not among them.
std::size_t lackingIn(const std::vector<double>& other, const std::vector<double>& x) {
    std::vector<double> sorted = other;
    std::ranges::sort(sorted);
    return static_cast<std::size_t>(std::ranges::count_if(x, [&](double place) {
        return !sorted.empty() && place > sorted.front() && place < sorted.back() &&
               !std::ranges::binary_search(sorted, place);
    }));
}

}  // namespace

double difference(double pinned, double live) {
    return pinned == live ? 0.0 : live - pinned;
}

double circularDifference(double pinned, double live, double period) {
    return pinned == live ? 0.0 : std::remainder(live - pinned, period);
}

double doublings(double pinned, double live) {
    if (!(pinned > 0.0) || !(live > 0.0)) {
        return noValue;
    }
    if (pinned == live) {
        return 0.0;
    }
    // The same number with the other sign where A and B change places.
    return live > pinned ? std::log2(live / pinned) : -std::log2(pinned / live);
}

double differenceOn(AxisScale scale, double pinned, double live) {
    return scale == AxisScale::log10 ? doublings(pinned, live) : difference(pinned, live);
}

bool SeriesDifference::hasValues() const {
    return std::ranges::any_of(values, [](double value) { return std::isfinite(value); });
}

std::vector<double> valuesAt(const std::vector<double>& x, const std::vector<double>& y,
                             const std::vector<double>& places) {
    if (x == places) {
        return y;
    }
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&x](std::size_t index) { return x[index]; });
    std::vector<double> values;
    values.reserve(places.size());
    for (const double place : places) {
        const auto found =
            std::ranges::equal_range(order, place, {}, [&x](std::size_t index) { return x[index]; });
        values.push_back(found.size() == 1 ? y[found.front()] : noValue);
    }
    return values;
}

SeriesDifference seriesDifference(const std::vector<double>& pinnedX, const std::vector<double>& pinnedY,
                                  const std::vector<double>& liveX, const std::vector<double>& liveY,
                                  AxisScale scale) {
    SeriesDifference found;
    if (pinnedX == liveX) {
        found.x = liveX;
        for (std::size_t index = 0; index < liveX.size(); ++index) {
            found.values.push_back(differenceOn(scale, pinnedY[index], liveY[index]));
        }
        return found;
    }
    std::vector<double> known = pinnedX;
    std::ranges::sort(known);
    const std::vector<double> pinned = valuesAt(pinnedX, pinnedY, liveX);
    for (std::size_t index = 0; index < liveX.size(); ++index) {
        if (std::ranges::binary_search(known, liveX[index])) {
            found.x.push_back(liveX[index]);
            found.values.push_back(differenceOn(scale, pinned[index], liveY[index]));
        }
    }
    found.leftOut = lackingIn(pinnedX, liveX) + lackingIn(liveX, pinnedX);
    return found;
}

SeriesDifference curveDifference(const Curve& pinned, const Curve& live, AxisScale scale) {
    if (pinned.isStaircase && live.isStaircase) {
        return staircaseDifference(pinned, live, scale);
    }
    const Curve before = pinned.isStaircase ? pointsOf(pinned, live.x) : pinned;
    const Curve now = live.isStaircase ? pointsOf(live, pinned.x) : live;
    return seriesDifference(before.x, before.y, now.x, now.y, scale);
}

}  // namespace phaseladder
