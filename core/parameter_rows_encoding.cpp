#include "core/encodings/encoding.h"
#include "core/parameter_rows.h"

namespace phaseladder {
namespace {

bool usesSinusoidal(const Scene& scene) {
    return scene.encoding == "sinusoidal";
}

}  // namespace

std::vector<Parameter> encodingRows() {
    return {
        bound(
            {.id = "encoding",
             .label = "Encoding",
             .group = "Encoding",
             .kind = ParameterKind::choice,
             .choices = choicesOf(encodings()),
             .help = "How the order of the tokens enters attention.",
             .source = "one file each in core/encodings",
             .applies = always},
            [](auto& scene) -> auto& { return scene.encoding; }),
        bound(
            {.id = "rope.theta",
             .label = "Theta base",
             .group = "Encoding",
             .hardMaximum = 1e12,
             .minimumExcluded = true,
             .sliderMinimum = 1e2,
             .sliderMaximum = 1e9,
             .scale = SliderScale::log10,
             .ticks = {1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9},
             .help = "Base b of the frequencies b^(-2k/r): a larger base turns the slow pairs more slowly.",
             .source = "RoFormer, eq. 15; rope_theta of Hugging Face",
             .applies = usesRope},
            [](auto& scene) -> auto& { return scene.rope.theta; }),
        boundChoice<SinusoidalLayout>(
            {.id = "sinusoidal.layout",
             .label = "Columns",
             .group = "Encoding",
             .help = "Sine and cosine alternate, or all sines come first.",
             .source = "Attention Is All You Need, section 3.5; tensor2tensor",
             .applies = usesSinusoidal},
            {{SinusoidalLayout::interleaved, "interleaved", "Interleaved"},
             {SinusoidalLayout::halves, "halves", "Halves"}},
            [](auto& scene) -> auto& { return scene.sinusoidal.layout; }),
        boundChoice<SinusoidalSpacing>(
            {.id = "sinusoidal.spacing",
             .label = "Exponents",
             .group = "Encoding",
             .help = "2k/d as in the paper, or k/(d/2 - 1), which ends at a timescale of exactly 10 000.",
             .source = "Attention Is All You Need, section 3.5; tensor2tensor, fairseq, Whisper",
             .applies = usesSinusoidal},
            {{SinusoidalSpacing::paper, "paper", "2k/d"},
             {SinusoidalSpacing::tensor2tensor, "tensor2tensor", "k/(d/2 - 1)"}},
            [](auto& scene) -> auto& { return scene.sinusoidal.spacing; }),

        bound(
            {.id = "rope.dim",
             .label = "Rotary width",
             .unit = "channels",
             .group = "Rotary",
             .kind = ParameterKind::integer,
             .hardMaximum = 1024,
             .evenOnly = true,
             .zeroText = "head width × share",
             .help = "Channels of a head that rotate; the others carry no position.",
             .source = "rotary_dim of GPT-J",
             .applies = usesRope},
            [](auto& scene) -> auto& { return scene.rope.dim; }),
        bound(
            {.id = "rope.partial",
             .label = "Rotating share",
             .group = "Rotary",
             .hardMaximum = 1,
             .minimumExcluded = true,
             .help = "Share of the head's channels that rotate, where the rotary width is not set.",
             .source = "partial_rotary_factor of Hugging Face, rotary_pct of GPT-NeoX",
             .applies = usesRope},
            [](auto& scene) -> auto& { return scene.rope.partial; }),
        boundChoice<RopeLayout>(
            {.id = "rope.layout",
             .label = "Pairs",
             .group = "Rotary",
             .help = "Which channels turn together: k with k + r/2, or 2k with 2k + 1.",
             .source = "GPT-NeoX (half), RoFormer and GPT-J (interleaved)",
             .applies = usesRope},
            {{RopeLayout::half, "half", "Half-split"},
             {RopeLayout::interleaved, "interleaved", "Interleaved"}},
            [](auto& scene) -> auto& { return scene.rope.layout; }),
    };
}

}  // namespace phaseladder
