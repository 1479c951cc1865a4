#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

// Scores against distance: what the figure `decay` draws.

/// One curve over the distances asked for.
struct ScoreCurve {
    std::string label;   ///< "linear ×4", "key after the query"
    std::string column;  ///< "score", "base_score" ...
    Role role = Role::live;
    std::vector<double> values;
};

/// Largest distance whose scores the scene's encoding can be asked for in good time.
[[nodiscard]] std::int64_t largestDecayDistance(const Scene& scene);

/// The distance up to which the scene asks for scores.
[[nodiscard]] std::int64_t lastDecayDistance(const Scene& scene);

/// Scores of the scene's decay content, the live curve last. RoPE and xPos: key at 0, query after it; with
/// another curve for the ladder before scaling, or one for each axis. Tables and buckets: also the key after
/// the query. Absolute encodings: the query at 0 and at view.position, the key so far after it; NaN past a
/// learned table.
[[nodiscard]] Result<std::vector<ScoreCurve>> decayCurves(const Scene& scene,
                                                          const std::vector<std::int64_t>& distances,
                                                          std::stop_token stop);

/// RoFormer's bound on what a relative distance leaves of a score, (2/r) Σ_j |S_j| with S_j = Σ_{k<j}
/// exp(i m ω_k), for the ladder of the scene (encoding rope) and, where it is scaled, of its base.
/// Source: Su et al. 2021, RoFormer, section 3.4.3.
[[nodiscard]] Result<std::vector<ScoreCurve>> relativeBounds(const Scene& scene,
                                                             const std::vector<std::int64_t>& distances,
                                                             std::stop_token stop);

}  // namespace phaseladder
