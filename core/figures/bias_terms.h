#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/content.h"
#include "core/encodings/encoding.h"
#include "core/figures/figure.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

// What a relative encoding adds to a logit because of the distance: the numbers of the figure
// `relative-bias`.

/// The plan whose bias terms are shown: for more positions than curves reach, where they are cheap.
[[nodiscard]] Result<EncodingPlan> biasPlan(const Scene& scene);

/// Whether a plan has such a part (or a gain, which multiplies).
[[nodiscard]] bool hasBiasTerms(const EncodingPlan& plan);

/// From where on all distances share an entry, K; nothing where each distance has its own.
[[nodiscard]] std::optional<std::int64_t> clipOf(const EncodingPlan& plan);

/// The largest offset that shows where the scene's bias stops to change.
[[nodiscard]] std::int64_t biasReach(const Scene& scene, const EncodingPlan& plan);

/// Offsets i - j (query minus key) at which curves are drawn: -reach .. reach; from 0 for gains.
[[nodiscard]] std::vector<std::int64_t> biasOffsets(const EncodingPlan& plan, std::int64_t reach);

/// A curve over biasOffsets.
struct BiasCurve {
    std::string label;
    std::string column;
    Role role = Role::live;
    std::vector<double> values;
};

/// One curve a head, at most 8, spread evenly and with the shown head among them, which comes last. Relative
/// key vectors: q·r of the chosen query token; with query offsets (Transformer-XL) the shown head's q·R, v·R
/// and their sum. Growth (xPos): the gain of pairs in place of heads.
[[nodiscard]] Result<std::vector<BiasCurve>> biasCurves(const Scene& scene, const EncodingPlan& plan,
                                                        const std::vector<std::int64_t>& offsets,
                                                        std::stop_token stop);

/// What the shown head adds for each pair of the first `tokens` tokens of the text, queries × keys; with
/// growth the gain of the chosen pair.
[[nodiscard]] Result<RowMatrix> biasMap(const Scene& scene, std::int64_t tokens, std::stop_token stop);

/// The frequency pair that is looked at: view.pair, or the last.
[[nodiscard]] int viewedBiasPair(const Scene& scene);

}  // namespace phaseladder
