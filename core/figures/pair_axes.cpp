#include "core/figures/pair_axes.h"

#include <algorithm>
#include <array>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/attention/problem.h"
#include "core/attention/rotate.h"

namespace phaseladder {
namespace {

std::vector<std::size_t> pairsOf(const PairAxes& axes, std::size_t axis) {
    std::vector<std::size_t> pairs;
    for (std::size_t pair = 0; pair < axes.rotation.axisOfPair.size(); ++pair) {
        if (axes.rotation.axisOfPair[pair] == axis) {
            pairs.push_back(pair);
        }
    }
    return pairs;
}

/// "0–15", "7", "1, 4 … 58".
std::string pairsText(const std::vector<std::size_t>& pairs) {
    if (pairs.empty()) {
        return "none";
    }
    if (pairs.back() - pairs.front() + 1 == pairs.size()) {
        return pairs.size() == 1 ? fmt::format("{}", pairs.front())
                                 : fmt::format("{}–{}", pairs.front(), pairs.back());
    }
    return pairs.size() <= 3 ? fmt::format("{}", fmt::join(pairs, ", "))
                             : fmt::format("{}, {} … {}", pairs[0], pairs[1], pairs.back());
}

/// How far apart on an axis the tokens of one cell and the first of the next stand, in the widest cell.
std::int64_t widestSpan(const PairAxes& axes, std::size_t pair, const PositionCells& cells) {
    std::int64_t widest = 0;
    for (std::int64_t cell = 0; cell < cells.cells; ++cell) {
        const bool isLast = cell + 1 == cells.cells;
        const std::int64_t first = cells.firstPosition(cell);
        std::int64_t low = axes.place(pair, first);
        std::int64_t high = low;
        for (std::int64_t token = first + 1; token < first + cells.step + (isLast ? 0 : 1); ++token) {
            const std::int64_t place = axes.place(pair, token);
            low = std::min(low, place);
            high = std::max(high, place);
        }
        widest = std::max(widest, high - low);
    }
    return widest;
}

}  // namespace

std::int64_t PairAxes::place(std::size_t pair, std::int64_t token) const {
    return positionOnAxis(rotation, pair, token);
}

const std::string& PairAxes::nameOf(std::size_t pair) const {
    return rotation.axisNames[rotation.axisOfPair[pair]];
}

Result<PairAxes> pairAxes(const Scene& scene, std::int64_t lastToken) {
    // One token tells whether there are axes: rows of far positions are not asked for in vain.
    Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    if (!plan->rotation || plan->rotation->axisNames.size() < 2) {
        return PairAxes{};
    }
    const double bytesPerToken = sizeof(std::int64_t) * static_cast<double>(plan->rotation->axisNames.size());
    if (Result<void> fits =
            checkFigureMemory(static_cast<double>(lastToken + 1) * bytesPerToken, bytesPerToken, "token");
        !fits) {
        return tl::unexpected(fits.error());
    }
    plan = makePlan(scene, lastToken + 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    return PairAxes{*std::move(plan->rotation)};
}

Role axisRole(std::size_t axis) {
    constexpr std::array roles{Role::category2, Role::category3, Role::category4, Role::category5};
    return roles[axis % roles.size()];
}

std::vector<AxisSection> axisSections(const PairAxes& axes) {
    const std::vector<std::uint8_t>& ofPair = axes.rotation.axisOfPair;
    if (!axes.areSeveral() || !std::ranges::is_sorted(ofPair)) {
        return {};
    }
    std::vector<AxisSection> sections;
    for (std::size_t pair = 0; pair < ofPair.size(); ++pair) {
        if (sections.empty() || sections.back().axis != ofPair[pair]) {
            sections.push_back({ofPair[pair], pair, pair});
        }
        sections.back().last = pair;
    }
    return sections;
}

std::string pairsByAxis(const PairAxes& axes) {
    std::vector<std::string> parts;
    for (std::size_t axis = 0; axis < axes.rotation.axisNames.size(); ++axis) {
        parts.push_back(axes.rotation.axisNames[axis] + " " + pairsText(pairsOf(axes, axis)));
    }
    return fmt::format("{}", fmt::join(parts, " · "));
}

std::string placeText(const PairAxes& axes, std::int64_t token) {
    const std::vector<std::string>& names = axes.rotation.axisNames;
    std::vector<std::string> parts;
    for (std::size_t axis = 0; axis < names.size(); ++axis) {
        const std::size_t at = static_cast<std::size_t>(token) * names.size() + axis;
        parts.push_back(names[axis] + " " + groupedNumber(axes.rotation.axisPositions[at]));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

Axis placedAxis(const PairAxes& axes, std::int64_t start, std::int64_t count) {
    Axis axis = positionAxis(start, count);
    if (axes.areSeveral()) {
        axis.title = "token";
    }
    return axis;
}

std::vector<std::size_t> aliasedPairs(const Ladder& ladder, const PairAxes& axes,
                                      const PositionCells& cells) {
    std::vector<std::size_t> pairs;
    if (cells.step < 2) {
        return pairs;
    }
    std::vector<std::int64_t> spans(std::max<std::size_t>(axes.rotation.axisNames.size(), 1), -1);
    for (std::size_t pair = 0; pair < ladder.inverseFrequency.size(); ++pair) {
        const std::size_t axis = axes.areSeveral() ? axes.rotation.axisOfPair[pair] : 0;
        if (spans[axis] < 0) {
            spans[axis] = axes.areSeveral() ? widestSpan(axes, pair, cells) : cells.step;
        }
        const long double angle = ladder.inverseFrequency[pair] * static_cast<long double>(spans[axis]);
        if (angle > std::numbers::pi_v<long double>) {
            pairs.push_back(pair);
        }
    }
    return pairs;
}

}  // namespace phaseladder
