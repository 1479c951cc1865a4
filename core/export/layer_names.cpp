#include "core/export/layer_names.h"

#include <array>
#include <cstddef>

namespace phaseladder {
namespace {

template <std::size_t count, class Enum>
std::string_view nameAt(const std::array<std::string_view, count>& names, Enum value) {
    return names.at(static_cast<std::size_t>(value));
}

constexpr std::array<std::string_view, 15> meaningNames{
    "none",  "position", "query_token", "key_token", "pair",       "distance", "dimension", "head",
    "layer", "order",    "wavelength",  "ratio",     "kept_share", "phase",    "value"};
constexpr std::array<std::string_view, 2> scaleNames{"linear", "log10"};
constexpr std::array<std::string_view, 22> roleNames{"live",
                                                     "pinned",
                                                     "base",
                                                     "trained",
                                                     "beyond",
                                                     "target",
                                                     "ramp",
                                                     "category1",
                                                     "category2",
                                                     "category3",
                                                     "category4",
                                                     "category5",
                                                     "category6",
                                                     "muted",
                                                     "pinned_base",
                                                     "pinned_category1",
                                                     "pinned_category2",
                                                     "pinned_category3",
                                                     "pinned_category4",
                                                     "pinned_category5",
                                                     "pinned_category6",
                                                     "pinned_muted"};
constexpr std::array<std::string_view, 2> orientationNames{"horizontal", "vertical"};
constexpr std::array<std::string_view, 3> colorMapNames{"sequential", "diverging", "cyclic"};
constexpr std::array<std::string_view, 5> stateNames{"shown", "masked", "undefined", "aliased",
                                                     "no_visible_keys"};
constexpr std::array<std::string_view, 3> toneNames{"neutral", "good", "warning"};

static_assert(static_cast<std::size_t>(AxisMeaning::value) + 1 == meaningNames.size());
static_assert(static_cast<std::size_t>(Role::pinnedMuted) + 1 == roleNames.size());
static_assert(static_cast<std::size_t>(CellState::noKeys) + 1 == stateNames.size());

}  // namespace

std::string_view nameOf(AxisMeaning meaning) {
    return nameAt(meaningNames, meaning);
}

std::string_view nameOf(AxisScale scale) {
    return nameAt(scaleNames, scale);
}

std::string_view nameOf(Role role) {
    return nameAt(roleNames, role);
}

std::string_view nameOf(Orientation orientation) {
    return nameAt(orientationNames, orientation);
}

std::string_view nameOf(ColorMapKind kind) {
    return nameAt(colorMapNames, kind);
}

std::string_view nameOf(CellState state) {
    return nameAt(stateNames, state);
}

std::string_view nameOf(Tone tone) {
    return nameAt(toneNames, tone);
}

}  // namespace phaseladder
