#include "core/figures/handle.h"

#include <algorithm>
#include <cassert>
#include <complex>

namespace phaseladder {
namespace {

std::vector<double> moved(std::vector<double> list, const ListEntryTarget& target, double y) {
    if (list.size() != target.current.size()) {
        list = target.current;
    }
    assert(target.index < list.size());
    list[target.index] = y;
    return list;
}

std::vector<double> moved(std::vector<double> list, const RecordTarget& target, double x, double y) {
    const std::size_t width = target.key.size() + 2;
    auto at = list.begin();
    while (list.end() - at >= static_cast<std::ptrdiff_t>(width) &&
           !std::equal(target.key.begin(), target.key.end(), at)) {
        at += static_cast<std::ptrdiff_t>(width);
    }
    // The newest record stands last, where it counts: equal words share their content.
    if (at != list.end()) {
        list.erase(at, at + static_cast<std::ptrdiff_t>(width));
    }
    list.insert(list.end(), target.key.begin(), target.key.end());
    const std::complex<double> place{(x - target.originX) / target.unit, (y - target.originY) / target.unit};
    const std::complex<double> content = place * std::polar(1.0, -target.angle);
    list.push_back(content.real());
    list.push_back(content.imag());
    return list;
}

}  // namespace

std::vector<double> handleValue(const Scene& scene, const Handle& handle, double x, double y) {
    const Parameter* row = findParameter(handle.parameterId);
    assert(row != nullptr && row->kind == ParameterKind::numberList);
    auto list = std::get<std::vector<double>>(row->get(scene));
    if (const auto* entry = std::get_if<ListEntryTarget>(&handle.target)) {
        return moved(std::move(list), *entry, y);
    }
    return moved(std::move(list), std::get<RecordTarget>(handle.target), x, y);
}

}  // namespace phaseladder
