#include "ui/figure/moved_parameter.h"

#include <algorithm>
#include <cmath>

#include "core/figures/handle.h"

namespace phaseladder::ui {
namespace {

double tidyValue(const Parameter& row, double value) {
    double tidy = value;
    if (row.kind == ParameterKind::integer) {
        tidy = std::round(value);
    } else if (value != 0.0) {
        const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3.0);
        tidy = std::round(value / unit) * unit;
    }
    return std::clamp(tidy, row.hardMinimum, row.hardMaximum);
}

}  // namespace

std::optional<WantedValue> movedParameter(const Scene& scene, const GripMove& move) {
    const Parameter* row = findParameter(move.parameterId);
    if (row == nullptr) {
        return std::nullopt;
    }
    const QString id = QString::fromStdString(row->id);
    if (const double* value = std::get_if<double>(&move.to)) {
        return WantedValue{id, tidyValue(*row, *value)};
    }
    Scene moved = scene;
    for (const HandlePlace& place : std::get<std::vector<HandlePlace>>(move.to)) {
        row->set(moved, handleValue(moved, place.handle, place.x, place.y));
    }
    return WantedValue{id, row->get(moved)};
}

}  // namespace phaseladder::ui
