#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ladder/ladder.h"
#include "core/scene.h"

namespace phaseladder {

/// Where YaRN's code ramp begins and ends, as pair indices.
struct RampRange {
    double rawLow = 0.0;  ///< r ln(L/(2π beta_fast)) / (2 ln b)
    double rawHigh = 0.0;
    double low = 0.0;  ///< after truncation and clamping: what is used
    double high = 0.0;
};

/// What a scaling made of a ladder.
struct ScaledLadder {
    Ladder ladder;
    /// γ per pair: 1 kept, 0 divided by the factor; empty for a scaling without a ramp.
    std::vector<double> keptShare{};
    std::optional<RampRange> range{};
    std::optional<double> scaledBase{};  ///< b' of the NTK family
    std::vector<std::string> notes{};    ///< which list was used, "none is blended" ...
};

/// A scaling is a function ladder → ladder. It reads scene.scaling, scene.length and scene.rope.theta.
struct Scaling {
    std::string id;
    std::string label;
    std::string help;     ///< two sentences
    std::string formula;  ///< one line of plain text
    std::string source;
    std::function<Result<ScaledLadder>(const Ladder& base, const Scene& scene)> apply;
};

/// In order: none, linear, ntk, dynamic_ntk, yarn, longrope, llama3, proportional; one file each.
[[nodiscard]] std::span<const Scaling> scalings();
[[nodiscard]] const Scaling* findScaling(std::string_view id);

struct SceneLadders {
    Ladder base;
    ScaledLadder scaled{};
    std::string scaling = "none";  ///< id of the scaling that was applied
};

/// Both the same: of frequencies that no scaling changes.
[[nodiscard]] SceneLadders unscaledLadders(Ladder ladder);

/// The scene's base ladder and what its scaling makes of it. `proportional` uses head_dim in the exponents.
[[nodiscard]] Result<SceneLadders> sceneLadders(const Scene& scene);

}  // namespace phaseladder
