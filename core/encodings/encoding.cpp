#include "core/encodings/encoding.h"

#include <algorithm>
#include <array>

#include "core/encodings/encoding_list.h"

namespace phaseladder {

bool hasRows(const EncodingPlan& plan) {
    return !positionRows(plan).empty();
}

const std::vector<double>& positionRows(const EncodingPlan& plan) {
    return plan.additiveRows.empty() ? plan.concatenatedRows : plan.additiveRows;
}

bool hasGrowth(const EncodingPlan& plan) {
    return plan.rotation && !plan.rotation->logGrowthPerToken.empty();
}

bool isPureRotation(const EncodingPlan& plan) {
    return plan.rotation && !hasGrowth(plan);
}

bool hasPositions(const EncodingPlan& plan) {
    return hasRows(plan) || plan.rotation || plan.scoreBias || plan.relativeKeys || plan.relativeValues;
}

std::span<const Encoding> encodings() {
    static const std::array list{
        noEncoding(), learnedEncoding(), sinusoidalEncoding(),    relativeBiasEncoding(), shawEncoding(),
        t5Encoding(), alibiEncoding(),   transformerXlEncoding(), ropeEncoding(),         xposEncoding()};
    return list;
}

const Encoding* findEncoding(std::string_view id) {
    const auto found = std::ranges::find(encodings(), id, &Encoding::id);
    return found == encodings().end() ? nullptr : &*found;
}

}  // namespace phaseladder
