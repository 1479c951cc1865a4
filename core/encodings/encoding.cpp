#include "core/encodings/encoding.h"

#include <algorithm>
#include <array>

#include "core/encodings/encoding_list.h"

namespace phaseladder {

bool hasRows(const EncodingPlan& plan) {
    return !plan.additiveRows.empty() || !plan.concatenatedRows.empty();
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
