#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/figures/figure_list.h"

namespace phaseladder {

/// The distances at which a curve over 0 .. last is computed, and how it is drawn. Up to 512 the axis is
/// linear; above, it is logarithmic from 1 and the distances crowd at its end:
///   0 1 2 3 ... denseFrom   a line through every distance
///   denseFrom .. last       bins of a few pixels: the lowest and the highest value of each
/// A bin of many distances is sampled at 256 of them, never at an even step, which would alias.
struct DistanceSamples {
    std::vector<std::int64_t> distances;  ///< ascending, with 0, last and all of the line
    std::int64_t last = 1;
    std::int64_t denseFrom = 1;            ///< above last: all of it is a line
    std::vector<std::int64_t> binEdges{};  ///< from denseFrom to last + 1; empty where nothing is dense
    bool isSampled = false;                ///< some bins do not hold all of their distances

    [[nodiscard]] bool isLogarithmic() const;
    [[nodiscard]] bool isDense() const { return !binEdges.empty(); }
};

/// As far as `last`, and beside another scene as far as that one's curves, so that both have the same
/// samples; never beyond `longest`. `alsoAt`: distances that are wanted exactly. 1 ≤ last ≤ longest.
[[nodiscard]] DistanceSamples distanceSamples(std::int64_t last, std::int64_t longest,
                                              const FigureRequest& request,
                                              const std::vector<std::int64_t>& alsoAt = {});

/// The axis of distances.
[[nodiscard]] Axis distanceAxis(const DistanceSamples& samples, std::string title);

/// Adds one curve, one value a distance; values that are not finite are left out. Its line goes on into the
/// bins as long as it does not turn back within one; from there on it is an envelope.
void addDistanceCurve(Panel& panel, const DistanceSamples& samples, const std::string& label, Role role,
                      const std::vector<double>& values);

/// Where a panel has an envelope: says from about where, and why. After the panels are there.
void noteDensity(Figure& figure, const DistanceSamples& samples);

/// The distances as numbers, for the table.
[[nodiscard]] std::vector<double> distanceColumn(const DistanceSamples& samples);

/// Value at a distance that is among the samples; NaN where it is not.
[[nodiscard]] double valueAt(const DistanceSamples& samples, const std::vector<double>& values,
                             std::int64_t distance);

/// An axis of values that holds all finite ones of the curves, with some room.
[[nodiscard]] Axis valueAxis(std::string title, const std::vector<const std::vector<double>*>& curves);

}  // namespace phaseladder
