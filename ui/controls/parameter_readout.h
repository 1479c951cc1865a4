#pragma once

#include <QString>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/parameter.h"
#include "core/scene.h"

namespace phaseladder::ui {

/// The number that a 0 stands for in a scene ("formula": the attention factor that YaRN's formula gives);
/// nothing for rows whose 0 means absence, or where the scene has no such number.
[[nodiscard]] std::optional<double> valueBehindZero(std::string_view parameterId, const Scene& scene);

/// The numbers of a list whose numbers share out a whole: its own, or those that an empty one stands for.
[[nodiscard]] std::vector<double> numbersOf(std::string_view parameterId, const Scene& scene);

/// What is wrong with a value that is set all the same (a file that cannot be read); empty when all is well.
[[nodiscard]] QString problemOf(std::string_view parameterId, const Scene& scene);

/// What a value leads to, in words ("longest wavelength 5.1e6 tokens" beside theta); empty for most
/// parameters.
[[nodiscard]] QString consequenceOf(std::string_view parameterId, const Scene& scene);

/// The unit beside a field; for the head it counts ("of 32").
[[nodiscard]] QString unitText(std::string_view parameterId, std::string_view unit, const Scene& scene);

/// What a list field shows: a short list itself, "32 numbers" of a long one, and what an empty one stands
/// for.
[[nodiscard]] QString listText(const Parameter& row, const std::vector<double>& list);

/// A value as a person reads it, without its unit: "10 000", "Half-split", "on", "formula" where 0 stands for
/// it.
[[nodiscard]] QString valueText(const Parameter& row, const ParameterValue& value);

/// "1/4" for a factor of 4; a decimal number where the factor is not whole.
[[nodiscard]] QString alphaText(double factor);

}  // namespace phaseladder::ui
