#include "core/figures/bias_panels.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/encodings/alibi.h"
#include "core/encodings/t5.h"
#include "core/figures/distance_curve.h"
#include "core/figures/figure_parts.h"

namespace phaseladder {
Axis offsetAxis(const std::vector<std::int64_t>& offsets) {
    Axis axis;
    axis.meaning = AxisMeaning::distance;
    axis.title = "i − j, query minus key (tokens)";
    axis.wholeNumbers = true;
    axis.minimum = static_cast<double>(offsets.front()) - 0.5;
    axis.maximum = static_cast<double>(offsets.back()) + 0.5;
    return axis;
}

Curve staircase(const std::vector<std::int64_t>& offsets, const std::vector<double>& values,
                std::string label, Role role) {
    Curve curve{std::move(label), role, {}, {}, true};
    for (std::size_t at = 0; at < offsets.size(); ++at) {
        const bool isFirst = at == 0 || values[at] != values[at - 1];
        const bool isLast = at + 1 == offsets.size() || values[at] != values[at + 1];
        if (isFirst) {
            curve.x.push_back(static_cast<double>(offsets[at]) - 0.5);
            curve.y.push_back(values[at]);
        }
        if (isLast) {
            curve.x.push_back(static_cast<double>(offsets[at]) + 0.5);
            curve.y.push_back(values[at]);
        }
    }
    return curve;
}

std::int64_t firstSaturatedDistance(const Scene& scene) {
    return t5FirstSaturated(scene, -1);
}

void addSaturation(Panel& panel, const Scene& scene) {
    const auto past = static_cast<double>(t5FirstSaturated(scene, -1)) - 0.5;
    if (past < panel.x.maximum) {
        panel.layers.push_back(
            Band{"one bucket", Role::ramp, Orientation::vertical, past, panel.x.maximum, false});
    }
    const auto future =
        isBidirectional(scene) ? -(static_cast<double>(t5FirstSaturated(scene, 1)) - 0.5) : 0.5;
    if (future > panel.x.minimum) {
        panel.layers.push_back(Band{isBidirectional(scene) ? "one bucket" : "bucket 0", Role::ramp,
                                    Orientation::vertical, panel.x.minimum, future, false});
    }
}

std::vector<double> bucketsAt(const Scene& scene, const std::vector<std::int64_t>& offsets) {
    std::vector<double> buckets;
    for (const std::int64_t offset : offsets) {
        buckets.push_back(
            t5Bucket(-offset, isBidirectional(scene), scene.t5.buckets, scene.t5.maximumDistance));
    }
    return buckets;
}

Panel bucketPanel(const Scene& scene, const std::vector<std::int64_t>& offsets,
                  const std::vector<double>& buckets) {
    Panel panel;
    panel.id = "buckets";
    panel.title = "bucket of a distance";
    panel.x = offsetAxis(offsets);
    panel.y = valueAxis("bucket", {&buckets});
    panel.y.wholeNumbers = true;
    addSaturation(panel, scene);
    panel.layers.push_back(staircase(offsets, buckets, "", Role::live));
    return panel;
}

Panel slopePanel(const Scene& scene) {
    const auto ruleName = [](AlibiSlopes rule) {
        return rule == AlibiSlopes::common ? "common rule" : "paper's ratio";
    };
    const AlibiSlopes other =
        scene.alibiSlopes == AlibiSlopes::common ? AlibiSlopes::paper : AlibiSlopes::common;
    const std::vector<double> slopes = alibiSlopes(scene.alibiSlopes, scene.heads);
    const std::vector<double> otherSlopes = alibiSlopes(other, scene.heads);
    Panel panel;
    panel.id = "slopes";
    panel.title = "slope of each head";
    panel.x.meaning = AxisMeaning::head;
    panel.x.title = "head";
    panel.x.wholeNumbers = true;
    panel.x.minimum = -0.5;
    panel.x.maximum = static_cast<double>(scene.heads) - 0.5;
    panel.y.meaning = AxisMeaning::value;
    panel.y.title = "slope m (per token)";
    panel.y.scale = AxisScale::log10;
    panel.y.minimum = std::min(std::ranges::min(slopes), std::ranges::min(otherSlopes)) / 1.5;
    panel.y.maximum = 1.5 * std::max(std::ranges::max(slopes), std::ranges::max(otherSlopes));
    const std::vector<double> heads = indices(slopes.size());
    if (slopes != otherSlopes) {
        panel.layers.push_back(Points{ruleName(other), Role::base, heads, otherSlopes});
    }
    panel.layers.push_back(Points{ruleName(scene.alibiSlopes), Role::category2, heads, slopes});
    panel.layers.push_back(Points{fmt::format("head {}", scene.head),
                                  Role::live,
                                  {static_cast<double>(scene.head)},
                                  {slopes[static_cast<std::size_t>(scene.head)]}});
    return panel;
}

}  // namespace phaseladder
