#include "core/figures/figure.h"

#include <cmath>

namespace phaseladder {

int AxisChoice::valueAt(double place) const {
    const auto index = static_cast<std::int64_t>(std::llround(std::fmax(place, 0.0)));
    return values[static_cast<std::size_t>(index) % values.size()];
}

const std::string* Axis::labelAt(double whole) const {
    const double place = whole - static_cast<double>(firstLabel);
    return place >= 0.0 && place < static_cast<double>(labels.size())
               ? &labels[static_cast<std::size_t>(place)]
               : nullptr;
}

}  // namespace phaseladder
