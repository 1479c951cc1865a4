#pragma once

#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/encodings/encoding.h"
#include "core/figures/comparison.h"
#include "core/parameter.h"
#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {

inline Scene sceneWith(std::vector<std::pair<std::string, std::string>> settings) {
    return applySettings(Scene(), settings).value();
}

/// Pairs of scenes that differ in all sorts of things: each two neighbours in the list of encodings, and
/// more.
inline std::vector<std::pair<Scene, Scene>> comparedScenes() {
    std::vector<std::pair<Scene, Scene>> pairs;
    const std::span<const Encoding> all = encodings();
    const std::pair<std::string, std::string> narrow{"head_dim", "16"};  // quick
    for (std::size_t index = 0; index < all.size(); ++index) {
        pairs.emplace_back(sceneWith({narrow, {"encoding", all[index].id}}),
                           sceneWith({narrow, {"encoding", all[(index + 1) % all.size()].id}}));
    }
    const auto add = [&](std::vector<std::pair<std::string, std::string>> common,
                         std::vector<std::pair<std::string, std::string>> pinned,
                         std::vector<std::pair<std::string, std::string>> live) {
        common.insert(common.begin(), narrow);
        const Scene scene = sceneWith(std::move(common));
        pairs.emplace_back(applySettings(scene, pinned).value(), applySettings(scene, live).value());
    };
    add({}, {{"scaling", "linear"}}, {{"scaling", "yarn"}});
    add({}, {{"encoding", "rope"}}, {{"encoding", "alibi"}});
    add({}, {{"encoding", "none"}}, {{"encoding", "rope"}});
    add({}, {{"encoding", "sinusoidal"}}, {{"encoding", "t5"}});
    add({{"encoding", "t5"}}, {{"t5.max_distance", "128"}}, {{"t5.max_distance", "32"}});
    add({{"encoding", "t5"}, {"heads", "8"}}, {{"seed", "2"}}, {{"seed", "3"}});
    add({{"causal", "true"}}, {{"layers", "1"}}, {{"layers", "2"}});
    add({}, {{"causal", "false"}}, {{"causal", "true"}});
    add({}, {{"order", "0,1,2"}}, {{"order", "2,0,1"}});
    add({}, {{"text.length", "4"}}, {{"text.length", "6"}});
    add({}, {{"rope.theta", "10000"}}, {{"rope.theta", "500000"}});
    add({}, {{"length.target", "300"}}, {{"length.target", "8192"}});
    add({}, {{"head_dim", "32"}}, {{"head_dim", "64"}});
    return pairs;
}

inline Figure compared(const std::string& id, const Scene& pinned, const Scene& live, CompareMode mode) {
    FigureRequest request;
    request.id = id;
    request.pixelColumns = request.pixelRows = 256;
    request.pinned = std::make_shared<const Scene>(pinned);
    request.compare = mode;
    return figureOf(live, request);
}

inline bool areAllZero(const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double value) { return value == 0.0 || std::isnan(value); });
}

/// Whether nothing in the panel says that something differs.
inline bool saysNoDifference(const Panel& panel) {
    const bool hasLanes = panel.y.laneHeight > 0.0;
    const auto isFlat = [&](const std::vector<double>& values) {
        return hasLanes ? std::ranges::all_of(values, [](double y) { return y == std::round(y); })
                        : areAllZero(values);
    };
    return std::ranges::all_of(panel.layers, [&](const Layer& layer) {
        if (const auto* map = std::get_if<Heatmap>(&layer)) {
            return areAllZero(map->values) && map->map == ColorMapKind::diverging && map->low == -map->high;
        }
        if (const auto* curve = std::get_if<Curve>(&layer)) {
            return isFlat(curve->y);
        }
        if (const auto* points = std::get_if<Points>(&layer)) {
            return isFlat(points->y);
        }
        if (const auto* bars = std::get_if<Bars>(&layer)) {
            return areAllZero(bars->y);
        }
        if (const auto* clock = std::get_if<Clock>(&layer)) {
            return std::ranges::all_of(clock->arcs, [](const ClockArc& arc) { return arc.sweep == 0.0; });
        }
        return true;
    });
}

/// A figure of one panel with one layer.
inline Figure plain(Layer layer, const Axis& y = {}) {
    Figure figure;
    figure.id = "plain";
    Panel panel;
    panel.id = "panel";
    panel.x.title = "x";
    panel.x.maximum = 10.0;
    panel.y = y;
    panel.y.title = "height";
    panel.layers.push_back(std::move(layer));
    figure.panels.push_back(std::move(panel));
    return figure;
}

inline Heatmap mapOf(std::vector<double> values, std::int64_t rows = 2) {
    Heatmap map;
    map.rows = rows;
    map.columns = static_cast<std::int64_t>(values.size()) / rows;
    map.values = std::move(values);
    map.valueTitle = "weight";
    return map;
}

inline const Panel& panelOf(const Figure& figure) {
    return figure.panels.at(0);
}

template <class LayerType>
LayerType onlyLayer(const Figure& figure) {
    const std::vector<LayerType> layers = layersOf<LayerType>(panelOf(figure));
    return layers.size() == 1 ? layers.front() : LayerType();
}

inline bool says(const Figure& figure, std::string_view words) {
    return std::ranges::any_of(
        figure.notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

}  // namespace phaseladder::test
