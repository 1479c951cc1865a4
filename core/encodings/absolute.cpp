#include "core/encodings/absolute.h"

#include <fmt/format.h>

#include "core/number_text.h"

namespace phaseladder {

bool isAbsolute(const Scene& scene) {
    const Encoding* encoding = findEncoding(scene.encoding);
    const Result<EncodingPlan> plan =
        encoding == nullptr ? fail(ErrorKind::usage, {}) : encoding->plan(scene, 1);
    return plan && hasRows(*plan);
}

EncodingPlan absolutePlan(const Scene& scene, std::vector<double> rows) {
    if (scene.join == AbsoluteJoin::add) {
        return EncodingPlan{.additiveRows = std::move(rows)};
    }
    return EncodingPlan{.concatenatedRows = std::move(rows)};
}

std::string joinText(const Scene& scene) {
    const bool adds = scene.join == AbsoluteJoin::add;
    const int height = adds ? scene.headDim : 2 * scene.headDim;
    return fmt::format("{}: W_q, W_k, W_v of a head hold 3 · {} · {} = {} numbers",
                       adds ? "added" : "concatenated", height, scene.headDim,
                       formatGrouped(3.0 * height * scene.headDim));
}

}  // namespace phaseladder
