#pragma once

#include <cstdint>

#include "core/figures/figure.h"
#include "core/figures/map_plan.h"
#include "core/scene.h"

namespace phaseladder {

/// Most tokens of a side whose names are written along its axis.
inline constexpr std::int64_t maximumLabelledTokens = 4096;

/// Whether each cell is one query and one key, and their names can stand along the axes.
[[nodiscard]] bool isNamed(const MapPlan& plan);

/// The axes of a plan's cells: keys along x, queries along y. Their names are the tokens', where they fit;
/// rows that see no key say so. `definedTokens` is the result's. Choosing a place sets the viewed token.
[[nodiscard]] Axis keyAxis(const Scene& scene, const MapPlan& plan, std::int64_t definedTokens);
[[nodiscard]] Axis queryAxis(const Scene& scene, const MapPlan& plan, std::int64_t definedTokens);

}  // namespace phaseladder
