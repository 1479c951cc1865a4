#include <fmt/format.h>

#include "core/attention/permutations.h"
#include "core/encodings/relative_bias.h"
#include "core/parameter_rows.h"

namespace phaseladder {
namespace {

constexpr double longestText = 16777216.0;     // 2^24
constexpr double lastPosition = 2147483647.0;  // 2^31 - 1
constexpr double lastToken = 1048575.0;        // of the longest token list
constexpr double lastSeed = 4294967295.0;      // 2^32 - 1

/// Captured heads bring their own number, width and layer.
bool isOfWords(const Scene& scene) {
    return !hasCapture(scene);
}

std::string turnedHands(const Scene& scene) {
    const std::size_t hands = scene.content.size() / 6;
    return hands == 0 ? "seeded" : fmt::format("{} hand{} turned", hands, hands == 1 ? "" : "s");
}

/// A drawn table of biases follows the number of heads.
Parameter headsRow() {
    Parameter row = bound(
        {.id = "heads",
         .label = "Heads",
         .group = "Attention",
         .kind = ParameterKind::integer,
         .hardMinimum = 1,
         .hardMaximum = 1024,
         .sliderMinimum = 1,
         .sliderMaximum = 128,
         .scale = SliderScale::log2,
         .ticks = {1, 4, 16, 32, 128},
         .help = "Attention heads, each with its own seeded W_q, W_k and W_v.",
         .source = "Attention Is All You Need, section 3.2.2",
         .applies = isOfWords},
        [](auto& scene) -> auto& { return scene.heads; });
    row.set = [](Scene& scene, const ParameterValue& value) {
        scene.heads = static_cast<int>(std::get<double>(value));
        if (!scene.relativeBias.shared) {
            scene.relativeBias.values =
                tablesForHeads(scene.relativeBias.values, scene.relativeBias.clip, scene.heads);
        }
    };
    return row;
}

std::vector<Parameter> headRows() {
    Parameter heads = headsRow();
    return {
        bound(
            {.id = "causal",
             .label = "Causal mask",
             .group = "Attention",
             .kind = ParameterKind::toggle,
             .help = "A token attends to itself and to earlier ones only.",
             .source = "Attention Is All You Need, section 3.1",
             .applies = always},
            [](auto& scene) -> auto& { return scene.causal; }),
        bound(
            {.id = "layers",
             .label = "Layers",
             .group = "Attention",
             .kind = ParameterKind::integer,
             .hardMinimum = 1,
             .hardMaximum = 4,
             .sliderMinimum = 1,
             .sliderMaximum = 4,
             .scale = SliderScale::linear,
             .ticks = {1, 2, 3, 4},
             .help = "Attention layers with a residual path and no MLP; the last one is shown.",
             .source = "Attention Is All You Need, section 3.1",
             .applies = isOfWords},
            [](auto& scene) -> auto& { return scene.layers; }),
        std::move(heads),
        bound(
            {.id = "head",
             .label = "Head",
             .group = "Attention",
             .kind = ParameterKind::integer,
             .hardMaximum = 1023,
             .help = "The head that is shown, from 0.",
             .source = "Attention Is All You Need, section 3.2.2",
             .applies = [](const Scene& scene) { return scene.heads > 1; }},
            [](auto& scene) -> auto& { return scene.head; }),
        bound(
            {.id = "head_dim",
             .label = "Head width",
             .unit = "channels",
             .group = "Attention",
             .kind = ParameterKind::integer,
             .hardMinimum = 2,
             .hardMaximum = 1024,
             .evenOnly = true,
             .sliderMinimum = 8,
             .sliderMaximum = 512,
             .scale = SliderScale::log2,
             .ticks = {8, 16, 32, 64, 128, 256, 512},
             .help = "Channels d of one head, and of a token's vector; RoPE turns d/2 pairs.",
             .source = "head_dim of Hugging Face, else hidden_size / num_attention_heads",
             .applies = isOfWords},
            [](auto& scene) -> auto& { return scene.headDim; }),
        bound(
            {.id = "content",
             .label = "Turned hands",
             .group = "Attention",
             .kind = ParameterKind::numberList,
             .hardMinimum = -1e6,
             .hardMaximum = 1e6,
             .help = "Head, token, side (0 query, 1 key), pair, x, y for each hand that was turned in the "
                     "figure clocks. Empty: seeded.",
             .source = "replaces two channels of q or k",
             .summary = turnedHands,
             .applies = always,
             .advanced = true},
            [](auto& scene) -> auto& { return scene.content; }),
    };
}

/// The identity is written as no order at all, so that equal scenes compare equal.
void dropIdentity(Scene& scene) {
    if (scene.order.size() == scene.tokens.size() && isIdentityOrder(scene.order)) {
        scene.order.clear();
    }
}

std::vector<Parameter> textRows() {
    return {
        {.id = "tokens",
         .label = "Tokens",
         .group = "Text",
         .kind = ParameterKind::tokens,
         .help = "The text, split at white space, or a JSON list of tokens; another count resets the order.",
         .source = "the same word gets the same vector",
         .applies = always,
         .get = [](const Scene& scene) -> ParameterValue { return scene.tokens; },
         .set =
             [](Scene& scene, const ParameterValue& value) {
                 scene.tokens = std::get<SharedList<std::string>>(value);
                 if (scene.order.size() != scene.tokens.size()) {
                     scene.order.clear();
                 }
                 dropIdentity(scene);
             }},
        {.id = "order",
         .label = "Order",
         .group = "Text",
         .kind = ParameterKind::order,
         .help = "Position i holds token order[i]; empty is the text's own order.",
         .source = "a permutation of 0 .. tokens - 1",
         .applies = always,
         .get = [](const Scene& scene) -> ParameterValue { return scene.order; },
         .set =
             [](Scene& scene, const ParameterValue& value) {
                 scene.order = std::get<SharedList<int>>(value);
                 dropIdentity(scene);
             }},
        bound(
            {.id = "text.length",
             .label = "Text length",
             .unit = "tokens",
             .group = "Text",
             .kind = ParameterKind::integer,
             .hardMaximum = longestText,
             .zeroText = "token count",
             .help = "Tokens in the text; above the token count the ordered tokens repeat.",
             .source = "Phaseladder",
             .applies = always},
            [](auto& scene) -> auto& { return scene.textLength; }),
        bound(
            {.id = "seed",
             .label = "Seed",
             .group = "Text",
             .kind = ParameterKind::integer,
             .hardMaximum = lastSeed,
             .help =
                 "Of the token vectors and of W_q, W_k and W_v: the same seed, the same numbers everywhere.",
             .source = "SplitMix64",
             .applies = always},
            [](auto& scene) -> auto& { return scene.seed; }),
    };
}

bool showsWeights(const Scene& scene) {
    return scene.view.values == ViewValues::weights;
}

std::vector<Parameter> viewRows() {
    return {
        boundChoice<ViewBy>(
            {.id = "view.by",
             .label = "Map by",
             .group = "View",
             .help = "Rows and columns are positions, or tokens in their first order (PᵀAP).",
             .source = "Phaseladder",
             .applies = always},
            {{ViewBy::position, "position", "Position"}, {ViewBy::token, "token", "Token"}},
            [](auto& scene) -> auto& { return scene.view.by; }),
        boundChoice<ViewValues>(
            {.id = "view.values",
             .label = "Map shows",
             .group = "View",
             .help = "Attention weights after the softmax, or logits before it.",
             .source = "Phaseladder",
             .applies = always},
            {{ViewValues::weights, "weights", "Weights"}, {ViewValues::logits, "logits", "Logits"}},
            [](auto& scene) -> auto& { return scene.view.values; }),
        boundChoice<ColorScale>(
            {.id = "view.color",
             .label = "Map colours",
             .group = "View",
             .help = "Colours of the weights in equal steps, or in equal ratios from a floor up.",
             .source = "Phaseladder",
             .applies = showsWeights},
            {{ColorScale::linear, "linear", "Linear"}, {ColorScale::log, "log", "Log"}},
            [](auto& scene) -> auto& { return scene.view.color; }),
        bound(
            {.id = "view.floor",
             .label = "Colour floor",
             .group = "View",
             .kind = ParameterKind::number,
             .hardMinimum = 1e-12,
             .hardMaximum = 0.1,
             .sliderMinimum = 1e-12,
             .sliderMaximum = 0.1,
             .scale = SliderScale::log10,
             .ticks = {1e-12, 1e-9, 1e-6, 1e-3},
             .help = "Lowest weight that log colours tell apart; all below it have the lowest colour.",
             .source = "Phaseladder",
             .applies =
                 [](const Scene& scene) {
                     return showsWeights(scene) && scene.view.color == ColorScale::log;
                 }},
            [](auto& scene) -> auto& { return scene.view.floor; }),
        boundChoice<SinkColors>(
            {.id = "view.sink",
             .label = "First key",
             .group = "View",
             .help = "Whether the first key, where attention often gathers, counts for the colour range.",
             .source = "Xiao et al., Efficient Streaming Language Models with Attention Sinks",
             .applies = always},
            {{SinkColors::included, "included", "In the range"},
             {SinkColors::excluded, "excluded", "Left out"}},
            [](auto& scene) -> auto& { return scene.view.sink; }),
        bound(
            {.id = "view.positions",
             .label = "Positions shown",
             .unit = "tokens",
             .group = "View",
             .kind = ParameterKind::integer,
             .hardMinimum = 1,
             .hardMaximum = 1048576,
             .sliderMinimum = 64,
             .sliderMaximum = 8192,
             .scale = SliderScale::log2,
             .ticks = {64, 256, 1024, 4096},
             .help = "How many positions the phases and the encoding figure show.",
             .source = "Phaseladder",
             .applies = always},
            [](auto& scene) -> auto& { return scene.view.positions; }),
        bound(
            {.id = "view.start",
             .label = "First position",
             .unit = "tokens",
             .group = "View",
             .kind = ParameterKind::integer,
             .hardMaximum = lastPosition,
             .help = "The first of the positions shown.",
             .source = "Phaseladder",
             .applies = always,
             .advanced = true},
            [](auto& scene) -> auto& { return scene.view.start; }),
        bound(
            {.id = "view.token",
             .label = "Query token",
             .group = "View",
             .kind = ParameterKind::integer,
             .control = ParameterControl::token,
             .hardMaximum = lastToken,
             .help = "Token whose query and hidden state are looked at, from 0 in the text's own order.",
             .source = "Phaseladder",
             .applies = always},
            [](auto& scene) -> auto& { return scene.view.token; }),
        bound(
            {.id = "view.key",
             .label = "Key token",
             .group = "View",
             .kind = ParameterKind::integer,
             .control = ParameterControl::token,
             .hardMaximum = lastToken,
             .help = "Token whose key is looked at, from 0 in the text's own order.",
             .source = "Phaseladder",
             .applies = always},
            [](auto& scene) -> auto& { return scene.view.key; }),
        bound(
            {.id = "view.heads",
             .label = "Mean of heads",
             .group = "View",
             .kind = ParameterKind::numberList,
             .hardMaximum = 1023,
             .zeroText = "shown head",
             .help = "Heads whose weights (or logits) the figure attention shows as one map, their mean: "
                     "0,3,7 or 0..31. Empty: the head that is shown.",
             .source = "Phaseladder",
             .applies = [](const Scene& scene) { return scene.heads > 1; }},
            [](auto& scene) -> auto& { return scene.view.heads; }),
        bound(
            {.id = "view.pair",
             .label = "Pair",
             .group = "View",
             .kind = ParameterKind::integer,
             .hardMaximum = 511,
             .help = "Frequency pair that is looked at, from 0, the fastest.",
             .source = "Phaseladder",
             .applies = always,
             .advanced = true},
            [](auto& scene) -> auto& { return scene.view.pair; }),
        bound(
            {.id = "view.position",
             .label = "Clocks at",
             .unit = "tokens",
             .group = "View",
             .kind = ParameterKind::integer,
             .hardMaximum = lastPosition,
             .sliderMinimum = 1,
             .sliderMaximum = 131072,
             .scale = SliderScale::log2,
             .ticks = {1, 64, 4096, 131072},
             .help = "Position at which the figure clocks shows the hand of each pair.",
             .source = "Phaseladder",
             .applies = always,
             .advanced = true},
            [](auto& scene) -> auto& { return scene.view.position; }),
        bound(
            {.id = "view.shift",
             .label = "Shift",
             .unit = "tokens",
             .group = "View",
             .kind = ParameterKind::integer,
             .hardMaximum = 1048576,
             .sliderMinimum = 1,
             .sliderMaximum = 1024,
             .scale = SliderScale::log2,
             .ticks = {1, 4, 16, 64, 256, 1024},
             .help = "Tokens by which the figures translation and shift move the positions.",
             .source = "Phaseladder",
             .applies = always,
             .advanced = true},
            [](auto& scene) -> auto& { return scene.view.shift; }),
        boundChoice<DecayContent>(
            {.id = "view.decay_content",
             .label = "Decay of",
             .group = "View",
             .help = "Queries and keys of the figure decay: all ones, Gaussian, or the chosen tokens of the "
                     "scene.",
             .source = "RoFormer, section 3.4.3",
             .applies = always,
             .advanced = true},
            {{DecayContent::ones, "ones", "All ones"},
             {DecayContent::gaussian, "gaussian", "Gaussian"},
             {DecayContent::scene, "scene", "Scene"}},
            [](auto& scene) -> auto& { return scene.view.decayContent; }),
    };
}

std::vector<Parameter> modelRows() {
    return {
        bound(
            {.id = "layer_type",
             .label = "Layer type",
             .group = "Model",
             .kind = ParameterKind::text,
             .control = ParameterControl::none,
             .help = "Which layers' settings are taken from a model whose layers differ.",
             .source = "layer_types of Hugging Face",
             .applies = always},
            [](auto& scene) -> auto& { return scene.layerType; }),
        bound(
            {.id = "model",
             .label = "Model",
             .group = "Model",
             .kind = ParameterKind::text,
             .control = ParameterControl::none,
             .help = "Name of the model that the settings came from.",
             .source = "Phaseladder",
             .applies = always},
            [](auto& scene) -> auto& { return scene.model; }),
    };
}

}  // namespace

std::vector<Parameter> attentionRows() {
    std::vector<Parameter> rows = headRows();
    for (std::vector<Parameter> more : {textRows(), viewRows(), modelRows()}) {
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

}  // namespace phaseladder
