#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder {

/// A panel's layers of one kind, in the order of the panel.
template <class LayerType>
[[nodiscard]] std::vector<const LayerType*> layersOfKind(const Panel& panel) {
    std::vector<const LayerType*> layers;
    for (const Layer& layer : panel.layers) {
        if (const auto* one = std::get_if<LayerType>(&layer)) {
            layers.push_back(one);
        }
    }
    return layers;
}

/// One line of a panel: a curve, the envelope that goes on where it ends, or both; one of them may be null.
struct Line {
    std::string label;
    Role role = Role::live;
    const Curve* curve = nullptr;
    const Envelope* envelope = nullptr;
};
/// A panel's curves, each with the envelope that goes on where it ends.
[[nodiscard]] std::vector<Line> linesOf(const Panel& panel);

/// Envelopes that stand for many values, or for a wave that is not known: no part of a line.
[[nodiscard]] std::vector<const Envelope*> rangesOf(const Panel& panel);

/// A layer of B and its counterpart in A; one of them may be null.
template <class LayerType>
struct LayerPair {
    const LayerType* pinned = nullptr;
    const LayerType* live = nullptr;
};

/// The lane that a curve is drawn on; 0 on an axis without lanes.
[[nodiscard]] inline double laneOf(const Axis& y, const std::vector<double>& values) {
    const auto finite = std::ranges::find_if(values, [](double value) { return std::isfinite(value); });
    return y.laneHeight > 0.0 && finite != values.end() ? std::round(*finite) : 0.0;
}
[[nodiscard]] inline double laneOf(const Axis& y, const Curve& curve) {
    return laneOf(y, curve.y);
}
[[nodiscard]] inline double laneOf(const Axis& y, const Points& points) {
    return laneOf(y, points.y);
}
[[nodiscard]] inline double laneOf(const Axis&, const Bars&) {
    return 0.0;
}
[[nodiscard]] inline double laneOf(const Axis& y, const Envelope& envelope) {
    return y.laneHeight > 0.0 && !envelope.low.empty()
               ? std::round(0.5 * (envelope.low.front() + envelope.high.front()))
               : 0.0;
}

[[nodiscard]] inline double laneOf(const Axis& y, const Line& line) {
    return line.curve != nullptr ? laneOf(y, *line.curve) : laneOf(y, *line.envelope);
}

/// Pairs what two panels have of a kind, B's in their order and then those that only A has: by label and
/// lane, then the rest by role where it stands for one thing only (the setting itself, the state before
/// scaling).
template <class Item>
[[nodiscard]] std::vector<LayerPair<Item>> pairItems(std::vector<const Item*> pinned, const Axis& pinnedY,
                                                     const std::vector<const Item*>& live,
                                                     const Axis& liveY) {
    std::vector<LayerPair<Item>> pairs;
    for (const Item* item : live) {
        pairs.push_back({nullptr, item});
    }
    const auto match = [&](const auto& fits) {
        for (LayerPair<Item>& pair : pairs) {
            const auto found = std::ranges::find_if(pinned, [&](const Item* item) {
                return laneOf(pinnedY, *item) == laneOf(liveY, *pair.live) && fits(*item, *pair.live);
            });
            if (pair.pinned == nullptr && found != pinned.end()) {
                pair.pinned = *found;
                pinned.erase(found);
            }
        }
    };
    match([](const Item& a, const Item& b) { return a.label == b.label && a.role == b.role; });
    match([](const Item& a, const Item& b) { return a.label == b.label; });
    match([](const Item& a, const Item& b) {
        return a.role == b.role && (b.role == Role::live || b.role == Role::base);
    });
    for (const Item* item : pinned) {
        pairs.push_back({item, nullptr});
    }
    return pairs;
}

template <class LayerType>
[[nodiscard]] std::vector<LayerPair<LayerType>> pairLayers(const Panel& pinned, const Panel& live) {
    return pairItems(layersOfKind<LayerType>(pinned), pinned.y, layersOfKind<LayerType>(live), live.y);
}

[[nodiscard]] std::vector<LayerPair<Line>> pairLines(const std::vector<Line>& pinned, const Axis& pinnedY,
                                                     const std::vector<Line>& live, const Axis& liveY);

/// Dials are paired by where they stand.
[[nodiscard]] inline std::vector<LayerPair<Clock>> pairClocks(const Panel& pinned, const Panel& live) {
    const std::vector<const Clock*> clocks = layersOfKind<Clock>(pinned);
    std::vector<LayerPair<Clock>> pairs;
    for (const Clock* clock : layersOfKind<Clock>(live)) {
        const auto found = std::ranges::find_if(
            clocks, [&](const Clock* one) { return one->x == clock->x && one->y == clock->y; });
        pairs.push_back({found == clocks.end() ? nullptr : *found, clock});
    }
    return pairs;
}

/// What stands in front of a sentence about a panel, where it has a title: "sine of the phase: ".
[[nodiscard]] std::string panelPrefix(const Panel& panel);

/// Why two panels have nothing in common, and what to do; empty when their axes mean the same. x may be
/// scaled otherwise.
[[nodiscard]] std::string whyAxesDiffer(const Panel& pinned, const Panel& live);

/// Says where A's axis names other things at the same places.
void noteLabels(std::vector<std::string>& notes, const Panel& pinned, const Panel& live);

/// What a series without a label shows: its y axis without the unit, or the title of a panel without one.
[[nodiscard]] std::string nameOrAxis(const std::string& label, const Panel& panel);

/// Whether points without a name are the corners of a curve: they belong to it.
[[nodiscard]] bool isOnCurve(const Points& points, const Panel& panel);

/// "A: base"; the side alone where there is no label.
[[nodiscard]] std::string sided(const char* side, const std::string& label);

/// "wavelength (tokens)" as "wavelength".
[[nodiscard]] std::string withoutUnit(const std::string& title);

/// The role of A's counterpart to what has this role in B.
[[nodiscard]] Role pinnedRole(Role role);

/// B's panel as a place for the sentence.
[[nodiscard]] Panel panelWithSentence(const Panel& live, std::string sentence);

/// A figure to look at: nothing in it sets the live scene.
void removeHandles(Panel& panel);

/// Whether it is a map, where lines of another figure would not be at home.
[[nodiscard]] bool hasMap(const Panel& panel);

}  // namespace phaseladder
