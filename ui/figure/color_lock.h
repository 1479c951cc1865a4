#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder::ui {

/// The map of a panel whose colours can be kept, or null: those of phases always go once around.
template <class AnyPanel>
[[nodiscard]] auto* keepableMap(AnyPanel& panel) {
    const auto layer = std::ranges::find_if(panel.layers, [](const Layer& one) {
        const auto* map = std::get_if<Heatmap>(&one);
        return map != nullptr && map->map != ColorMapKind::cyclic;
    });
    return layer == panel.layers.end() ? nullptr : std::get_if<Heatmap>(&*layer);
}

/// The colour ranges of a figure's maps, kept so that what comes next is drawn in the same colours and can be
/// compared.
struct ColorLock {
    struct Range {
        std::string panelId, quantity;        ///< a map of other values (logits for weights) has its own
        AxisScale scale = AxisScale::linear;  ///< and so have log colours
        double low = 0.0, high = 1.0;
    };
    std::vector<Range> ranges;

    /// The ranges of now.
    [[nodiscard]] static ColorLock of(const Figure& figure);
    /// Also keeps those of maps whose values it has no range for yet, as differences beside what they are of.
    void add(const Figure& figure);
    [[nodiscard]] bool isEmpty() const { return ranges.empty(); }
    /// Puts the ranges into the figure's maps and says so in its notes.
    void apply(Figure& figure) const;
};

}  // namespace phaseladder::ui
