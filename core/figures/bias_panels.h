#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/scene.h"

namespace phaseladder {

// Panels and marks of the figure `relative-bias` that belong to one encoding.

/// i - j from the first to the last offset.
[[nodiscard]] Axis offsetAxis(const std::vector<std::int64_t>& offsets);

/// A level from half a token before an offset to half a token after the last one that shares it.
[[nodiscard]] Curve staircase(const std::vector<std::int64_t>& offsets, const std::vector<double>& values,
                              std::string label, Role role);

/// T5: the first distance into the past from which on all share a bucket.
[[nodiscard]] std::int64_t firstSaturatedDistance(const Scene& scene);

/// T5: where all distances share a bucket, as bands.
void addSaturation(Panel& panel, const Scene& scene);

/// T5: bucket at each i - j.
[[nodiscard]] std::vector<double> bucketsAt(const Scene& scene, const std::vector<std::int64_t>& offsets);
[[nodiscard]] Panel bucketPanel(const Scene& scene, const std::vector<std::int64_t>& offsets,
                                const std::vector<double>& buckets);

/// ALiBi: slopes of all heads, under both rules where they differ.
[[nodiscard]] Panel slopePanel(const Scene& scene);

}  // namespace phaseladder
