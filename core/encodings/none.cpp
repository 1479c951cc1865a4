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
        .source = "Kazemnejad et al. 2023, The Impact of Positional Encoding on Length Generalization (NoPE)",
        .plan = [](const Scene&, std::int64_t) -> Result<EncodingPlan> { return EncodingPlan{}; }};
}

}  // namespace phaseladder
