#pragma once

#include "core/figures/figure.h"
#include "core/figures/map_plan.h"
#include "core/scene.h"

namespace phaseladder {

/// Gives a map of weights or logits, or a stack of them, its colours and their range as the scene's view asks
/// for them; notes say what the range leaves out.
void setMapColors(Figure& figure, Heatmap& map, const Scene& scene, const MapPlan& plan);

}  // namespace phaseladder
