#include "core/figures/panel_pairs.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace phaseladder {
namespace {

std::string whyAxisDiffers(const char* name, const Axis& pinned, const Axis& live) {
    constexpr const char* advice = "look at A and B one after the other";
    if (pinned.title != live.title || pinned.meaning != live.meaning) {
        return fmt::format("{} is “{}” in A, “{}” in B; {}", name, pinned.title, live.title, advice);
    }
    const bool hasLanes = pinned.laneHeight > 0.0 || live.laneHeight > 0.0;
    return hasLanes && (pinned.labels != live.labels || pinned.laneHeight != live.laneHeight)
               ? fmt::format("A and B show other lanes; {}", advice)
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

std::vector<Line> linesOf(const Panel& panel) {
    std::vector<Line> lines;
    for (const Curve* curve : layersOfKind<Curve>(panel)) {
        lines.push_back({curve->label, curve->role, curve, nullptr});
    }
    for (const Envelope* envelope : layersOfKind<Envelope>(panel)) {
        if (envelope->dense.x.empty()) {
            continue;
        }
        const auto begun = std::ranges::find_if(lines, [&](const Line& line) {
            return envelope->label.empty() && line.role == envelope->role && line.envelope == nullptr;
        });
        if (begun != lines.end()) {
            begun->envelope = envelope;
        } else {
            lines.push_back({envelope->label, envelope->role, nullptr, envelope});
        }
    }
    return lines;
}

std::vector<const Envelope*> rangesOf(const Panel& panel) {
    std::vector<const Envelope*> ranges = layersOfKind<Envelope>(panel);
    std::erase_if(ranges, [](const Envelope* envelope) { return !envelope->dense.x.empty(); });
    return ranges;
}

std::vector<LayerPair<Line>> pairLines(const std::vector<Line>& pinned, const Axis& pinnedY,
                                       const std::vector<Line>& live, const Axis& liveY) {
    const auto pointers = [](const std::vector<Line>& lines) {
        std::vector<const Line*> each;
        for (const Line& line : lines) {
            each.push_back(&line);
        }
        return each;
    };
    return pairItems(pointers(pinned), pinnedY, pointers(live), liveY);
}

void noteLabels(std::vector<std::string>& notes, const Panel& pinned, const Panel& live) {
    for (const auto& [name, a, b] :
         {std::tuple{"x", &pinned.x, &live.x}, std::tuple{"y", &pinned.y, &live.y}}) {
        if ((a->labels != b->labels || a->firstLabel != b->firstLabel) && !a->labels.empty() &&
            !b->labels.empty()) {
            notes.push_back(panelPrefix(live) +
                            fmt::format("A has other labels along {}; places are compared.", name));
        }
    }
}

bool isOnCurve(const Points& points, const Panel& panel) {
    return points.label.empty() && std::ranges::any_of(layersOfKind<Curve>(panel), [&](const Curve* curve) {
               return curve->role == points.role && curve->x == points.x && curve->y == points.y;
           });
}

std::string withoutUnit(const std::string& title) {
    return title.ends_with(')') ? title.substr(0, title.rfind(" (")) : title;
}

std::string nameOrAxis(const std::string& label, const Panel& panel) {
    return !label.empty() ? label : withoutUnit(panel.y.title.empty() ? panel.title : panel.y.title);
}

Role pinnedRole(Role role) {
    switch (role) {
        case Role::base:
            return Role::pinnedBase;
        case Role::muted:
            return Role::pinnedMuted;
        case Role::category1:
        case Role::category2:
        case Role::category3:
        case Role::category4:
        case Role::category5:
        case Role::category6:
            return static_cast<Role>(static_cast<int>(role) - static_cast<int>(Role::category1) +
                                     static_cast<int>(Role::pinnedCategory1));
        default:
            return Role::pinned;
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
    Panel panel;
    panel.id = live.id;
    panel.title = live.title;
    panel.axesShown = false;
    panel.layers = {Text{std::move(sentence), Role::muted, panel.x.minimum, 0.5}};
    return panel;
}

}  // namespace phaseladder
