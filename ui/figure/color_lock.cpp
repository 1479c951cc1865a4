#include "ui/figure/color_lock.h"

#include "core/figures/color_range.h"
#include "core/figures/map_plan.h"

namespace phaseladder::ui {

ColorLock ColorLock::of(const Figure& figure) {
    ColorLock lock;
    for (const Panel& panel : figure.panels) {
        if (const Heatmap* map = keepableMap(panel)) {
            lock.ranges.push_back({panel.id, quantityOf(map->valueTitle), map->scale, map->low, map->high});
        }
    }
    return lock;
}

void ColorLock::add(const Figure& figure) {
    for (Range& range : of(figure).ranges) {
        const bool isKnown = std::ranges::any_of(ranges, [&](const Range& known) {
            return known.panelId == range.panelId && known.quantity == range.quantity &&
                   known.scale == range.scale;
        });
        if (!isKnown) {
            ranges.push_back(std::move(range));
        }
    }
}

void ColorLock::apply(Figure& figure) const {
    for (Panel& panel : figure.panels) {
        Heatmap* map = keepableMap(panel);
        if (map == nullptr) {
            continue;
        }
        const auto found = std::ranges::find_if(ranges, [&](const Range& range) {
            return range.panelId == panel.id && range.quantity == quantityOf(map->valueTitle) &&
                   range.scale == map->scale;
        });
        if (found != ranges.end()) {
            setKeptRange(figure, *map, found->low, found->high);
        }
    }
}

}  // namespace phaseladder::ui
