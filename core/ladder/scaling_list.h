#pragma once

#include <string>

#include "core/ladder/scaling.h"

namespace phaseladder {

// One function a scaling, in the file of its name; core/ladder/scaling.cpp puts them in order.
[[nodiscard]] Scaling linearScaling();
[[nodiscard]] Scaling ntkScaling();
[[nodiscard]] Scaling dynamicNtkScaling();
[[nodiscard]] Scaling yarnScaling();
[[nodiscard]] Scaling longRopeScaling();
[[nodiscard]] Scaling llama3Scaling();
[[nodiscard]] Scaling proportionalScaling();

/// A ladder whose base is multiplied by `multiplier`^(r/(r-2)), with the new base: pair k is divided by
/// multiplier^(2k/(r-2)), so the fastest stays and the slowest is divided by exactly the multiplier. Refuses
/// r = 2. `method` is named in the message.
[[nodiscard]] Result<ScaledLadder> withMultipliedBase(const Ladder& base, double theta,
                                                      long double multiplier, const std::string& method);

}  // namespace phaseladder
