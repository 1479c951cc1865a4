#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/figures/panel_comparison.h"
#include "core/figures/panel_pairs.h"

namespace phaseladder {
namespace {

/// Makes an axis of B reach as far as A's.
void extend(Axis& axis, const Axis& pinned) {
    axis.minimum = std::min(axis.minimum, pinned.minimum);
    axis.maximum = std::max(axis.maximum, pinned.maximum);
    if (pinned.labels.size() > axis.labels.size() && !axis.labels.empty()) {
        axis.labels.insert(axis.labels.end(),
                           pinned.labels.begin() + static_cast<std::ptrdiff_t>(axis.labels.size()),
                           pinned.labels.end());
    }
}

/// A region that went to the end of an axis still does.
void extend(Band& band, const Panel& before, const Panel& after) {
    const bool isVertical = band.orientation == Orientation::vertical;
    const Axis& was = isVertical ? before.x : before.y;
    const Axis& is = isVertical ? after.x : after.y;
    band.from = band.from == was.minimum ? is.minimum : band.from;
    band.to = band.to == was.maximum ? is.maximum : band.to;
}

bool isSame(const Curve& a, const Curve& b) {
    return a.x == b.x && a.y == b.y;
}
bool isSame(const Points& a, const Points& b) {
    return a.x == b.x && a.y == b.y;
}
bool isSame(const Bars& a, const Bars& b) {
    return a.x == b.x && a.y == b.y;
}
bool isSame(const Envelope& a, const Envelope& b) {
    return a.x == b.x && a.low == b.low && a.high == b.high;
}

/// B's layers of a kind, named, and over them those of A that are not the same.
template <class LayerType>
void overlayKind(Panel& panel, const Panel& pinned, const Panel& live) {
    std::vector<Layer> over;
    for (const LayerPair<LayerType>& pair : pairLayers<LayerType>(pinned, live)) {
        const bool isShared =
            pair.pinned != nullptr && pair.live != nullptr && isSame(*pair.pinned, *pair.live);
        if (pair.live != nullptr) {
            LayerType layer = *pair.live;
            const bool isSwing = std::is_same_v<LayerType, Envelope> && live.y.laneHeight > 0.0;
            if (!isShared || !isSwing) {  // two waves that are too dense to be seen need not be the same
                layer.label = sided(isShared ? "A = B" : "B", layer.label);
            }
            panel.layers.emplace_back(std::move(layer));
        }
        if (pair.pinned != nullptr && !isShared) {
            LayerType layer = *pair.pinned;
            layer.label = sided("A", layer.label);
            layer.role = Role::pinned;
            over.emplace_back(std::move(layer));
        }
    }
    panel.layers.insert(panel.layers.end(), over.begin(), over.end());
}

/// Columns of A stand at the left of B's, each half as wide, unless all are the same.
void overlayBars(Panel& panel, const Panel& pinned, const Panel& live) {
    const std::size_t before = panel.layers.size();
    overlayKind<Bars>(panel, pinned, live);
    const auto isOfPinned = [](const Bars& bars) { return bars.role == Role::pinned; };
    std::vector<Bars*> added;
    for (std::size_t index = before; index < panel.layers.size(); ++index) {
        added.push_back(&std::get<Bars>(panel.layers[index]));
    }
    if (std::ranges::none_of(added, [&](const Bars* bars) { return isOfPinned(*bars); })) {
        return;
    }
    for (Bars* bars : added) {
        bars->series = 2 * bars->series + (isOfPinned(*bars) ? 0 : 1);
        bars->seriesCount *= 2;
    }
}

void overlayClocks(Panel& panel, const Panel& pinned, const Panel& live) {
    for (const LayerPair<Clock>& pair : pairClocks(pinned, live)) {
        Clock clock = *pair.live;
        for (std::size_t hand = 0; pair.pinned != nullptr && hand < pair.pinned->hands.size(); ++hand) {
            ClockHand of = pair.pinned->hands[hand];
            const bool isShared = hand < clock.hands.size() && clock.hands[hand].angle == of.angle &&
                                  clock.hands[hand].length == of.length;
            if (!isShared) {
                of.label = sided("A", of.label);
                of.role = Role::pinned;
                clock.hands.push_back(std::move(of));
            }
        }
        panel.layers.emplace_back(std::move(clock));
    }
}

void overlayRules(Panel& panel, const Panel& pinned, const Panel& live) {
    const std::vector<const Rule*> rules = layersOfKind<Rule>(live);
    for (const Rule* rule : rules) {
        panel.layers.emplace_back(*rule);
    }
    for (const Rule* rule : layersOfKind<Rule>(pinned)) {
        const bool isShared = std::ranges::any_of(rules, [&](const Rule* other) {
            return other->orientation == rule->orientation && other->at == rule->at;
        });
        if (!isShared) {
            panel.layers.emplace_back(
                Rule{sided("A", rule->label), Role::pinned, rule->orientation, rule->at, ""});
        }
    }
}

}  // namespace

ComparedPanel overlayPanels(const Panel& pinned, const Panel& live) {
    ComparedPanel compared{live, {}};
    if (hasMap(live) || hasMap(pinned)) {
        return compared;
    }
    if (const std::string reason = whyAxesDiffer(pinned, live); !reason.empty()) {
        compared.notes.push_back(panelPrefix(live) + "A is not drawn: " + reason + '.');
        return compared;
    }
    Panel& panel = compared.panel;
    extend(panel.x, pinned.x);
    extend(panel.y, pinned.y);
    panel.layers.clear();
    for (const Layer& layer : live.layers) {
        if (const auto* band = std::get_if<Band>(&layer)) {
            Band reaching = *band;
            extend(reaching, live, panel);
            panel.layers.emplace_back(std::move(reaching));
        }
    }
    overlayKind<Envelope>(panel, pinned, live);
    overlayRules(panel, pinned, live);
    overlayBars(panel, pinned, live);
    overlayKind<Curve>(panel, pinned, live);
    overlayKind<Points>(panel, pinned, live);
    overlayClocks(panel, pinned, live);
    for (const Layer& layer : live.layers) {
        if (std::holds_alternative<Text>(layer) || std::holds_alternative<Handle>(layer)) {
            panel.layers.push_back(layer);
        }
    }
    noteLabels(compared.notes, pinned, live);
    return compared;
}

}  // namespace phaseladder
