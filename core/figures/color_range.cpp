#include "core/figures/color_range.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/figures/figure_parts.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

/// Maps with fewer cells show every one of them at its own colour.
constexpr std::size_t smallestClippedMap = 1024;
constexpr double shownShare = 0.995;
constexpr std::string_view endNote = "Colours end at ", floorNote = "Log colours begin at ";
constexpr std::string_view leftOutWords = ", found without the first key";

/// Of all columns but one.
std::vector<double> shownValues(const Heatmap& map, std::optional<std::int64_t> leftOut = {}) {
    std::vector<double> values;
    values.reserve(map.values.size());
    std::size_t cell = 0;
    for (std::int64_t row = 0; row < map.rows; ++row) {
        for (std::int64_t column = 0; column < map.columns; ++column, ++cell) {
            if (column != leftOut && map.stateAt(cell) == CellState::shown) {
                values.push_back(map.values[cell]);
            }
        }
    }
    return values;
}

/// The next number of the form 1, 2 or 5 times a power of ten; 1 for 0.
double roundedUp(double value) {
    if (!(value > 0.0)) {
        return 1.0;
    }
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (value <= step * decade) {
            return step * decade;
        }
    }
    return 10.0 * decade;
}

struct RoundedEnd {
    double largest = 1.0;  ///< not below any value
    double shown = 1.0;    ///< in a large map not below 99.5 % of them, where that is above 0
};

/// Of values from 0 up, not empty.
RoundedEnd roundedEnd(std::vector<double> values) {
    const double largest = roundedUp(std::ranges::max(values));
    if (values.size() < smallestClippedMap) {
        return {largest, largest};
    }
    const auto place =
        values.begin() + static_cast<std::ptrdiff_t>(shownShare * static_cast<double>(values.size()));
    std::ranges::nth_element(values, place);
    return {largest, *place > 0.0 ? roundedUp(*place) : largest};
}

void eraseRangeNotes(Figure& figure) {
    std::erase_if(figure.notes, [](const std::string& note) {
        return note.starts_with(endNote) || note.starts_with(floorNote);
    });
}

/// "1 cell is", "3 cells are".
std::string cellsAre(std::ptrdiff_t count) {
    return countOf(count, "cell") + (count == 1 ? " is" : " are");
}

/// From the smallest to the largest of the values; as it is where there are none.
void setRangeOf(Heatmap& map, const std::vector<double>& values) {
    if (values.empty()) {
        return;
    }
    const auto [low, high] = std::ranges::minmax(values);
    map.low = low;
    map.high = low < high ? high : low + 1.0;
}

std::ptrdiff_t countAbove(const std::vector<double>& values, double high) {
    return std::ranges::count_if(values, [high](double value) { return value > high; });
}

/// Says where the colours end, where cells are above or a column does not count, and how many are below log
/// colours.
void noteRange(Figure& figure, const Heatmap& map, const std::vector<double>& shown, bool leavesOut) {
    const std::ptrdiff_t above = countAbove(shown, map.high);
    if (above > 0 || leavesOut) {
        figure.notes.push_back(fmt::format("{}{}{}{}.", endNote, formatForPeople(map.high),
                                           leavesOut ? leftOutWords : "",
                                           above > 0 ? fmt::format("; {} above it", cellsAre(above)) : ""));
    }
    if (map.scale != AxisScale::log10) {
        return;
    }
    const auto below = std::ranges::count_if(shown, [&map](double value) { return value < map.low; });
    if (below > 0) {
        figure.notes.push_back(
            fmt::format("{}{}; {} below it.", floorNote, formatForPeople(map.low), cellsAre(below)));
    }
}

}  // namespace

double colorShare(const Heatmap& map, double value) {
    if (map.scale == AxisScale::log10) {
        return value > 0.0    ? std::log(value / map.low) / std::log(map.high / map.low)
               : value <= 0.0 ? -std::numeric_limits<double>::infinity()
                              : value;
    }
    return map.high > map.low ? (value - map.low) / (map.high - map.low) : 0.0;
}

void setWeightRange(Figure& figure, Heatmap& map, const ColorWishes& wishes) {
    const bool isLog = wishes.scale == AxisScale::log10;
    map.scale = wishes.scale;
    map.low = isLog ? wishes.floor : 0.0;
    map.high = 1.0;
    const std::vector<double> counted = shownValues(map, wishes.leftOutColumn);
    if (!counted.empty()) {
        const RoundedEnd end = roundedEnd(counted);
        // At least a decade of colours, where all is below the floor too.
        map.high = std::min(isLog ? std::max(end.largest, 10.0 * wishes.floor) : end.shown, 1.0);
    }
    noteRange(figure, map, wishes.leftOutColumn ? shownValues(map) : counted,
              wishes.leftOutColumn.has_value() && !counted.empty());
}

void setLogitRange(Figure& figure, Heatmap& map, const ColorWishes& wishes) {
    const std::vector<double> counted = shownValues(map, wishes.leftOutColumn);
    setRangeOf(map, counted);
    if (wishes.leftOutColumn && !counted.empty()) {
        noteRange(figure, map, shownValues(map), true);
    }
}

void setKeptRange(Figure& figure, Heatmap& map, double low, double high) {
    map.low = low;
    map.high = high;
    if (map.map == ColorMapKind::diverging) {
        map.high = std::max(std::abs(low), std::abs(high));
        map.low = -map.high;
    }
    eraseRangeNotes(figure);
    const auto outside = std::ranges::count_if(
        shownValues(map), [&map](double value) { return value < map.low || value > map.high; });
    figure.notes.insert(
        figure.notes.begin(),
        fmt::format("Colours are locked at {} to {}{}.", formatForPeople(map.low), formatForPeople(map.high),
                    outside == 0 ? "" : fmt::format("; {} outside", cellsAre(outside))));
}

void setSharedRange(Figure& figure, Heatmap& map, double low, double high) {
    const bool leavesOut = std::ranges::any_of(figure.notes, [](const std::string& note) {
        return note.starts_with(endNote) && note.find(leftOutWords) != std::string::npos;
    });
    map.low = low;
    map.high = high;
    eraseRangeNotes(figure);
    noteRange(figure, map, shownValues(map), leavesOut);
}

void setDifferenceRange(Figure& figure, Heatmap& map) {
    std::vector<double> sizes;
    for (const double value : shownValues(map)) {
        sizes.push_back(std::abs(value));
    }
    const RoundedEnd end = sizes.empty() ? RoundedEnd() : roundedEnd(sizes);
    map.low = -end.shown;
    map.high = end.shown;
    if (end.shown < end.largest) {
        figure.notes.push_back(fmt::format(
            "{}±{}; {} beyond.", endNote, formatForPeople(end.shown),
            cellsAre(std::ranges::count_if(sizes, [&](double size) { return size > end.shown; }))));
    }
}

int writtenDigits(const Heatmap& map) {
    constexpr double mostDigits = 6.0;
    const double largest = std::max(std::abs(map.low), std::abs(map.high));
    if (largest >= 10.0) {
        return largest < 1000.0 ? 1 : 0;
    }
    return static_cast<int>(std::clamp(std::ceil(1.0 - std::log10(largest)), 2.0, mostDigits));
}

void setValueRange(Heatmap& map) {
    setRangeOf(map, shownValues(map));
}

void setDivergingRange(Heatmap& map) {
    double reach = 0.0;
    for (const double value : shownValues(map)) {
        reach = std::max(reach, std::abs(value));
    }
    map.map = ColorMapKind::diverging;
    map.high = reach > 0.0 ? reach : 1.0;
    map.low = -map.high;
}

}  // namespace phaseladder
