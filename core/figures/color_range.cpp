#include "core/figures/color_range.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
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
constexpr std::string_view endNote = "Colours end at ";

std::vector<double> shownValues(const Heatmap& map) {
    if (map.states.empty()) {
        return map.values;
    }
    std::vector<double> values;
    values.reserve(map.values.size());
    for (std::size_t cell = 0; cell < map.values.size(); ++cell) {
        if (map.states[cell] == CellState::shown) {
            values.push_back(map.values[cell]);
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

void eraseEndNote(Figure& figure) {
    std::erase_if(figure.notes, [](const std::string& note) { return note.starts_with(endNote); });
}

/// "1 cell is", "3 cells are".
std::string cellsAre(std::ptrdiff_t count) {
    return countOf(count, "cell") + (count == 1 ? " is" : " are");
}

}  // namespace

void setWeightRange(Figure& figure, Heatmap& map) {
    const std::vector<double> values = shownValues(map);
    map.low = 0.0;
    map.high = 1.0;
    if (values.empty()) {
        return;
    }
    const RoundedEnd end = roundedEnd(values);
    map.high = std::min(end.shown, 1.0);
    if (map.high < std::min(end.largest, 1.0)) {
        figure.notes.push_back(fmt::format(
            "{}{}; {} above it.", endNote, formatForPeople(map.high),
            cellsAre(std::ranges::count_if(values, [&](double value) { return value > map.high; }))));
    }
}

void setKeptRange(Figure& figure, Heatmap& map, double low, double high) {
    map.low = low;
    map.high = high;
    if (map.map == ColorMapKind::diverging) {
        map.high = std::max(std::abs(low), std::abs(high));
        map.low = -map.high;
    }
    eraseEndNote(figure);
    const auto outside = std::ranges::count_if(
        shownValues(map), [&map](double value) { return value < map.low || value > map.high; });
    figure.notes.insert(
        figure.notes.begin(),
        fmt::format("Colours are locked at {} to {}{}.", formatForPeople(map.low), formatForPeople(map.high),
                    outside == 0 ? "" : fmt::format("; {} outside", cellsAre(outside))));
}

void setSharedRange(Figure& figure, Heatmap& map, double low, double high) {
    map.low = low;
    map.high = high;
    eraseEndNote(figure);
    const auto above = std::ranges::count_if(shownValues(map), [high](double value) { return value > high; });
    if (above > 0) {
        figure.notes.push_back(
            fmt::format("{}{}; {} above it.", endNote, formatForPeople(high), cellsAre(above)));
    }
}

void setDifferenceRange(Figure& figure, Heatmap& map) {
    std::vector<double> sizes;
    for (const double value : shownValues(map)) {
        if (std::isfinite(value)) {
            sizes.push_back(std::abs(value));
        }
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
    const std::vector<double> values = shownValues(map);
    if (values.empty()) {
        return;
    }
    const auto [low, high] = std::ranges::minmax(values);
    map.low = low;
    map.high = low < high ? high : low + 1.0;
}

void setDivergingRange(Heatmap& map) {
    double reach = 0.0;
    for (const double value : shownValues(map)) {
        reach = std::isfinite(value) ? std::max(reach, std::abs(value)) : reach;
    }
    map.map = ColorMapKind::diverging;
    map.high = reach > 0.0 ? reach : 1.0;
    map.low = -map.high;
}

}  // namespace phaseladder
