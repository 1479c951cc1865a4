#include <cmath>
#include <cstddef>

#include <nlohmann/json.hpp>

#include "core/export/figure_text.h"
#include "core/export/layer_names.h"
#include "core/scene_json.h"

namespace phaseladder {
namespace {

using Json = nlohmann::ordered_json;

/// Infinity and no value are null.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json numbers(const std::vector<double>& values) {
    Json array = Json::array();
    for (const double value : values) {
        array.push_back(number(value));
    }
    return array;
}

Json axisJson(const Axis& axis) {
    Json json{{"meaning", nameOf(axis.meaning)},   {"title", axis.title},
              {"minimum", number(axis.minimum)},   {"maximum", number(axis.maximum)},
              {"scale", nameOf(axis.scale)},       {"reversed", axis.reversed},
              {"whole_numbers", axis.wholeNumbers}};
    if (!axis.labels.empty()) {
        json["labels"] = axis.labels;
        if (axis.firstLabel != 0) {
            json["first_label"] = axis.firstLabel;
        }
    }
    return json;
}

Json layerJson(const Band& band) {
    return {{"kind", "band"},
            {"label", band.label},
            {"role", nameOf(band.role)},
            {"orientation", nameOf(band.orientation)},
            {"from", number(band.from)},
            {"to", number(band.to)},
            {"hatched", band.hatched}};
}

/// Masked and undefined cells and rows without keys have no value; an aliased cell has one, but the picture
/// does not show it.
Json layerJson(const Heatmap& heatmap) {
    Json values = numbers(heatmap.values);
    Json states = Json::array();
    for (std::size_t cell = 0; cell < heatmap.states.size(); ++cell) {
        const CellState state = heatmap.states[cell];
        states.push_back(nameOf(state));
        if (state != CellState::shown && state != CellState::aliased) {
            values[cell] = nullptr;
        }
    }
    Json json{{"kind", "heatmap"},
              {"rows", heatmap.rows},
              {"columns", heatmap.columns},
              {"row_start", number(heatmap.rowStart)},
              {"row_step", number(heatmap.rowStep)},
              {"column_start", number(heatmap.columnStart)},
              {"column_step", number(heatmap.columnStep)},
              {"map", nameOf(heatmap.map)},
              {"low", number(heatmap.low)},
              {"high", number(heatmap.high)},
              {"scale", nameOf(heatmap.scale)},
              {"value_title", heatmap.valueTitle},
              {"values", std::move(values)}};
    if (!heatmap.states.empty()) {
        json["states"] = std::move(states);
    }
    if (heatmap.tiles) {
        json["stack"] = {{"of", nameOf(heatmap.tiles->meaning)},
                         {"rows", heatmap.tiles->rows},
                         {"across", heatmap.tiles->across},
                         {"chosen", heatmap.tiles->chosen}};
    }
    return json;
}

Json layerJson(const Envelope& envelope) {
    return {{"kind", "envelope"},       {"label", envelope.label},      {"role", nameOf(envelope.role)},
            {"x", numbers(envelope.x)}, {"low", numbers(envelope.low)}, {"high", numbers(envelope.high)}};
}

Json layerJson(const Curve& curve) {
    return {{"kind", "curve"},
            {"label", curve.label},
            {"role", nameOf(curve.role)},
            {"x", numbers(curve.x)},
            {"y", numbers(curve.y)}};
}

Json layerJson(const Points& points) {
    return {{"kind", "points"},
            {"label", points.label},
            {"role", nameOf(points.role)},
            {"x", numbers(points.x)},
            {"y", numbers(points.y)}};
}

Json layerJson(const Bars& bars) {
    return {{"kind", "bars"},
            {"label", bars.label},
            {"role", nameOf(bars.role)},
            {"series", bars.series},
            {"series_count", bars.seriesCount},
            {"x", numbers(bars.x)},
            {"y", numbers(bars.y)}};
}

Json layerJson(const Clock& clock) {
    Json arcs = Json::array();
    for (const ClockArc& arc : clock.arcs) {
        arcs.push_back({{"label", arc.label},
                        {"role", nameOf(arc.role)},
                        {"from", number(arc.from)},
                        {"sweep", number(arc.sweep)}});
    }
    Json hands = Json::array();
    for (const ClockHand& hand : clock.hands) {
        hands.push_back({{"label", hand.label},
                         {"role", nameOf(hand.role)},
                         {"angle", number(hand.angle)},
                         {"length", number(hand.length)}});
    }
    return {{"kind", "clock"},
            {"label", clock.label},
            {"meaning", nameOf(clock.meaning)},
            {"value", number(clock.value)},
            {"x", number(clock.x)},
            {"y", number(clock.y)},
            {"radius", number(clock.radius)},
            {"chosen", clock.chosen},
            {"arcs", std::move(arcs)},
            {"hands", std::move(hands)}};
}

Json layerJson(const Handle& handle) {
    return {{"kind", "handle"},      {"label", handle.label}, {"role", nameOf(handle.role)},
            {"x", number(handle.x)}, {"y", number(handle.y)}, {"parameter", handle.parameterId}};
}

Json layerJson(const Rule& rule) {
    Json json{{"kind", "rule"},
              {"label", rule.label},
              {"role", nameOf(rule.role)},
              {"orientation", nameOf(rule.orientation)},
              {"at", number(rule.at)}};
    if (!rule.parameterId.empty()) {
        json["parameter"] = rule.parameterId;
    }
    return json;
}

Json layerJson(const Text& text) {
    return {{"kind", "text"},
            {"text", text.text},
            {"role", nameOf(text.role)},
            {"x", number(text.x)},
            {"y", number(text.y)}};
}

Json panelJson(const Panel& panel) {
    Json layers = Json::array();
    for (const Layer& layer : panel.layers) {
        layers.push_back(std::visit([](const auto& one) { return layerJson(one); }, layer));
    }
    return {{"id", panel.id},
            {"title", panel.title},
            {"x", axisJson(panel.x)},
            {"y", axisJson(panel.y)},
            {"layers", std::move(layers)}};
}

Json readoutJson(const Readout& readout) {
    Json json{{"id", readout.id}, {"label", readout.label}};
    if (const double* value = std::get_if<double>(&readout.value)) {
        json["value"] = number(*value);
    } else {
        json["value"] = std::get<std::string>(readout.value);
    }
    if (!readout.unit.empty()) {
        json["unit"] = readout.unit;
    }
    if (readout.tolerance) {
        json["tolerance"] = number(*readout.tolerance);
    }
    return json;
}

}  // namespace

std::string writeJson(const Figure& figure, const Scene& scene) {
    Json panels = Json::array();
    for (const Panel& panel : figure.panels) {
        panels.push_back(panelJson(panel));
    }
    Json readouts = Json::array();
    for (const Readout& readout : figure.readouts) {
        readouts.push_back(readoutJson(readout));
    }
    std::vector<std::string> notes = figure.notes;
    if (!figure.emptyState.empty()) {
        notes.insert(notes.begin(), figure.emptyState);
    }
    const Json json{{"id", figure.id},
                    {"title", figure.title},
                    {"panels", std::move(panels)},
                    {"readouts", std::move(readouts)},
                    {"notes", std::move(notes)},
                    {"warnings", figure.warnings},
                    {"scene", Json::parse(writeScene(scene))},
                    {"version", PHASELADDER_VERSION}};
    // A line for each top-level key: readable at the ends, and small in the middle.
    std::string text = "{\n";
    for (const auto& [key, value] : json.items()) {
        text += Json(key).dump() + ": " + value.dump(-1, ' ', false, Json::error_handler_t::replace);
        text += key == "version" ? "\n" : ",\n";
    }
    return text + "}\n";
}

}  // namespace phaseladder
