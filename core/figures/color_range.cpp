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

/// The next number of the form 1, 2 or 5 times a power of ten, at most 1.
double roundedUp(double weight) {
    if (!(weight > 0.0)) {
        return 1.0;
    }
    const double decade = std::pow(10.0, std::floor(std::log10(weight)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (weight <= step * decade) {
            return std::min(step * decade, 1.0);
        }
    }
    return std::min(10.0 * decade, 1.0);
}

/// "1 cell is", "3 cells are".
std::string cellsAre(std::ptrdiff_t count) {
    return countOf(count, "cell") + (count == 1 ? " is" : " are");
}

}  // namespace

void setWeightRange(Figure& figure, Heatmap& map) {
    std::vector<double> values = shownValues(map);
    map.low = 0.0;
    map.high = values.empty() ? 1.0 : roundedUp(std::ranges::max(values));
    if (values.size() < smallestClippedMap) {
        return;
    }
    const auto place =
        values.begin() + static_cast<std::ptrdiff_t>(shownShare * static_cast<double>(values.size()));
    std::ranges::nth_element(values, place);
    const double high = roundedUp(*place);
    if (high < map.high) {
        map.high = high;
        figure.notes.push_back(
            fmt::format("{}{}; {} above it.", endNote, formatForPeople(high),
                        cellsAre(std::ranges::count_if(values, [&](double value) { return value > high; }))));
    }
}

void setKeptRange(Figure& figure, Heatmap& map, double low, double high) {
    map.low = low;
    map.high = high;
    std::erase_if(figure.notes, [](const std::string& note) { return note.starts_with(endNote); });
    const auto outside = std::ranges::count_if(
        shownValues(map), [low, high](double value) { return value < low || value > high; });
    figure.notes.insert(
        figure.notes.begin(),
        fmt::format("Colours are locked at {} to {}{}.", formatForPeople(low), formatForPeople(high),
                    outside == 0 ? "" : fmt::format("; {} outside", cellsAre(outside))));
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
