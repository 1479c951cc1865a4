#include "core/figures/figure.h"

#include <cmath>

namespace phaseladder {

int AxisChoice::valueAt(double place) const {
    const auto whole = static_cast<std::int64_t>(std::llround(std::fmax(place, 0.0)));
    const std::int64_t index = first + (count > 0 ? whole % count : whole);
    return values.empty() ? static_cast<int>(index) : values[static_cast<std::size_t>(index)];
}

const std::string* Axis::labelAt(double whole) const {
    const double place = whole - static_cast<double>(firstLabel);
    return place >= 0.0 && place < static_cast<double>(labels.size())
               ? &labels[static_cast<std::size_t>(place)]
               : nullptr;
}

}  // namespace phaseladder
