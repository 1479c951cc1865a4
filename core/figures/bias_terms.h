#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/content.h"
#include "core/figures/figure.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

// What a relative encoding adds to a logit because of the distance: the numbers of the figure
// `relative-bias`.

/// Whether the scene's encoding has such a part (or xPos' gain, which multiplies).
[[nodiscard]] bool hasBiasTerms(const Scene& scene);

/// Offsets i - j (query minus key) at which curves are drawn: -reach .. reach, far enough to show where the
/// bias stops to change; from 0 for xPos.
[[nodiscard]] std::vector<std::int64_t> biasOffsets(const Scene& scene);

/// A curve over biasOffsets.
struct BiasCurve {
    std::string label;
    std::string column;
    Role role = Role::live;
    std::vector<double> values;
};

/// One curve a head, at most 8, spread evenly and with the shown head among them, which comes last. Shaw:
/// q·r of the chosen query token. Transformer-XL: the shown head's q·R, v·R and their sum. xPos: the gain of
/// pairs in place of heads.
[[nodiscard]] Result<std::vector<BiasCurve>> biasCurves(const Scene& scene,
                                                        const std::vector<std::int64_t>& offsets,
                                                        std::stop_token stop);

/// What the shown head adds for each pair of the first `tokens` tokens of the text, queries × keys; for xPos
/// the gain of the chosen pair.
[[nodiscard]] Result<RowMatrix> biasMap(const Scene& scene, std::int64_t tokens);

/// The frequency pair that is looked at: view.pair, or the last.
[[nodiscard]] int viewedBiasPair(const Scene& scene);

}  // namespace phaseladder
