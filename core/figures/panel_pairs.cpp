#include "core/figures/panel_pairs.h"

#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace phaseladder {
namespace {

std::string whyAxisDiffers(const char* name, const Axis& pinned, const Axis& live) {
    if (pinned.meaning != live.meaning || pinned.title != live.title || pinned.scale != live.scale) {
        return pinned.title == live.title
                   ? fmt::format("{} is scaled differently in A and B", name)
                   : fmt::format("{} is “{}” in A, “{}” in B", name, pinned.title, live.title);
    }
    const bool hasLanes = pinned.laneHeight > 0.0 || live.laneHeight > 0.0;
    return hasLanes && (pinned.labels != live.labels || pinned.laneHeight != live.laneHeight)
               ? "A and B show other lanes"
               : "";
}

}  // namespace

std::string panelPrefix(const Panel& panel) {
    return panel.title.empty() ? "" : panel.title + ": ";
}

std::string whyAxesDiffer(const Panel& pinned, const Panel& live) {
    const std::string x = whyAxisDiffers("x", pinned.x, live.x);
    return x.empty() ? whyAxisDiffers("y", pinned.y, live.y) : x;
}

void noteLabels(std::vector<std::string>& notes, const Panel& pinned, const Panel& live) {
    for (const auto& [name, a, b] :
         {std::tuple{"x", &pinned.x, &live.x}, std::tuple{"y", &pinned.y, &live.y}}) {
        if (a->labels != b->labels && !a->labels.empty() && !b->labels.empty()) {
            notes.push_back(panelPrefix(live) +
                            fmt::format("A has other labels along {}; places are compared.", name));
        }
    }
}

std::string sided(const char* side, const std::string& label) {
    return label.empty() ? side : fmt::format("{}: {}", side, label);
}

bool hasMap(const Panel& panel) {
    return !layersOfKind<Heatmap>(panel).empty();
}

void removeHandles(Panel& panel) {
    std::erase_if(panel.layers, [](const Layer& layer) { return std::holds_alternative<Handle>(layer); });
    for (Layer& layer : panel.layers) {
        if (auto* rule = std::get_if<Rule>(&layer)) {
            rule->parameterId.clear();
        }
    }
    panel.x.choice.parameterId.clear();
    panel.y.choice.parameterId.clear();
}

Panel panelWithSentence(const Panel& live, std::string sentence) {
    Panel panel = live;
    const auto middle = [](const Axis& axis) {
        return axis.scale == AxisScale::log10 ? std::sqrt(axis.minimum * axis.maximum)
                                              : 0.5 * (axis.minimum + axis.maximum);
    };
    panel.layers = {Text{std::move(sentence), Role::muted, middle(live.x), middle(live.y)}};
    return panel;
}

}  // namespace phaseladder
