#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder::ui::test {

/// Two series of columns at whole numbers, with values of both signs, a gap and a value of 0.
inline Panel barPanel() {
    Panel panel;
    panel.id = "bars";
    panel.x = {AxisMeaning::pair, "pair", -0.5, 5.5, AxisScale::linear, false, true, {}};
    panel.y = {AxisMeaning::value, "share of the logit", -1.0, 2.0, AxisScale::linear, false, false, {}};
    Bars live, base;
    live.label = "live";
    live.x = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0};
    live.y = {1.5, -0.75, 0.0, 0.25, std::nan(""), 1.125};
    live.seriesCount = 2;
    live.writeValues = true;
    base = live;
    base.label = "base";
    base.role = Role::base;
    base.series = 1;
    base.y = {1.0, 0.5, -0.5, 0.125, 0.75, -0.25};
    panel.layers = {live, base};
    return panel;
}

/// Dials in a grid of columns, one a pair, with an arc, a part beyond it and two hands.
inline Panel clockPanel(int count, int columns) {
    Panel panel;
    panel.id = "clocks";
    const int rows = (count + columns - 1) / columns;
    panel.x.minimum = panel.y.minimum = -0.5;
    panel.x.maximum = columns - 0.5;
    panel.y.maximum = rows - 0.5;
    panel.y.reversed = true;
    panel.squareCells = true;
    panel.axesShown = false;
    for (int pair = 0; pair < count; ++pair) {
        const double turn = 64.0 * std::pow(10000.0, -static_cast<double>(pair) / count);
        Clock clock;
        clock.label = std::to_string(pair);
        clock.x = pair % columns;
        clock.y = static_cast<double>(pair / columns);
        clock.radius = 0.36;
        clock.arcs = {{Role::trained, 0.0, std::min(2.0 * std::numbers::pi, 0.5 * turn), "trained"}};
        if (0.5 * turn < 2.0 * std::numbers::pi) {
            clock.arcs.push_back({Role::beyond, 0.5 * turn, 0.5 * turn, "beyond"});
        }
        clock.hands = {{"live", Role::live, turn, 1.0}, {"base", Role::base, 0.25 * turn, 0.8}};
        clock.chosen = pair == 2;
        clock.meaning = AxisMeaning::pair;
        clock.value = pair;
        panel.layers.emplace_back(clock);
    }
    return panel;
}

/// A curve of a list parameter with a handle on each entry.
inline Panel listPanel(const std::vector<double>& values) {
    Panel panel;
    panel.id = "list";
    const auto clip = static_cast<double>(values.size() / 2);
    panel.x = {AxisMeaning::distance,
               "distance (tokens)",
               -clip - 0.5,
               clip + 0.5,
               AxisScale::linear,
               false,
               true,
               {}};
    panel.y = {AxisMeaning::value, "bias", -2.0, 2.0, AxisScale::linear, false, false, {}};
    Curve curve;
    for (std::size_t index = 0; index < values.size(); ++index) {
        curve.x.push_back(static_cast<double>(index) - clip);
        curve.y.push_back(values[index]);
    }
    panel.layers.emplace_back(curve);
    for (std::size_t index = 0; index < values.size(); ++index) {
        Handle handle;
        handle.label = "bias at " + std::to_string(static_cast<int>(curve.x[index]));
        handle.x = curve.x[index];
        handle.y = curve.y[index];
        handle.parameterId = "relative_bias.values";
        handle.target = ListEntryTarget{index, values};
        panel.layers.emplace_back(handle);
    }
    return panel;
}

/// One dial whose hand can be turned: the first record of `content`.
inline Panel recordPanel() {
    Panel panel = clockPanel(1, 1);
    panel.id = "record";
    Handle handle;
    handle.label = "query of dog, pair 3";
    handle.x = 0.2;
    handle.y = 0.1;
    handle.parameterId = "content";
    handle.target = RecordTarget{{0.0, 0.0, 0.0, 3.0}, 0.0, 0.0, 0.36};
    panel.layers.emplace_back(handle);
    return panel;
}

/// Texts are the content: a short one, a pair on one line and one that has to be broken.
inline Panel textPanel() {
    Panel panel;
    panel.id = "texts";
    panel.axesShown = false;
    panel.x.maximum = 10.0;
    panel.y.minimum = 0.0;
    panel.y.maximum = 6.0;
    panel.y.reversed = true;
    panel.layers = {
        Text{"dog", Role::live, 0.0, 0.5},
        Text{"= 0.31 · v(dog) + 0.42 · v(bites) + 0.27 · v(man)", Role::muted, 1.5, 0.5},
        Text{"bites", Role::live, 0.0, 1.5},
        Text{"= 0.11 · v(dog) + 0.62 · v(bites) + 0.27 · v(man)", Role::muted, 1.5, 1.5},
        Text{"The order of the tokens changes nothing here: every hidden state is the same sum, in another "
             "order, and a sum does not know the order of its terms, however long the sentence is.",
             Role::muted, 0.0, 3.0}};
    return panel;
}

/// One panel that holds every kind of layer.
inline Panel everyLayerPanel() {
    Panel panel;
    panel.id = "all";
    panel.x = {AxisMeaning::none, "x", 0.0, 10.0, AxisScale::linear, false, false, {}};
    panel.y = {AxisMeaning::value, "y", 0.0, 10.0, AxisScale::linear, false, false, {}};
    Band band;
    band.from = 8.0;
    band.to = 9.0;
    Heatmap map;
    map.rows = map.columns = 2;
    map.rowStart = map.columnStart = 0.0;
    map.values = {0.0, 1.0, 0.5, 0.25};
    Envelope envelope;
    envelope.x = {3.0, 5.0};
    envelope.low = {1.0, 1.0};
    envelope.high = {3.0, 3.0};
    Bars bars;
    bars.x = {6.0, 7.0};
    bars.y = {4.0, 5.0};
    Curve curve;
    curve.x = {0.0, 10.0};
    curve.y = {6.0, 7.0};
    Points points;
    points.x = {1.0, 2.0};
    points.y = {9.0, 9.0};
    Clock clock;
    clock.x = 4.0;
    clock.y = 8.5;
    clock.radius = 0.8;
    clock.hands = {{"", Role::live, 1.0, 1.0}};
    Rule rule;
    rule.at = 9.7;
    Text text;
    text.text = "word";
    text.x = 6.0;
    text.y = 9.0;
    Handle handle;
    handle.label = "handle";
    handle.x = 9.5;
    handle.y = 1.0;
    handle.parameterId = "content";
    handle.target = RecordTarget{{0.0}, 0.0, 0.0, 1.0};
    panel.layers = {band, map, envelope, bars, curve, points, clock, rule, text, handle};
    return panel;
}

}  // namespace phaseladder::ui::test
