#include "core/encodings/encoding.h"
#include "core/parameter_rows.h"

namespace phaseladder {
namespace {

bool usesSinusoidal(const Scene& scene) {
    return scene.encoding == "sinusoidal";
}

bool usesLearned(const Scene& scene) {
    return scene.encoding == "learned";
}

bool usesAbsolute(const Scene& scene) {
    return usesSinusoidal(scene) || usesLearned(scene);
}

bool usesMrope(const Scene& scene) {
    return usesRope(scene) &&
           (scene.rope.axes == RopeAxes::mrope || scene.rope.axes == RopeAxes::mrope_interleaved);
}

bool usesGrid(const Scene& scene) {
    return usesRope(scene) && scene.rope.axes != RopeAxes::text;
}

constexpr double lastPosition = 16777215.0;  // of the longest text

std::vector<Parameter> learnedRows() {
    return {
        bound(
            {.id = "learned.rows",
             .label = "Rows",
             .unit = "positions",
             .group = "Encoding",
             .kind = ParameterKind::integer,
             .hardMinimum = 1,
             .hardMaximum = 1048576,
             .sliderMinimum = 1,
             .sliderMaximum = 4096,
             .scale = SliderScale::log2,
             .ticks = {1, 16, 128, 512, 4096},
             .help = "Rows of the seeded table; positions past it have none and are undefined.",
             .source = "n_positions of GPT-2, max_position_embeddings of BERT",
             .applies = [](const Scene& scene) { return usesLearned(scene) && scene.learned.table.empty(); }},
            [](auto& scene) -> auto& { return scene.learned.rows; }),
        bound(
            {.id = "learned.offset",
             .label = "First row used",
             .unit = "rows",
             .group = "Encoding",
             .kind = ParameterKind::integer,
             .hardMaximum = 1024,
             .help = "Position p reads row p + offset: 2 in RoBERTa and OPT, whose first rows are kept for "
                     "padding.",
             .source = "padding_idx + 1 of RoBERTa; OPTLearnedPositionalEmbedding",
             .applies = usesLearned,
             .advanced = true},
            [](auto& scene) -> auto& { return scene.learned.offset; }),
        bound(
            {.id = "learned.table",
             .label = "Table file",
             .group = "Encoding",
             .kind = ParameterKind::text,
             .control = ParameterControl::file,
             .zeroText = "seeded table",
             .extensions = {"npy", "safetensors"},
             .help =
                 "A .npy or .safetensors file with positions × head width numbers; empty: a seeded table.",
             .source = "wpe.weight of GPT-2, position_embeddings.weight of BERT",
             .applies = usesLearned},
            [](auto& scene) -> auto& { return scene.learned.table; }),
        bound(
            {.id = "learned.tensor",
             .label = "Tensor",
             .group = "Encoding",
             .kind = ParameterKind::text,
             .zeroText = "the one that looks like it",
             .help =
                 "Name of the table in a .safetensors file; empty: the one that looks like a position table.",
             .source = "safetensors",
             .applies =
                 [](const Scene& scene) {
                     return usesLearned(scene) && scene.learned.table.ends_with(".safetensors");
                 }},
            [](auto& scene) -> auto& { return scene.learned.tensor; }),
        boundChoice<AbsoluteJoin>(
            {.id = "positions.join",
             .label = "Joined by",
             .group = "Encoding",
             .help = "Position rows are added to the token vectors, or set beside them, which doubles the "
                     "projections.",
             .source = "Attention Is All You Need, section 3.5",
             .applies = usesAbsolute},
            {{AbsoluteJoin::add, "add", "Add"}, {AbsoluteJoin::concatenate, "concatenate", "Concatenate"}},
            [](auto& scene) -> auto& { return scene.join; }),
    };
}

std::vector<Parameter> axesRows() {
    return {
        boundChoice<RopeAxes>(
            {.id = "rope.axes",
             .label = "Axes",
             .group = "Rotary",
             .help = "Which position turns which pair: one of the text, or those of an image's time, row and "
                     "column.",
             .source = "Qwen2-VL, Qwen3-VL (M-RoPE); Qwen2-VL vision tower, Pixtral (2-D)",
             .applies = usesRope},
            {{RopeAxes::text, "text", "Text"},
             {RopeAxes::mrope, "mrope", "M-RoPE, in turn (Qwen2-VL)"},
             {RopeAxes::mrope_interleaved, "mrope_interleaved", "M-RoPE, interleaved (Qwen3-VL)"},
             {RopeAxes::vision_2d, "vision_2d", "2-D, halves (Qwen2-VL vision)"},
             {RopeAxes::vision_2d_alternating, "vision_2d_alternating", "2-D, alternating (Pixtral)"}},
            [](auto& scene) -> auto& { return scene.rope.axes; }),
        bound(
            {.id = "rope.sections",
             .label = "Sections",
             .unit = "pairs",
             .group = "Rotary",
             .kind = ParameterKind::numberList,
             .hardMaximum = 512,
             .parts = {"Time", "Row", "Column"},
             .help = "Pairs that time, row and column turn; they sum to half the rotary width. Empty: the "
                     "published shares.",
             .source = "mrope_section of Qwen2-VL (16, 24, 24) and Qwen3-VL (24, 20, 20)",
             .applies = usesMrope},
            [](auto& scene) -> auto& { return scene.rope.sections; }),
        bound(
            {.id = "rope.grid_start",
             .label = "Image starts at",
             .unit = "tokens",
             .group = "Rotary",
             .kind = ParameterKind::integer,
             .hardMaximum = lastPosition,
             .help = "Token that is the image's first patch; those before it and after the image are text.",
             .source = "get_rope_index of Qwen2-VL",
             .applies = usesMrope},
            [](auto& scene) -> auto& { return scene.rope.gridStart; }),
        bound(
            {.id = "rope.grid_rows",
             .label = "Image rows",
             .unit = "patches",
             .group = "Rotary",
             .kind = ParameterKind::integer,
             .hardMinimum = 1,
             .hardMaximum = 4096,
             .sliderMinimum = 1,
             .sliderMaximum = 32,
             .scale = SliderScale::log2,
             .ticks = {1, 2, 4, 8, 16, 32},
             .help = "Rows of patches in the image.",
             .source = "image_grid_thw of Qwen2-VL, after merging",
             .applies = usesMrope},
            [](auto& scene) -> auto& { return scene.rope.gridRows; }),
        bound(
            {.id = "rope.grid_columns",
             .label = "Image columns",
             .unit = "patches",
             .group = "Rotary",
             .kind = ParameterKind::integer,
             .hardMinimum = 1,
             .hardMaximum = 4096,
             .sliderMinimum = 1,
             .sliderMaximum = 32,
             .scale = SliderScale::log2,
             .ticks = {1, 2, 4, 8, 16, 32},
             .help = "Patches in a row of the image: token i of a 2-D grid stands in row i / columns.",
             .source = "image_grid_thw of Qwen2-VL, after merging",
             .applies = usesGrid},
            [](auto& scene) -> auto& { return scene.rope.gridColumns; }),
    };
}

std::vector<Parameter> pickerRows() {
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
             .applies = usesRotation},
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
    };
}

std::vector<Parameter> rotaryRows() {
    return {
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
             .applies = usesRotation,
             .advanced = true},
            [](auto& scene) -> auto& { return scene.rope.dim; }),
        bound(
            {.id = "rope.partial",
             .label = "Rotating share",
             .group = "Rotary",
             .hardMaximum = 1,
             .minimumExcluded = true,
             .help = "Share of the head's channels that rotate, where the rotary width is not set.",
             .source = "partial_rotary_factor of Hugging Face, rotary_pct of GPT-NeoX",
             .applies = usesRotation,
             .advanced = true},
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

}  // namespace

std::vector<Parameter> encodingRows() {
    std::vector<Parameter> rows = pickerRows();
    for (std::vector<Parameter> more : {learnedRows(), relativeRows(), rotaryRows(), axesRows()}) {
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

}  // namespace phaseladder
