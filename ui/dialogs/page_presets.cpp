#include "ui/dialogs/page_presets.h"

#include <algorithm>

namespace phaseladder::ui {

namespace {

constexpr const char* tueplots = "sizes as in tueplots";

constexpr PagePreset presets[] = {
    {"neurips", "NeurIPS, ICLR · 5.5 in", "in", 5.5, 9.0, tueplots},
    {"icml_column", "ICML, AISTATS column · 3.25 in", "in", 3.25, 8.0, tueplots},
    {"icml_page", "ICML, AISTATS page · 6.75 in", "in", 6.75, 8.0, tueplots},
    {"aaai_column", "AAAI column · 3.3 in", "in", 3.3, 9.0, tueplots},
    {"aaai_page", "AAAI page · 6.975 in", "in", 6.975, 9.0, tueplots},
    {"cvpr_column", "CVPR column · 3.25 in", "in", 3.25, 8.0, tueplots},
    {"cvpr_page", "CVPR page · 6.875 in", "in", 6.875, 8.0, tueplots},
    {"eccv", "ECCV · 4.8 in", "in", 4.8, 8.0, tueplots},
    {"jmlr", "JMLR · 6 in", "in", 6.0, 9.95, tueplots},
    {"tmlr", "TMLR · 6.5 in", "in", 6.5, 9.0, tueplots},
    {"beamer", "Beamer 16:9 · 126 mm", "mm", 126.0, 9.0, tueplots},  // 0.9 × 398.34 TeX points of 1/72.27 in
    {"ieee_column", "IEEE column · 3.5 in", "in", 3.5, 8.0, "IEEE Author Center, size of figures"},
    {"ieee_page", "IEEE page · 7.16 in", "in", 7.16, 8.0, "IEEE Author Center, size of figures"},
    {"nature_column", "Nature column · 89 mm", "mm", 89.0, 7.0, "Nature research figure guide", 170.0},
    {"nature_page", "Nature page · 183 mm", "mm", 183.0, 7.0, "Nature research figure guide", 170.0},
};

}  // namespace

std::span<const PagePreset> pagePresets() {
    return presets;
}

const PagePreset* findPagePreset(const QString& id) {
    const auto* found = std::ranges::find_if(
        presets, [&](const PagePreset& preset) { return id == QLatin1StringView(preset.id); });
    return found != std::end(presets) ? found : nullptr;
}

double pointsPerUnit(const QString& unit) {
    return unit == QLatin1String("in") ? 72.0 : unit == QLatin1String("mm") ? 72.0 / 25.4 : 1.0;
}

}  // namespace phaseladder::ui
