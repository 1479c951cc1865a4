#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/export/figure_text.h"
#include "core/export/layer_names.h"

namespace phaseladder {
namespace {

/// 12 significant digits; inf, -inf, nan. Minus zero is zero.
std::string number(double value) {
    std::array<char, 32> characters{};
    const auto written = std::to_chars(characters.data(), characters.data() + characters.size(),
                                       value == 0.0 ? 0.0 : value, std::chars_format::general, 12);
    return std::isnan(value) ? "nan" : std::string(characters.data(), written.ptr);
}

std::string numbers(std::span<const double> values) {
    std::string text = "[";
    for (std::size_t index = 0; index < values.size(); ++index) {
        text += index == 0 ? "" : " ";
        text += number(values[index]);
    }
    return text + ']';
}

/// In double quotes, so that a line stays a line.
std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\') {
            result += '\\';
        }
        if (character == '\n') {
            result += "\\n";
        } else {
            result += character;
        }
    }
    return result + '"';
}

std::string named(std::string_view kind, std::string_view label, Role role) {
    return std::string(kind) + ' ' + quoted(label) + ' ' + std::string(nameOf(role));
}

std::string axisLine(std::string_view name, const Axis& axis) {
    std::string line = std::string(name) + ' ' + std::string(nameOf(axis.meaning)) + ' ' +
                       quoted(axis.title) + ' ' + number(axis.minimum) + " .. " + number(axis.maximum) + ' ' +
                       std::string(nameOf(axis.scale));
    line += axis.reversed ? " reversed" : "";
    line += axis.wholeNumbers ? " whole" : "";
    line += axis.firstLabel != 0 ? " from " + std::to_string(axis.firstLabel) : "";
    for (const std::string& label : axis.labels) {
        line += ' ' + quoted(label);
    }
    return line + '\n';
}

std::string layerLines(const Band& band) {
    return named("band", band.label, band.role) + ' ' + std::string(nameOf(band.orientation)) + ' ' +
           number(band.from) + " .. " + number(band.to) + (band.hatched ? " hatched\n" : "\n");
}

/// One line for the shape, one for each row; a cell without a value shows its state.
std::string layerLines(const Heatmap& heatmap) {
    std::string text = "heatmap " + quoted(heatmap.valueTitle) + ' ' + std::to_string(heatmap.rows) + " x " +
                       std::to_string(heatmap.columns) + " rows " + number(heatmap.rowStart) + " + " +
                       number(heatmap.rowStep) + " columns " + number(heatmap.columnStart) + " + " +
                       number(heatmap.columnStep) + ' ' + std::string(nameOf(heatmap.map)) + ' ' +
                       number(heatmap.low) + " .. " + number(heatmap.high) +
                       (heatmap.scale == AxisScale::linear ? "" : ' ' + std::string(nameOf(heatmap.scale))) +
                       (heatmap.phaseTicks ? " phase" : "") + (heatmap.writeValues ? " written" : "");
    if (heatmap.tiles) {
        text += " stack of " + std::string(nameOf(heatmap.tiles->meaning)) + " rows " +
                std::to_string(heatmap.tiles->rows) + " across " + std::to_string(heatmap.tiles->across);
        for (const int chosen : heatmap.tiles->chosen) {
            text += " chosen " + std::to_string(chosen);
        }
    }
    text += '\n';
    for (std::int64_t row = 0; row < heatmap.rows; ++row) {
        text += "row";
        for (std::int64_t column = 0; column < heatmap.columns; ++column) {
            const auto cell = static_cast<std::size_t>(row * heatmap.columns + column);
            const CellState state = heatmap.stateAt(cell);
            text += ' ';
            text += state == CellState::shown ? number(heatmap.values[cell]) : std::string(nameOf(state));
        }
        text += '\n';
    }
    return text;
}

std::string layerLines(const Envelope& envelope) {
    return named("envelope", envelope.label, envelope.role) + " x " + numbers(envelope.x) + " low " +
           numbers(envelope.low) + " high " + numbers(envelope.high) + '\n';
}

