#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/figures/color_range.h"
#include "core/figures/difference.h"
#include "core/figures/panel_comparison.h"
#include "core/figures/panel_pairs.h"

namespace phaseladder {
namespace {

constexpr double fullTurn = 2.0 * std::numbers::pi;

/// What stays as B has it where values are subtracted: on a map all of it, else what is about x.
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
    if (isMap || !live.axesShown) {
        const std::vector<const Text*> before = layersOfKind<Text>(pinned);
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

/// "base: B − A"; where the labels differ both are named.
std::string differenceLabel(const std::string& pinned, const std::string& live) {
    if (pinned == live) {
        return live.empty() ? "B − A" : live + ": B − A";
    }
    const auto named = [](const char* side, const std::string& label) {
        return label.empty() ? std::string(side) : fmt::format("{} {}", side, label);
    };
    return named("B", live) + " − " + named("A", pinned);
}

/// Differences of one kind of series, and what they make the panel say.
struct Differences {
    double largest = 0.0;
    int compared = 0;
    int leftOut = 0;
    bool isInterpolated = false;
};

template <class LayerType>
void subtractKind(Panel& panel, const Panel& pinned, const Panel& live, Differences& found) {
    constexpr auto between =
        std::is_same_v<LayerType, Curve> ? BetweenPoints::interpolated : BetweenPoints::nothing;
    for (const LayerPair<LayerType>& pair : pairLayers<LayerType>(pinned, live)) {
        if (pair.pinned == nullptr || pair.live == nullptr) {
            ++found.leftOut;
            continue;
        }
        ComparedSeries series =
            compareSeries(pair.pinned->x, pair.pinned->y, pair.live->x, pair.live->y, live.y.scale, between);
        if (!series.hasValues) {
            ++found.leftOut;
            continue;
        }
        for (double& value : series.values) {
            if (live.y.laneHeight > 0.0) {  // half as high: a difference is up to twice as large
                value = laneOf(live.y, *pair.live) + 0.5 * value;
            } else if (std::isfinite(value)) {
                found.largest = std::max(found.largest, std::abs(value));
            }
        }
        ++found.compared;
        found.isInterpolated = found.isInterpolated || series.isInterpolated;
        LayerType layer = *pair.live;
        layer.label = differenceLabel(pair.pinned->label, pair.live->label);
        layer.y = std::move(series.values);
        panel.layers.emplace_back(std::move(layer));
    }
}

/// On lanes what is too dense to be a line stays shaded; elsewhere it has no place on an axis of differences.
void keepEnvelopes(Panel& panel, const Panel& pinned, const Panel& live, Differences& found) {
    for (const LayerPair<Envelope>& pair : pairLayers<Envelope>(pinned, live)) {
        if (live.y.laneHeight > 0.0) {
            Envelope shaded = pair.live != nullptr ? *pair.live : *pair.pinned;
            shaded.role = Role::muted;
            panel.layers.emplace_back(std::move(shaded));
        }
        ++found.leftOut;
    }
}

/// From A's hand to B's, the shorter way.
ClockArc sectorBetween(double pinned, double live) {
    const double way = circularDifference(pinned, live, fullTurn);
    return {Role::ramp, way < 0.0 ? live : pinned, std::abs(way), "from A to B"};
}

int subtractClocks(Panel& panel, const Panel& pinned, const Panel& live) {
    int compared = 0;
    for (const LayerPair<Clock>& pair : pairClocks(pinned, live)) {
        if (pair.pinned == nullptr) {
            continue;
        }
        Clock clock = *pair.live;
        clock.arcs.clear();
        clock.hands.clear();
        const std::size_t hands = std::min(pair.pinned->hands.size(), pair.live->hands.size());
        for (std::size_t hand = 0; hand < hands; ++hand) {
            ClockHand a = pair.pinned->hands[hand];
            ClockHand b = pair.live->hands[hand];
            clock.arcs.push_back(sectorBetween(a.angle, b.angle));
            a.label = sided("A", a.label);
            a.role = Role::pinned;
            b.label = sided("B", b.label);
            clock.hands.push_back(std::move(a));
            clock.hands.push_back(std::move(b));
        }
        panel.layers.emplace_back(std::move(clock));
        ++compared;
    }
    return compared;
}

/// Without the unit, which a ratio does not have.
std::string withoutUnit(const std::string& title) {
    return title.ends_with(')') ? title.substr(0, title.rfind(" (")) : title;
}

void setDifferenceAxis(Axis& y, double largest) {
    if (y.laneHeight > 0.0) {
        y.laneHeight *= 0.5;
        return;
    }
    y.title =
        y.scale == AxisScale::log10 ? fmt::format("Δ {}, log₂(B / A)", withoutUnit(y.title)) : "Δ " + y.title;
    y.meaning = AxisMeaning::none;
    y.scale = AxisScale::linear;
    y.labels.clear();
    y.wholeNumbers = false;
    y.maximum = largest > 0.0 ? 1.08 * largest : 1.0;
    y.minimum = -y.maximum;
}

ComparedPanel subtractMaps(const Panel& pinned, const Panel& live) {
    ComparedPanel compared;
    compared.panel = live;
    compared.panel.layers.clear();
    const std::vector<const Heatmap*> before = layersOfKind<Heatmap>(pinned);
    const std::vector<const Heatmap*> now = layersOfKind<Heatmap>(live);
    std::string reason = before.size() == now.size() ? "" : "A has other maps here";
    for (std::size_t index = 0; reason.empty() && index < now.size(); ++index) {
        reason = whyNotSubtracted(*before[index], *now[index]);
    }
    if (!reason.empty()) {
        compared.panel = panelWithSentence(live, "Not compared: " + reason + '.');
        compared.notes.push_back(panelPrefix(live) + "not compared: " + reason + '.');
        return compared;
    }
    for (std::size_t index = 0; index < now.size(); ++index) {
        Figure told;  // collects what the range has to say
        Heatmap map = differenceMap(*before[index], *now[index]);
        setDifferenceRange(told, map);
        if (now[index]->map == ColorMapKind::cyclic) {  // nothing is further away than half the way around
            map.high = std::min(map.high, 0.5 * (now[index]->high - now[index]->low));
            map.low = -map.high;
        }
        compared.panel.layers.emplace_back(std::move(map));
        compared.notes.insert(compared.notes.end(), told.notes.begin(), told.notes.end());
    }
    keepSurroundings(compared.panel, pinned, live, true);
    noteLabels(compared.notes, pinned, live);
    return compared;
}

ComparedPanel subtractSeries(const Panel& pinned, const Panel& live) {
    ComparedPanel compared;
    compared.panel = live;
    compared.panel.layers.clear();
    keepSurroundings(compared.panel, pinned, live, false);
    Differences found;
    const bool isNamedY = !live.y.labels.empty() && live.y.laneHeight == 0.0;
    if (!isNamedY) {
        if (live.axesShown && live.y.laneHeight == 0.0) {
            compared.panel.layers.emplace_back(Rule{"", Role::muted, Orientation::horizontal, 0.0, ""});
        }
        keepEnvelopes(compared.panel, pinned, live, found);
        subtractKind<Bars>(compared.panel, pinned, live, found);
        subtractKind<Curve>(compared.panel, pinned, live, found);
        subtractKind<Points>(compared.panel, pinned, live, found);
    }
    const int clocks = subtractClocks(compared.panel, pinned, live);
    const bool hasTexts = !live.axesShown && !layersOfKind<Text>(live).empty();
    if (found.compared == 0 && clocks == 0 && !hasTexts) {
        const char* reason =
            isNamedY ? "y names things here, it has no numbers" : "A and B have nothing at the same place";
        compared.panel = panelWithSentence(live, fmt::format("Not compared: {}.", reason));
        compared.notes.push_back(panelPrefix(live) + fmt::format("not compared: {}.", reason));
        return compared;
    }
    if (found.compared > 0) {
        setDifferenceAxis(compared.panel.y, found.largest);
    }
    if (found.isInterpolated) {
        compared.notes.push_back(panelPrefix(live) +
                                 "where x differs, A is interpolated between its neighbouring points.");
    }
    if (found.leftOut > 0) {
        compared.notes.push_back(panelPrefix(live) +
                                 "what only A or only B has, or is too dense, is left out.");
    }
    noteLabels(compared.notes, pinned, live);
    return compared;
}

}  // namespace

ComparedPanel subtractPanels(const Panel& pinned, const Panel& live) {
    if (const std::string reason = whyAxesDiffer(pinned, live); !reason.empty()) {
        return {panelWithSentence(live, "Not compared: " + reason + '.'),
                {panelPrefix(live) + "not compared: " + reason + '.'}};
    }
    ComparedPanel compared =
        hasMap(live) || hasMap(pinned) ? subtractMaps(pinned, live) : subtractSeries(pinned, live);
    removeHandles(compared.panel);
    return compared;
}

}  // namespace phaseladder
