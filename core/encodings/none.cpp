#include <fmt/format.h>

#include "core/encodings/encoding_list.h"

namespace phaseladder {

Encoding noEncoding() {
    return {
        .id = "none",
        .label = "None",
        .help =
            "No positions at all: with a full mask, attention sees a bag of tokens. A causal mask alone "
            "still "
            "tells the first token from the last.",
        .formula = "logit(i,j) = q_i . k_j / sqrt(d)",
        .limits = "Under a full mask no order of the tokens can be told from another.",
        .source = "Kazemnejad et al. 2023, The Impact of Positional Encoding on Length Generalization (NoPE)",
        .numbers =
            [](const Scene& scene) {
                return fmt::format("d = {}: nothing depends on i or j", scene.headDim);
            },
        .plan = [](const Scene&, std::int64_t) -> Result<EncodingPlan> { return EncodingPlan{}; }};
}

}  // namespace phaseladder