std::string layerLines(const Curve& curve) {
    return named("curve", curve.label, curve.role) + " x " + numbers(curve.x) + " y " + numbers(curve.y) +
           '\n';
}

std::string layerLines(const Points& points) {
    return named("points", points.label, points.role) + " x " + numbers(points.x) + " y " +
           numbers(points.y) + '\n';
}

std::string layerLines(const Bars& bars) {
    return named("bars", bars.label, bars.role) + " series " + std::to_string(bars.series) + " of " +
           std::to_string(bars.seriesCount) + " width " + number(bars.width) +
           (bars.writeValues ? " written" : "") + " x " + numbers(bars.x) + " y " + numbers(bars.y) + '\n';
}

/// One line for the dial, one for each arc and hand.
std::string layerLines(const Clock& clock) {
    std::string text = "clock " + quoted(clock.label) + " at " + number(clock.x) + ' ' + number(clock.y) +
                       " radius " + number(clock.radius) + (clock.chosen ? " chosen" : "");
    text += clock.meaning == AxisMeaning::none
                ? "\n"
                : " is " + std::string(nameOf(clock.meaning)) + ' ' + number(clock.value) + '\n';
    for (const ClockArc& arc : clock.arcs) {
        text += named("arc", arc.label, arc.role) + " from " + number(arc.from) + " sweep " +
                number(arc.sweep) + '\n';
    }
    for (const ClockHand& hand : clock.hands) {
        text += named("hand", hand.label, hand.role) + " angle " + number(hand.angle) + " length " +
                number(hand.length) + '\n';
    }
    return text;
}

std::string layerLines(const Handle& handle) {
    return named("handle", handle.label, handle.role) + " at " + number(handle.x) + ' ' + number(handle.y) +
           " sets " + handle.parameterId + '\n';
}

std::string layerLines(const Rule& rule) {
    return named("rule", rule.label, rule.role) + ' ' + std::string(nameOf(rule.orientation)) + " at " +
           number(rule.at) + (rule.parameterId.empty() ? "" : " sets " + rule.parameterId) + '\n';
}

std::string layerLines(const Text& text) {
    return named("text", text.text, text.role) + " at " + number(text.x) + ' ' + number(text.y) + '\n';
}

std::string readoutLine(const Readout& readout) {
    const double* value = std::get_if<double>(&readout.value);
    std::string line = "readout " + readout.id + ' ' + quoted(readout.label) + ' ' +
                       (value != nullptr ? number(*value) : quoted(std::get<std::string>(readout.value)));
    line += readout.unit.empty() ? "" : " unit " + quoted(readout.unit);
    line += readout.tolerance ? " tolerance " + number(*readout.tolerance) : "";
    line +=
        readout.chip.empty() ? "" : " chip " + quoted(readout.chip) + ' ' + std::string(nameOf(readout.tone));
    return line + '\n';
}

}  // namespace

std::string writeCanonicalText(const Figure& figure) {
    std::string text = "figure " + figure.id + ' ' + quoted(figure.title) + '\n';
    if (!figure.emptyState.empty()) {
        text += "empty " + quoted(figure.emptyState) + '\n';
    }
    for (const Panel& panel : figure.panels) {
        text += "panel " + panel.id + ' ' + quoted(panel.title) + (panel.squareCells ? " square" : "") +
                (panel.axesShown ? "\n" : " without axes\n");
        text += axisLine("x", panel.x);
        text += axisLine("y", panel.y);
        for (const Layer& layer : panel.layers) {
            text += std::visit([](const auto& one) { return layerLines(one); }, layer);
        }
    }
    for (const Readout& readout : figure.readouts) {
        text += readoutLine(readout);
    }
    for (const std::string& note : figure.notes) {
        text += "note " + quoted(note) + '\n';
    }
    for (const std::string& warning : figure.warnings) {
        text += "warning " + quoted(warning) + '\n';
    }
    for (const TableColumn& column : figure.table) {
        text += "column " + column.name + ' ' + numbers(column.values) + '\n';
    }
    return text;
}

}  // namespace phaseladder
