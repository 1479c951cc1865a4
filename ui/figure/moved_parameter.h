#pragma once

#include <QString>

#include <optional>

#include "core/parameter.h"
#include "ui/figure/grips.h"

namespace phaseladder::ui {

/// A row and the value that it is to get.
struct WantedValue {
    QString id;
    ParameterValue value;
};

/// The parameter that moving a grip sets in a scene. A rule's number is whole for whole numbers, has four
/// digits otherwise and lies inside the hard limits; a handle's is exactly handleValue()'s. Nothing where
/// there is no such parameter.
[[nodiscard]] std::optional<WantedValue> movedParameter(const Scene& scene, const GripMove& move);

}  // namespace phaseladder::ui
