#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/figures/panel_comparison.h"
#include "core/figures/panel_pairs.h"

namespace phaseladder {
namespace {

/// Longest name of a side that stands in a legend.
constexpr std::size_t longestName = 32;

/// Makes an axis of B reach as far as A's.
void extend(Axis& axis, const Axis& pinned) {
    if (axis.scale == AxisScale::linear || pinned.minimum > 0.0) {
        axis.minimum = std::min(axis.minimum, pinned.minimum);
    }
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

bool isSame(const Curve* a, const Curve* b) {
    return (a == nullptr) == (b == nullptr) && (a == nullptr || (a->x == b->x && a->y == b->y));
}
bool isSame(const Envelope& a, const Envelope& b) {
    return a.x == b.x && a.low == b.low && a.high == b.high;
}
bool isSame(const Line& a, const Line& b) {
    return isSame(a.curve, b.curve) && (a.envelope == nullptr) == (b.envelope == nullptr) &&
           (a.envelope == nullptr ||
            (a.envelope->dense.x == b.envelope->dense.x && a.envelope->dense.y == b.envelope->dense.y));
}
template <class Series>
bool isSame(const Series& a, const Series& b) {
    return a.x == b.x && a.y == b.y;
}

/// B's panel with what A has over it, while it is put together.
struct Overlay {
    Panel& panel;
    const Panel& pinned;
    const Panel& live;
    const ComparedSettings& names;

    /// "A: base"; where there is no label, what is special about the side, or what is drawn.
    [[nodiscard]] std::string name(const char* side, const std::string& own, const std::string& label) const {
        const bool isNamed = !own.empty() && own.size() <= longestName;
        return sided(side, label.empty() && isNamed ? own : nameOrAxis(label, live));
    }
    /// On lanes a line that both share is named by its lane.
    [[nodiscard]] std::string ofBoth(const std::string& label) const {
        return label.empty() && live.y.laneHeight > 0.0 ? "" : name("A = B", "", label);
    }
    [[nodiscard]] std::string ofLive(const std::string& label) const { return name("B", names.live, label); }
    [[nodiscard]] std::string ofPinned(const std::string& label) const {
        return name("A", names.pinned, label);
    }

    template <class LayerType>
    void addLive(const LayerType& layer, bool isShared) {
        LayerType named = layer;
        named.label = isShared ? ofBoth(layer.label) : ofLive(layer.label);
        add(std::move(named), isMarker(layer, live));
    }
    template <class LayerType>
    void addPinned(const LayerType& layer) {
        LayerType named = layer;
        named.label = ofPinned(layer.label);
        named.role = pinnedRole(layer.role);
        add(std::move(named), isMarker(layer, pinned));
    }

private:
    template <class LayerType>
    static bool isMarker(const LayerType& layer, const Panel& of) {
        if constexpr (std::is_same_v<LayerType, Points>) {
            return isOnCurve(layer, of);
        }
        return false;
    }

    template <class LayerType>
    void add(LayerType layer, bool isUnnamed) {
        if (isUnnamed) {
            layer.label.clear();
        }
        panel.layers.emplace_back(std::move(layer));
    }
};

/// B's layers of a kind, named, and over them those of A that are not the same.
template <class LayerType>
void overlayKind(Overlay& overlay) {
    std::vector<const LayerType*> over;
    for (const LayerPair<LayerType>& pair : pairLayers<LayerType>(overlay.pinned, overlay.live)) {
        const bool isShared =
            pair.pinned != nullptr && pair.live != nullptr && isSame(*pair.pinned, *pair.live);
        if (pair.live != nullptr) {
            overlay.addLive(*pair.live, isShared);
        }
        if (pair.pinned != nullptr && !isShared) {
            over.push_back(pair.pinned);
        }
    }
    for (const LayerType* layer : over) {
        overlay.addPinned(*layer);
    }
}

/// Ranges of many values. On lanes they are waves too dense to be seen, of A and B alike.
void overlayRanges(Overlay& overlay) {
    const bool hasLanes = overlay.live.y.laneHeight > 0.0;
    for (const LayerPair<Envelope>& pair :
         pairItems(rangesOf(overlay.pinned), overlay.pinned.y, rangesOf(overlay.live), overlay.live.y)) {
        const bool isShared =
            pair.pinned != nullptr && pair.live != nullptr && isSame(*pair.pinned, *pair.live);
        if (isShared && hasLanes) {
            overlay.panel.layers.emplace_back(*pair.live);
            continue;
        }
        if (pair.live != nullptr) {
            overlay.addLive(*pair.live, isShared);
        }
        if (pair.pinned != nullptr && !isShared) {
            overlay.addPinned(*pair.pinned);
        }
    }
}

/// The legend names a line once: its curve, or its envelope where that is all of it.
void overlayLines(Overlay& overlay, bool envelopes) {
    const std::vector<Line> before = linesOf(overlay.pinned);
    const std::vector<Line> now = linesOf(overlay.live);
    const auto add = [&](const Line& line, const auto& addLayer) {
        if (envelopes && line.envelope != nullptr) {
            addLayer(*line.envelope);
            if (line.curve != nullptr) {
                std::get<Envelope>(overlay.panel.layers.back()).label.clear();
            }
        } else if (!envelopes && line.curve != nullptr) {
            addLayer(*line.curve);
        }
    };
    std::vector<const Line*> over;
    for (const LayerPair<Line>& pair : pairLines(before, overlay.pinned.y, now, overlay.live.y)) {
        const bool isShared =
            pair.pinned != nullptr && pair.live != nullptr && isSame(*pair.pinned, *pair.live);
        if (pair.live != nullptr) {
            add(*pair.live, [&](const auto& layer) { overlay.addLive(layer, isShared); });
        }
        if (pair.pinned != nullptr && !isShared) {
            over.push_back(pair.pinned);
        }
    }
    for (const Line* line : over) {
        add(*line, [&](const auto& layer) { overlay.addPinned(layer); });
    }
}

/// Columns of A stand at the left of B's, each half as wide, unless all are the same.
void overlayBars(Overlay& overlay) {
    Panel& panel = overlay.panel;
    const std::size_t before = panel.layers.size();
    overlayKind<Bars>(overlay);
    const auto isOfPinned = [](const Bars& bars) {
        return bars.role >= Role::pinnedBase || bars.role == Role::pinned;
    };
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

void overlayClocks(Overlay& overlay) {
    for (const LayerPair<Clock>& pair : pairClocks(overlay.pinned, overlay.live)) {
        Clock clock = *pair.live;
        for (std::size_t hand = 0; pair.pinned != nullptr && hand < pair.pinned->hands.size(); ++hand) {
            ClockHand of = pair.pinned->hands[hand];
            const bool isShared = hand < clock.hands.size() && clock.hands[hand].angle == of.angle &&
                                  clock.hands[hand].length == of.length;
            if (!isShared) {
                of.label = sided("A", of.label);
                of.role = pinnedRole(of.role);
                clock.hands.push_back(std::move(of));
            }
        }
        overlay.panel.layers.emplace_back(std::move(clock));
    }
}

void overlayRules(Overlay& overlay) {
    const std::vector<const Rule*> rules = layersOfKind<Rule>(overlay.live);
    for (const Rule* rule : rules) {
        overlay.panel.layers.emplace_back(*rule);
    }
    for (const Rule* rule : layersOfKind<Rule>(overlay.pinned)) {
        const bool isShared = std::ranges::any_of(rules, [&](const Rule* other) {
            return other->orientation == rule->orientation && other->at == rule->at;
        });
        if (!isShared) {
            overlay.panel.layers.emplace_back(
                Rule{sided("A", rule->label), Role::pinned, rule->orientation, rule->at, ""});
        }
    }
}

template <class Visit>
void visitRoles(std::vector<Panel>& panels, Visit visit) {
    for (Panel& panel : panels) {
        for (Layer& layer : panel.layers) {
            std::visit(
                [&](auto& one) {
                    if constexpr (requires { one.role; }) {
                        visit(one.role);
                    }
                },
                layer);
        }
    }
}

}  // namespace

ComparedPanel overlayPanels(const Panel& pinned, const Panel& live, const ComparedSettings& names) {
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
    Overlay overlay{panel, pinned, live, names};
    for (const Layer& layer : live.layers) {
        if (const auto* band = std::get_if<Band>(&layer)) {
            Band reaching = *band;
            extend(reaching, live, panel);
            panel.layers.emplace_back(std::move(reaching));
        }
    }
    overlayRanges(overlay);
    overlayLines(overlay, true);
    overlayRules(overlay);
    overlayBars(overlay);
    overlayLines(overlay, false);
    overlayKind<Points>(overlay);
    overlayClocks(overlay);
    for (const Layer& layer : live.layers) {
        if (std::holds_alternative<Text>(layer) || std::holds_alternative<Handle>(layer)) {
            panel.layers.push_back(layer);
        }
    }
    noteLabels(compared.notes, pinned, live);
    return compared;
}

void avoidPinnedColor(std::vector<Panel>& panels) {
    constexpr std::array orange{Role::category2, Role::category5};
    constexpr std::array others{Role::category3, Role::category4, Role::category6, Role::category1};
    std::vector<Role> used;
    visitRoles(panels, [&](const Role& role) { used.push_back(role); });
    const auto isUsed = [&](Role role) {
        return std::ranges::find(used, role) != used.end() ||
               std::ranges::find(used, pinnedRole(role)) != used.end();
    };
    if (std::ranges::find(used, Role::pinned) == used.end()) {
        return;
    }
    for (const Role from : orange) {
        const auto to = std::ranges::find_if(others, [&](Role role) { return !isUsed(role); });
        if (to == others.end() || !isUsed(from)) {
            continue;
        }
        used.push_back(*to);
        visitRoles(panels, [&](Role& role) {
            role = role == from ? *to : role == pinnedRole(from) ? pinnedRole(*to) : role;
        });
    }
}

}  // namespace phaseladder
