#include "app/benchmark/parts.h"

namespace phaseladder::app {

std::span<const BenchmarkPart> benchmarkParts() {
    static constexpr BenchmarkPart parts[] = {
        {"B1", PartNeeds::nothing, phaseTableRows},
        {"B2", PartNeeds::window, sliderTickRows},
        {"B2_widths", PartNeeds::window, sliderTickWidthRows},
        {"B2_4096", PartNeeds::window, sliderTick4096Rows},
        {"B2_drop", PartNeeds::window, tokenDropRows},
        {"B3", PartNeeds::nothing, map1024Rows},
        {"B4", PartNeeds::nothing, map4096Rows},
        {"B5", PartNeeds::nothing, map16384Rows},
        {"B6_window", PartNeeds::window, sliderTick131072Rows},
        {"B6_preview", PartNeeds::nothing, preview131072Rows},
        {"B6_B7", PartNeeds::nothing, map131072Rows},
        {"B6_million", PartNeeds::nothing, previewMillionRows},
        {"B8", PartNeeds::window, paintRows},
        {"B9", PartNeeds::nothing, orderRows},
        {"B10", PartNeeds::window, hotCellRows},
        {"B12", PartNeeds::nothing, processRows},
        {"G_line", PartNeeds::nothing, helperLineRows},
    };
    return parts;
}

}  // namespace phaseladder::app
