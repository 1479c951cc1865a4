#include "core/ladder/scaling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/ladder/scaling_list.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

Scaling noScaling() {
    return {
        .id = "none",
        .label = "None",
        .help =
            "The ladder as it was trained. Beyond the trained length slow pairs meet phases that they have "
            "never seen.",
        .formula = "w'_k = w_k",
        .source = "Su et al. 2021, RoFormer, eq. 15",
        .apply = [](const Ladder& base, const Scene&) -> Result<ScaledLadder> {
            return ScaledLadder{.ladder = base};
        }};
}

/// What every scaling relies on.
Result<void> checkLadderSettings(const Scene& scene, int rotaryDim) {
    const double theta = scene.rope.theta;
    if (!(theta > 0.0) || !std::isfinite(theta)) {
        return fail(ErrorKind::usage,
                    fmt::format("rope.theta must be finite and above 0, got {}.", formatNumber(theta)));
    }
    if (rotaryDim < 2 || rotaryDim % 2 != 0 || rotaryDim > scene.headDim) {
        return fail(ErrorKind::usage,
                    fmt::format("The rotary width must be even and 2 to head_dim {}, got {}.", scene.headDim,
                                rotaryDim));
    }
    if (scene.scaling.method != "none" &&
        !(scene.scaling.factor >= 1.0 && std::isfinite(scene.scaling.factor))) {
        return fail(ErrorKind::usage, fmt::format("scaling.factor must be finite and 1 or more, got {}.",
                                                  formatNumber(scene.scaling.factor)));
    }
    if (scene.length.trained < 1 || originalLength(scene) < 1) {
        return fail(
            ErrorKind::usage,
            fmt::format("length.trained and scaling.original_length must be 1 or more, got {} and {}.",
                        scene.length.trained, originalLength(scene)));
    }
    return {};
}

/// The list twice: for rows, then for columns.
template <class Number>
void repeat(std::vector<Number>& list) {
    const std::size_t count = list.size();
    for (std::size_t index = 0; index < count; ++index) {
        list.push_back(list[index]);
    }
}

}  // namespace

std::span<const Scaling> scalings() {
    static const std::array<Scaling, 8> list{noScaling(),         linearScaling(),      ntkScaling(),
                                             dynamicNtkScaling(), yarnScaling(),        longRopeScaling(),
                                             llama3Scaling(),     proportionalScaling()};
    return list;
}

const Scaling* findScaling(std::string_view id) {
    const auto found = std::ranges::find(scalings(), id, &Scaling::id);
    return found == scalings().end() ? nullptr : &*found;
}

SceneLadders unscaledLadders(Ladder ladder) {
    return {.base = ladder, .scaled = {.ladder = std::move(ladder)}};
}

Result<SceneLadders> sceneLadders(const Scene& scene) {
    const Scaling* scaling = findScaling(scene.scaling.method);
    if (scaling == nullptr) {
        return fail(ErrorKind::usage, fmt::format("There is no scaling '{}'.", scene.scaling.method));
    }
    const int rotaryWidth = rotaryDim(scene);
    if (const Result<void> checked = checkLadderSettings(scene, rotaryWidth); !checked) {
        return tl::unexpected(checked.error());
    }
    // 2-D in halves: each axis has a ladder of half the width.
    const bool isHalved =
        scene.encoding == "rope" && scene.rope.axes == RopeAxes::vision_2d && rotaryWidth % 4 == 0;
    SceneLadders ladders{.base = plainLadder(scene.rope.theta, isHalved ? rotaryWidth / 2 : rotaryWidth)};
    Result<ScaledLadder> scaled = scaling->apply(ladders.base, scene);
    if (!scaled) {
        return tl::unexpected(scaled.error());
    }
    ladders.scaled = *std::move(scaled);
    ladders.scaling = scaling->id;
    if (isHalved) {
        repeat(ladders.base.inverseFrequency);
        repeat(ladders.scaled.ladder.inverseFrequency);
        repeat(ladders.scaled.keptShare);
    }
    return ladders;
}

}  // namespace phaseladder
