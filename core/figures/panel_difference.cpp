#include "core/figures/panel_difference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/figures/color_range.h"
#include "core/figures/figure_parts.h"
#include "core/figures/map_difference.h"
#include "core/figures/panel_pairs.h"

namespace phaseladder {
namespace {

/// An axis that holds the cells of both maps, named by the one that has more names.
void reachBoth(Axis& axis, const Axis& pinned) {
    axis.minimum = std::min(axis.minimum, pinned.minimum);
    axis.maximum = std::max(axis.maximum, pinned.maximum);
    if (pinned.labels.size() > axis.labels.size()) {
        axis.labels = pinned.labels;
        axis.firstLabel = pinned.firstLabel;
    }
}

/// Rounding must not look like a pattern: where nothing else differs, colours reach as far as those of A and
/// B.
void keepRoundingPale(Heatmap& map, const Heatmap& pinned, const Heatmap& live) {
    constexpr double rounding = 1e-12, leastDoublings = 1e-9;
    if (live.scale == AxisScale::log10) {
        map.high = map.high < leastDoublings ? 1.0 : map.high;
        map.low = -map.high;
        return;
    }
    const double reach = std::max({std::abs(pinned.low), pinned.high, std::abs(live.low), live.high});
    if (map.high < rounding * reach) {
        map.high = reach;
        map.low = -reach;
    }
}

void noteHatched(std::vector<std::string>& notes, const Panel& live, const Heatmap& map,
                 const CommonGrid& grid) {
    if (grid.sharedRows < map.rows || grid.sharedColumns < map.columns) {
        notes.push_back(
            panelPrefix(live) +
            fmt::format("{} × {} of {} × {} cells are compared; only A or only B has the rest, which is "
                        "hatched.",
                        groupedNumber(grid.sharedRows), groupedNumber(grid.sharedColumns),
                        groupedNumber(map.rows), groupedNumber(map.columns)));
    }
}

ComparedPanel subtractMaps(const Panel& pinned, const Panel& live) {
    ComparedPanel compared;
    compared.panel = live;
    compared.panel.layers.clear();
    const std::vector<const Heatmap*> before = layersOfKind<Heatmap>(pinned);
    const std::vector<const Heatmap*> now = layersOfKind<Heatmap>(live);
    if (before.size() != now.size()) {
        return notCompared(live, "A has other maps here; look at A and B one after the other");
    }
    for (std::size_t index = 0; index < now.size(); ++index) {
        if (const std::string reason = whyNotSubtracted(*before[index], *now[index]); !reason.empty()) {
            return notCompared(live, reason);
        }
    }
    for (std::size_t index = 0; index < now.size(); ++index) {
        Figure told;  // collects what the range has to say
        Heatmap map = differenceMap(*before[index], *now[index]);
        setDifferenceRange(told, map);
        keepRoundingPale(map, *before[index], *now[index]);
        if (now[index]->map == ColorMapKind::cyclic) {  // nothing is further away than half the way around
            map.high = std::min(map.high, 0.5 * (now[index]->high - now[index]->low));
            map.low = -map.high;
        }
        noteHatched(compared.notes, live, map, commonGrid(*before[index], *now[index]));
        if (now[index]->scale == AxisScale::log10) {
            compared.notes.push_back(panelPrefix(live) +
                                     "in log colours Δ is log₂(B / A), hatched where one of them is 0; files "
                                     "hold B − A.");
        }
        compared.panel.layers.emplace_back(std::move(map));
        compared.notes.insert(compared.notes.end(), told.notes.begin(), told.notes.end());
    }
    reachBoth(compared.panel.x, pinned.x);
    reachBoth(compared.panel.y, pinned.y);
    keepSurroundings(compared.panel, pinned, live, true);
    noteLabels(compared.notes, pinned, live);
    return compared;
}

/// Whether words can be compared line by line: as many lines, none of which goes on with the one before.
bool areLineByLine(const std::vector<const Text*>& pinned, const std::vector<const Text*>& live) {
    const auto goesOn = [](const Text* line) { return line->text.starts_with(' '); };
    return pinned.size() == live.size() && std::ranges::none_of(pinned, goesOn) &&
           std::ranges::none_of(live, goesOn);
}

/// All lines of a side, below what the panel has; its y counts lines.
void addLines(Panel& panel, std::string_view side, const std::vector<const Text*>& lines) {
    double line = static_cast<double>(layersOfKind<Text>(panel).size());
    for (const Text* text : lines) {
        Text own = *text;
        own.text = own.text.starts_with(' ') ? own.text : fmt::format("{}: {}", side, own.text);
        own.y = line += 1.0;
        panel.layers.emplace_back(std::move(own));
    }
    panel.y.maximum = line + 0.5;
}

}  // namespace

void keepSurroundings(Panel& panel, const Panel& pinned, const Panel& live, bool isMap) {
    for (const Layer& layer : live.layers) {
        if (const auto* band = std::get_if<Band>(&layer);
            band != nullptr && (isMap || band->orientation == Orientation::vertical)) {
            panel.layers.emplace_back(*band);
        } else if (const auto* rule = std::get_if<Rule>(&layer);
                   rule != nullptr && (isMap || rule->orientation == Orientation::vertical)) {
            panel.layers.emplace_back(*rule);
        }
    }
    for (const Band* band : layersOfKind<Band>(pinned)) {  // where A has nothing
        if (band->hatched && band->orientation == Orientation::vertical) {
            panel.layers.emplace_back(
                Band{sided("A", band->label), band->role, band->orientation, band->from, band->to, true});
        }
    }
    const std::vector<const Text*> before = layersOfKind<Text>(pinned);
    if (!live.axesShown && !areLineByLine(before, layersOfKind<Text>(live))) {
        addLines(panel, "A", before);
        addLines(panel, "B", layersOfKind<Text>(live));
    } else if (isMap || !live.axesShown) {
        for (const Text* text : layersOfKind<Text>(live)) {
            const auto found = std::ranges::find_if(
                before, [&](const Text* one) { return one->x == text->x && one->y == text->y; });
            Text both = *text;
            if (found != before.end() && (*found)->text != text->text) {
                both.text = fmt::format("{} → {}", (*found)->text, text->text);
            }
            panel.layers.emplace_back(std::move(both));
        }
    }
}

ComparedPanel notCompared(const Panel& live, const std::string& reason) {
    return {panelWithSentence(live, fmt::format("Not compared: {}.", reason)),
            {panelPrefix(live) + fmt::format("not compared: {}.", reason)}};
}

ComparedPanel subtractPanels(const Panel& pinned, const Panel& live) {
    if (const std::string reason = whyAxesDiffer(pinned, live); !reason.empty()) {
        return notCompared(live, reason);
    }
    ComparedPanel compared = hasMap(live) || hasMap(pinned)   ? subtractMaps(pinned, live)
                             : live.isPlane && pinned.isPlane ? subtractPlanes(pinned, live)
                                                              : subtractSeries(pinned, live);
    removeHandles(compared.panel);
    return compared;
}

}  // namespace phaseladder
