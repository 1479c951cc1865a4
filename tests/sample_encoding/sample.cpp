#include <cstdlib>

#include "core/encodings/encoding_list.h"

namespace phaseladder {
namespace {

/// A wall: keys more than one token away lose 3.
Result<EncodingPlan> plan(const Scene& /*scene*/, std::int64_t /*tokens*/) {
    return EncodingPlan{.scoreBias = ScoreBias{2, {-3.0, 0.0, 0.0, 0.0, -3.0}}};
}

}  // namespace

Encoding sampleEncoding() {
    return {.id = "sample",
            .label = "Sample",
            .help =
                "Takes 3 from the logit of each key that is more than one token away. It is what a new "
                "encoding looks like.",
            .formula = "logit(i,j) = q_i . k_j / sqrt(d) - 3 [|i - j| > 1]",
            .limits = "All far tokens look the same.",
            .source = "tests/sample_encoding",
            .numbers = [](const Scene&) { return "3"; },
            .plan = plan};
}

}  // namespace phaseladder
