#include "core/figures/difference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include <fmt/format.h>

#include "core/figures/figure_parts.h"

namespace phaseladder {
namespace {

/// A's value at x: of its point there, or between its neighbours.
struct ValueAt {
    double value = noValue;
    bool isInterpolated = false;
};

ValueAt valueAt(const std::vector<double>& x, const std::vector<double>& y, double at,
                BetweenPoints between) {
    const auto next = std::ranges::lower_bound(x, at);
    if (next == x.end()) {
        return {};
    }
    const auto index = static_cast<std::size_t>(next - x.begin());
    if (*next == at) {
        return {y[index], false};
    }
    if (index == 0 || between == BetweenPoints::nothing) {
        return {};
    }
    const double share = (at - x[index - 1]) / (x[index] - x[index - 1]);
    return {y[index - 1] + share * (y[index] - y[index - 1]), true};
}

/// The value of the only point at x, whatever their order.
double valueOfOnlyPoint(const std::vector<double>& x, const std::vector<double>& y, double at) {
    const auto found = std::ranges::find(x, at);
    const bool isOnly = found != x.end() && std::find(found + 1, x.end(), at) == x.end();
    return isOnly ? y[static_cast<std::size_t>(found - x.begin())] : noValue;
}

CellState stateAt(const Heatmap& map, std::size_t cell) {
    return map.states.empty() ? CellState::shown : map.states[cell];
}

CellState stricter(CellState left, CellState right) {
    for (const CellState state : {CellState::undefined, CellState::aliased, CellState::masked}) {
        if (left == state || right == state) {
            return state;
        }
    }
    return CellState::shown;
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
    return pinned == live ? 0.0 : std::log2(live / pinned);
}

double differenceOn(AxisScale scale, double pinned, double live) {
    return scale == AxisScale::log10 ? doublings(pinned, live) : difference(pinned, live);
}

ComparedSeries compareSeries(const std::vector<double>& pinnedX, const std::vector<double>& pinnedY,
                             const std::vector<double>& liveX, const std::vector<double>& liveY,
                             AxisScale scale, BetweenPoints between) {
    ComparedSeries compared;
    compared.values.reserve(liveX.size());
    const bool isSameX = pinnedX == liveX;
    const bool isAscending = std::ranges::adjacent_find(pinnedX, std::greater_equal<>()) == pinnedX.end();
    for (std::size_t index = 0; index < liveX.size(); ++index) {
        ValueAt pinned;
        if (isSameX) {
            pinned.value = pinnedY[index];
        } else if (isAscending) {
            pinned = valueAt(pinnedX, pinnedY, liveX[index], between);
        } else {
            pinned.value = valueOfOnlyPoint(pinnedX, pinnedY, liveX[index]);
        }
        const double value = differenceOn(scale, pinned.value, liveY[index]);
        compared.values.push_back(value);
        compared.isInterpolated = compared.isInterpolated || (pinned.isInterpolated && std::isfinite(value));
        compared.hasValues = compared.hasValues || std::isfinite(value);
    }
    return compared;
}

std::string whyNotSubtracted(const Heatmap& pinned, const Heatmap& live) {
    if (pinned.valueTitle != live.valueTitle ||
        (pinned.map == ColorMapKind::cyclic) != (live.map == ColorMapKind::cyclic)) {
        return fmt::format("A shows {}, B {}", pinned.valueTitle, live.valueTitle);
    }
    if (pinned.rows != live.rows || pinned.columns != live.columns) {
        return fmt::format("A has {} × {} cells, B {} × {}", groupedNumber(pinned.rows),
                           groupedNumber(pinned.columns), groupedNumber(live.rows),
                           groupedNumber(live.columns));
    }
    const bool isSameGrid = pinned.rowStart == live.rowStart && pinned.rowStep == live.rowStep &&
                            pinned.columnStart == live.columnStart && pinned.columnStep == live.columnStep;
    return isSameGrid ? "" : "the cells of A stand at other places than those of B";
}

Heatmap differenceMap(const Heatmap& pinned, const Heatmap& live) {
    Heatmap map = live;
    map.map = ColorMapKind::diverging;
    map.phaseTicks = false;
    map.valueTitle = "Δ " + live.valueTitle;
    const bool isCyclic = live.map == ColorMapKind::cyclic;
    const double period = live.high - live.low;
    for (std::size_t cell = 0; cell < map.values.size(); ++cell) {
        map.values[cell] = isCyclic ? circularDifference(pinned.values[cell], live.values[cell], period)
                                    : difference(pinned.values[cell], live.values[cell]);
    }
    if (!pinned.states.empty() || !live.states.empty()) {
        map.states.resize(map.values.size());
        for (std::size_t cell = 0; cell < map.states.size(); ++cell) {
            map.states[cell] = stricter(stateAt(pinned, cell), stateAt(live, cell));
        }
    }
    return map;
}

}  // namespace phaseladder
