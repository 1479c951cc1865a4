#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder {

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

/// Pairs the layers of a kind, B's in their order and then those that only A has: by label and lane, then the
/// rest by role where it stands for one thing only (the setting itself, the state before scaling).
template <class LayerType>
[[nodiscard]] std::vector<LayerPair<LayerType>> pairLayers(const Panel& pinned, const Panel& live) {
    std::vector<const LayerType*> left = layersOfKind<LayerType>(pinned);
    std::vector<LayerPair<LayerType>> pairs;
    for (const LayerType* layer : layersOfKind<LayerType>(live)) {
        pairs.push_back({nullptr, layer});
    }
    const auto match = [&](const auto& fits) {
        for (LayerPair<LayerType>& pair : pairs) {
            const auto found = std::ranges::find_if(left, [&](const LayerType* layer) {
                return laneOf(pinned.y, *layer) == laneOf(live.y, *pair.live) && fits(*layer, *pair.live);
            });
            if (pair.pinned == nullptr && found != left.end()) {
                pair.pinned = *found;
                left.erase(found);
            }
        }
    };
    match([](const LayerType& a, const LayerType& b) { return a.label == b.label; });
    match([](const LayerType& a, const LayerType& b) {
        return a.role == b.role && (b.role == Role::live || b.role == Role::base);
    });
    for (const LayerType* layer : left) {
        pairs.push_back({layer, nullptr});
    }
    return pairs;
}

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

/// Why two panels have nothing in common; empty when their axes mean the same.
[[nodiscard]] std::string whyAxesDiffer(const Panel& pinned, const Panel& live);

/// Says where A's axis names other things at the same places.
void noteLabels(std::vector<std::string>& notes, const Panel& pinned, const Panel& live);

/// "A: base", or the side alone where there is no label.
[[nodiscard]] std::string sided(const char* side, const std::string& label);

/// B's axes and the sentence.
[[nodiscard]] Panel panelWithSentence(const Panel& live, std::string sentence);

/// A figure to look at: nothing in it sets the live scene.
void removeHandles(Panel& panel);

/// Whether it is a map, where lines of another figure would not be at home.
[[nodiscard]] bool hasMap(const Panel& panel);

}  // namespace phaseladder
