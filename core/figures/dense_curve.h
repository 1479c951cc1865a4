#pragma once

#include "core/figures/figure.h"

namespace phaseladder {

/// A curve, some of it denser than the pixels: x ascending, and its bins.
///   x up to binEdges.front()   a line through every point
///   each bin                   the lowest and the highest value
/// Without bins all of it is a line.
struct DenseCurve {
    std::string label;
    Role role = Role::live;
    DenseValues values;
};

/// Adds the curve; values that are not finite are left out. Its line goes on into the bins as long as it does
/// not turn back within one; from there on it is an envelope.
void addDenseCurve(Panel& panel, const DenseCurve& curve);

/// What a curve, the envelope that goes on where it ends, or both are drawn from; the other may be null.
[[nodiscard]] DenseValues denseValues(const Curve* curve, const Envelope* envelope);

}  // namespace phaseladder
