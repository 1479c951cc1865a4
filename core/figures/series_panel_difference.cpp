#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/figures/dense_curve.h"
#include "core/figures/difference.h"
#include "core/figures/figure_parts.h"
#include "core/figures/panel_difference.h"
#include "core/figures/panel_pairs.h"

namespace phaseladder {
namespace {

constexpr double fullTurn = 2.0 * std::numbers::pi;

/// "base: B − A"; where the labels differ both are named. The only line of a panel needs no name: its axis
/// says that it is a difference.
std::string differenceLabel(const std::string& pinned, const std::string& live) {
    if (pinned == live) {
        return live.empty() ? "" : live + ": B − A";
    }
    const auto named = [](const char* side, const std::string& label) {
        return label.empty() ? std::string(side) : fmt::format("{} {}", side, label);
    };
    return named("B", live) + " − " + named("A", pinned);
}

/// Differences of the series of a panel, and what they make it say.
struct Differences {
    double largest = 0.0;
    int compared = 0;
    std::size_t placesLeftOut = 0;
    std::vector<std::string> onlyOfPinned, onlyOfLive, withoutCommonPlace;
};

/// Doublings only where both stand on a log axis.
AxisScale commonScale(const Panel& pinned, const Panel& live) {
    return pinned.y.scale == live.y.scale ? live.y.scale : AxisScale::linear;
}

/// On a lane a difference is drawn half as high: it is up to twice as large.
void place(SeriesDifference& difference, const Panel& live, double lane, Differences& found) {
    for (double& value : difference.values) {
        if (live.y.laneHeight > 0.0) {
            value = lane + 0.5 * value;
        } else if (std::isfinite(value)) {
            found.largest = std::max(found.largest, std::abs(value));
        }
    }
    found.placesLeftOut += difference.leftOut;
    ++found.compared;
}

/// What a note calls an item: its label, its lane, or what its axis shows.
template <class Item>
std::string nameOf(const Item& item, const Panel& panel) {
    const auto lane = static_cast<std::size_t>(laneOf(panel.y, item));
    const bool hasLane = panel.y.laneHeight > 0.0 && lane < panel.y.labels.size();
    return item.label.empty() && hasLane ? panel.y.labels[lane] : nameOrAxis(item.label, panel);
}

/// Whether both sides are there; else what is missing is kept in mind.
template <class Item>
bool hasBoth(const LayerPair<Item>& pair, const Panel& pinned, const Panel& live, Differences& found) {
    if (pair.pinned == nullptr) {
        found.onlyOfLive.push_back(nameOf(*pair.live, live));
    } else if (pair.live == nullptr) {
        found.onlyOfPinned.push_back(nameOf(*pair.pinned, pinned));
    }
    return pair.pinned != nullptr && pair.live != nullptr;
}

/// Points or columns.
template <class LayerType>
void subtractKind(Panel& panel, const Panel& pinned, const Panel& live, Differences& found) {
    for (const LayerPair<LayerType>& pair : pairLayers<LayerType>(pinned, live)) {
        if (!hasBoth(pair, pinned, live, found)) {
            continue;
        }
        SeriesDifference difference = seriesDifference(pair.pinned->x, pair.pinned->y, pair.live->x,
                                                       pair.live->y, commonScale(pinned, live));
        if (!difference.hasValues()) {
            found.withoutCommonPlace.push_back(nameOf(*pair.live, live));
            continue;
        }
        place(difference, live, laneOf(live.y, *pair.live), found);
        LayerType layer = *pair.live;
        layer.label = differenceLabel(pair.pinned->label, pair.live->label);
        if constexpr (std::is_same_v<LayerType, Points>) {
            layer.label = isOnCurve(*pair.live, live) ? "" : layer.label;
        }
        layer.x = std::move(difference.x);
        layer.y = std::move(difference.values);
        panel.layers.emplace_back(std::move(layer));
    }
}

/// The bins of the line that is dense from the smaller x on.
std::vector<double> binEdges(const DenseValues& pinned, const DenseValues& live) {
    const bool isOfPinned = live.binEdges.empty() ||
                            (!pinned.binEdges.empty() && pinned.binEdges.front() < live.binEdges.front());
    return isOfPinned ? pinned.binEdges : live.binEdges;
}

/// The values that lines are drawn from are subtracted, not what is drawn: two waves that are denser than the
/// pixels have a difference at each place that both were computed at.
void subtractLines(Panel& panel, const Panel& pinned, const Panel& live, Differences& found) {
    const std::vector<Line> before = linesOf(pinned);
    const std::vector<Line> now = linesOf(live);
    for (const LayerPair<Line>& pair : pairLines(before, pinned.y, now, live.y)) {
        if (!hasBoth(pair, pinned, live, found)) {
            continue;
        }
        const DenseValues a = denseValues(pair.pinned->curve, pair.pinned->envelope);
        const DenseValues b = denseValues(pair.live->curve, pair.live->envelope);
        const Curve* pinnedCurve = pair.pinned->curve;
        const Curve* liveCurve = pair.live->curve;
        const bool areCurves = pair.pinned->envelope == nullptr && pair.live->envelope == nullptr;
        SeriesDifference difference =
            areCurves ? curveDifference(*pinnedCurve, *liveCurve, commonScale(pinned, live))
                      : seriesDifference(a.x, a.y, b.x, b.y, commonScale(pinned, live));
        if (!difference.hasValues()) {
            found.withoutCommonPlace.push_back(nameOf(*pair.live, live));
            continue;
        }
        place(difference, live, laneOf(live.y, *pair.live), found);
        std::string label = differenceLabel(pair.pinned->label, pair.live->label);
        if (areCurves) {
            panel.layers.emplace_back(Curve{std::move(label), pair.live->role, std::move(difference.x),
                                            std::move(difference.values),
                                            pinnedCurve->isStaircase && liveCurve->isStaircase});
        } else {
            addDenseCurve(
                panel, DenseCurve{std::move(label),
                                  pair.live->role,
                                  {std::move(difference.x), std::move(difference.values), binEdges(a, b)}});
        }
    }
}

/// On lanes what is too dense to be a line stays shaded; elsewhere a range of many values has no place on an
/// axis of differences.
void keepRanges(ComparedPanel& compared, const Panel& pinned, const Panel& live) {
    std::vector<std::string> leftOut;
    for (const LayerPair<Envelope>& pair : pairItems(rangesOf(pinned), pinned.y, rangesOf(live), live.y)) {
        if (live.y.laneHeight > 0.0) {
            Envelope shaded = pair.live != nullptr ? *pair.live : *pair.pinned;
            shaded.role = Role::muted;
            compared.panel.layers.emplace_back(std::move(shaded));
        } else {
            leftOut.push_back(pair.live != nullptr ? nameOf(*pair.live, live) : nameOf(*pair.pinned, pinned));
        }
    }
    if (!leftOut.empty()) {
        compared.notes.push_back(
            panelPrefix(live) +
            fmt::format("ranges of many values are not subtracted: “{}”.", fmt::join(leftOut, "”, “")));
    }
}

void noteLeftOut(std::vector<std::string>& notes, const Panel& live, const Differences& found) {
    const auto note = [&](const std::vector<std::string>& names, const char* reason) {
        if (!names.empty()) {
            notes.push_back(panelPrefix(live) +
                            fmt::format("left out, since {}: “{}”.", reason, fmt::join(names, "”, “")));
        }
    };
    note(found.onlyOfPinned, "only A has it");
    note(found.onlyOfLive, "only B has it");
    note(found.withoutCommonPlace, "A and B have no value at the same place");
    if (found.placesLeftOut > 0) {
        notes.push_back(panelPrefix(live) +
                        fmt::format("compared where A and B both have a value; {} left out between them.",
                                    countOf(static_cast<std::int64_t>(found.placesLeftOut), "place")));
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
            a.role = pinnedRole(a.role);
            b.label = sided("B", b.label);
            clock.hands.push_back(std::move(a));
            clock.hands.push_back(std::move(b));
        }
        panel.layers.emplace_back(std::move(clock));
        ++compared;
    }
    return compared;
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

}  // namespace

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
        keepRanges(compared, pinned, live);
        subtractKind<Bars>(compared.panel, pinned, live, found);
        subtractLines(compared.panel, pinned, live, found);
        subtractKind<Points>(compared.panel, pinned, live, found);
    }
    const int clocks = subtractClocks(compared.panel, pinned, live);
    const bool hasTexts = !live.axesShown && !layersOfKind<Text>(live).empty();
    if (found.compared == 0 && clocks == 0 && !hasTexts) {
        return notCompared(live, isNamedY
                                     ? "y names things here and has no numbers; look at A and B one after "
                                       "the other"
                                     : "A and B have no value at the same place; let their ranges meet");
    }
    if (found.compared > 0) {
        compared.panel.y.scale = commonScale(pinned, live);
        setDifferenceAxis(compared.panel.y, found.largest);
    }
    noteLeftOut(compared.notes, live, found);
    noteLabels(compared.notes, pinned, live);
    return compared;
}

