#include "core/figures/attention_colors.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/figures/color_range.h"
#include "core/figures/order_comparison.h"

namespace phaseladder {
namespace {

/// The column of cells that holds the first key, where the colours leave that out.
std::optional<std::int64_t> leftOutColumn(const Scene& scene, const MapPlan& plan) {
    if (scene.view.sink == SinkColors::included || plan.shape.keys < 2) {
        return std::nullopt;
    }
    std::int64_t key = 0;
    if (plan.byToken) {
        const std::vector<std::int64_t> positions = positionsByToken(scene);
        key = std::ranges::find(positions, std::int64_t{0}) - positions.begin();
    }
    const std::int64_t column = key - plan.window.columnBegin;  // in a pooled map only the first can hold it
    return column >= 0 && column < plan.windowColumns() ? std::optional(column) : std::nullopt;
}

}  // namespace

void setMapColors(Figure& figure, Heatmap& map, const Scene& scene, const MapPlan& plan) {
    const bool isLog = scene.view.color == ColorScale::log;
    const ColorWishes wishes{isLog ? AxisScale::log10 : AxisScale::linear, scene.view.floor,
                             leftOutColumn(scene, plan)};
    if (scene.view.values == ViewValues::weights) {
        setWeightRange(figure, map, wishes);
        return;
    }
    setLogitRange(figure, map, wishes);
    if (isLog) {
        figure.notes.emplace_back("Logits are shown in linear colours: log colours are of weights.");
    }
}

}  // namespace phaseladder
