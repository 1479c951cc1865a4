#include <fmt/format.h>

#include "core/encodings/relative_bias.h"
#include "core/parameter_rows.h"

namespace phaseladder {
namespace {

constexpr double largestClip = 1024.0;
constexpr double largestBias = 1e4;

template <const char* id>
bool usesEncoding(const Scene& scene) {
    return scene.encoding == id;
}

constexpr char relativeBias[] = "relative_bias";
constexpr char shaw[] = "shaw";
constexpr char t5[] = "t5";
constexpr char alibi[] = "alibi";
constexpr char transformerXl[] = "transformer_xl";
constexpr char xpos[] = "xpos";

Parameter clipRow(std::string id, std::string help, std::string source) {
    return {.id = std::move(id),
            .label = "Clip K",
            .unit = "tokens",
            .group = "Encoding",
            .kind = ParameterKind::integer,
            .hardMinimum = 1,
            .hardMaximum = largestClip,
            .sliderMinimum = 1,
            .sliderMaximum = 64,
            .scale = SliderScale::log2,
            .ticks = {1, 2, 4, 8, 16, 32, 64},
            .help = std::move(help),
            .source = std::move(source)};
}

std::string drawnNumbers(const Scene& scene) {
    const std::size_t count = scene.relativeBias.values.size();
    return count == 0 ? "seeded" : fmt::format("drawn: {} number{}", count, count == 1 ? "" : "s");
}

/// A drawn table follows the number of tables.
void fitTables(Scene& scene) {
    scene.relativeBias.values = tablesForHeads(scene.relativeBias.values, scene.relativeBias.clip,
                                               scene.relativeBias.shared ? 1 : scene.heads);
}

std::vector<Parameter> biasTableRows() {
    // A drawn table keeps its middle when K changes.
    Parameter clip = clipRow("relative_bias.clip", "Offsets beyond ±K share the entry of ±K.",
                             "Shaw et al. 2018, eq. 3; the clipped table of the article");
    clip.applies = usesEncoding<relativeBias>;
    clip.get = [](const Scene& scene) -> ParameterValue {
        return static_cast<double>(scene.relativeBias.clip);
    };
    clip.set = [](Scene& scene, const ParameterValue& value) {
        const int before = scene.relativeBias.clip;
        scene.relativeBias.clip = static_cast<int>(std::get<double>(value));
        scene.relativeBias.values =
            reclippedTable(scene.relativeBias.values, before, scene.relativeBias.clip);
    };
    Parameter shared = bound(
        {.id = "relative_bias.shared",
         .label = "One table for all heads",
         .group = "Encoding",
         .kind = ParameterKind::toggle,
         .help = "All heads share one table, or each has its own.",
         .source = "T5 and Swin have one a head; both are in use",
         .applies = usesEncoding<relativeBias>},
        [](auto& scene) -> auto& { return scene.relativeBias.shared; });
    shared.set = [](Scene& scene, const ParameterValue& value) {
        scene.relativeBias.shared = std::get<bool>(value);
        fitTables(scene);
    };
    return {
        std::move(clip),
        std::move(shared),
        bound(
            {.id = "relative_bias.values",
             .label = "Table",
             .group = "Encoding",
             .kind = ParameterKind::numberList,
             .hardMinimum = -largestBias,
             .hardMaximum = largestBias,
             .help = "b of i - j from -K to K, head after head (once where shared); draw it in the figure "
                     "relative-bias. Empty: seeded.",
             .source = "q·k + b(i - j)",
             .summary = drawnNumbers,
             .applies = usesEncoding<relativeBias>},
            [](auto& scene) -> auto& { return scene.relativeBias.values; }),
    };
}

std::vector<Parameter> shawRows() {
    Parameter clip = clipRow("shaw.clip", "Offsets beyond ±K share the key vector of ±K.",
                             "Shaw et al. 2018, eq. 3; max_relative_position of tensor2tensor");
    clip.applies = usesEncoding<shaw>;
    return {
        bound(
            std::move(clip), [](auto& scene) -> auto& { return scene.shaw.clip; }),
        bound(
            {.id = "shaw.value_vectors",
             .label = "Vectors on values too",
             .group = "Encoding",
             .kind = ParameterKind::toggle,
             .help = "A second table is added to the values that a query sums up.",
             .source = "Shaw et al. 2018, eq. 3; tensor2tensor",
             .applies = usesEncoding<shaw>},
            [](auto& scene) -> auto& { return scene.shaw.valueVectors; }),
    };
}

std::vector<Parameter> t5Rows() {
    return {
        bound(
            {.id = "t5.buckets",
             .label = "Buckets",
             .group = "Encoding",
             .kind = ParameterKind::integer,
             .hardMinimum = 2,
             .hardMaximum = 1024,
             .evenOnly = true,
             .sliderMinimum = 4,
             .sliderMaximum = 128,
             .scale = SliderScale::log2,
             .ticks = {4, 8, 16, 32, 64, 128},
             .help =
                 "Distances share this many biases: near ones have their own, far ones share by logarithm.",
             .source = "relative_attention_num_buckets of T5",
             .applies = usesEncoding<t5>},
            [](auto& scene) -> auto& { return scene.t5.buckets; }),
        bound(
            {.id = "t5.max_distance",
             .label = "Largest distance",
             .unit = "tokens",
             .group = "Encoding",
             .kind = ParameterKind::integer,
             .hardMinimum = 2,
             .hardMaximum = 1048576,
             .sliderMinimum = 8,
             .sliderMaximum = 4096,
             .scale = SliderScale::log2,
             .ticks = {8, 32, 128, 512, 4096},
             .help = "From about this distance on all tokens share the last bucket.",
             .source = "relative_attention_max_distance of T5",
             .applies = usesEncoding<t5>},
            [](auto& scene) -> auto& { return scene.t5.maximumDistance; }),
        boundChoice<T5Direction>(
            {.id = "t5.direction",
             .label = "Directions",
             .group = "Encoding",
             .help = "Buckets for past and future (the encoder), for the past only (the decoder), or as the "
                     "mask asks.",
             .source = "relative_position_bucket of Hugging Face's T5",
             .applies = usesEncoding<t5>},
            {{T5Direction::by_mask, "by_mask", "As the mask"},
             {T5Direction::bidirectional, "bidirectional", "Both"},
             {T5Direction::causal, "causal", "Past"}},
            [](auto& scene) -> auto& { return scene.t5.direction; }),
    };
}

std::vector<Parameter> decayRows() {
    return {
        boundChoice<AlibiSlopes>(
            {.id = "alibi.slopes",
             .label = "Slopes",
             .group = "Encoding",
             .help = "Where the number of heads is no power of two: the rule of every code, or the paper's "
                     "ratio 2^(-8/n).",
             .source = "attention_with_linear_biases; Press et al. 2022, section 3",
             .applies = usesEncoding<alibi>},
            {{AlibiSlopes::common, "common", "Common rule"}, {AlibiSlopes::paper, "paper", "Paper's ratio"}},
            [](auto& scene) -> auto& { return scene.alibiSlopes; }),
        bound(
            {.id = "transformer_xl.clamp",
             .label = "Clamp distance",
             .unit = "tokens",
             .group = "Encoding",
             .kind = ParameterKind::integer,
             .hardMaximum = 1048576,
             .zeroText = "off",
             .help = "Distances above it count as it.",
             .source = "clamp_len of Transformer-XL",
             .applies = usesEncoding<transformerXl>},
            [](auto& scene) -> auto& { return scene.transformerXlClamp; }),
        bound(
            {.id = "xpos.scale_base",
             .label = "Growth base",
             .unit = "tokens",
             .group = "Encoding",
             .hardMaximum = 1e9,
             .minimumExcluded = true,
             .sliderMinimum = 32,
             .sliderMaximum = 8192,
             .scale = SliderScale::log2,
             .ticks = {32, 128, 512, 2048, 8192},
             .help = "B of the growth ζ^((i - j)/B): a smaller base forgets faster.",
             .source = "Sun et al. 2022; scale_base of torchscale",
             .applies = usesEncoding<xpos>},
            [](auto& scene) -> auto& { return scene.xpos.scaleBase; }),
        boundChoice<XposCentre>(
            {.id = "xpos.centre",
             .label = "Centre",
             .group = "Encoding",
             .help = "The position without growth: it cancels in every logit, and keeps the numbers small.",
             .source = "torchscale; flash_attn/layers/rotary.py",
             .applies = usesEncoding<xpos>},
            {{XposCentre::flash_attention, "flash_attention", "p - n/2 (flash-attention)"},
             {XposCentre::torchscale, "torchscale", "p - ceil(n/2) (torchscale)"},
             {XposCentre::none, "none", "None"}},
            [](auto& scene) -> auto& { return scene.xpos.centre; }),
    };
}

}  // namespace

std::vector<Parameter> relativeRows() {
    std::vector<Parameter> rows = biasTableRows();
    for (std::vector<Parameter> more : {shawRows(), t5Rows(), decayRows()}) {
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

}  // namespace phaseladder