ComparedPanel subtractPlanes(const Panel& pinned, const Panel& live) {
    ComparedPanel compared;
    compared.panel = live;
    compared.panel.layers = {Rule{"", Role::muted, Orientation::horizontal, 0.0, ""},
                             Rule{"", Role::muted, Orientation::vertical, 0.0, ""}};
    Differences found;
    for (const LayerPair<Curve>& pair : pairLayers<Curve>(pinned, live)) {
        if (!hasBoth(pair, pinned, live, found) || pair.pinned->x.size() != pair.live->x.size()) {
            continue;
        }
        Curve path{differenceLabel(pair.pinned->label, pair.live->label), pair.live->role, {}, {}};
        for (std::size_t at = 0; at < pair.live->x.size(); ++at) {
            path.x.push_back(difference(pair.pinned->x[at], pair.live->x[at]));
            path.y.push_back(difference(pair.pinned->y[at], pair.live->y[at]));
            found.largest = std::max({found.largest, std::abs(path.x.back()), std::abs(path.y.back())});
        }
        compared.panel.layers.emplace_back(std::move(path));
    }
    setDifferenceAxis(compared.panel.x, found.largest);
    setDifferenceAxis(compared.panel.y, found.largest);
    noteLeftOut(compared.notes, live, found);
    return compared;
}

}  // namespace phaseladder
