#include "core/parameter_rows.h"

namespace phaseladder {
namespace {

constexpr double lastPosition = 1048575.0;  // of the longest attention map

bool isTurned(const Scene& scene) {
    return hasCapture(scene) && scene.capture.rotation == CaptureRotation::after;
}

Parameter fileRow(std::string id, std::string label, std::string zeroText, std::string help) {
    return {.id = std::move(id),
            .label = std::move(label),
            .group = "Real heads",
            .kind = ParameterKind::text,
            .control = ParameterControl::file,
            .zeroText = std::move(zeroText),
            .extensions = {"safetensors", "npy"},
            .help = std::move(help),
            .source = "resources/capture_qk.py",
            .applies = hasCapture,
            .advanced = true};
}

Parameter tensorRow(std::string id, std::string label, std::string help) {
    return {.id = std::move(id),
            .label = std::move(label),
            .group = "Real heads",
            .kind = ParameterKind::text,
            .zeroText = "the one that looks like it",
            .help = std::move(help),
            .source = "safetensors",
            .applies = hasCapture,
            .advanced = true};
}

std::vector<Parameter> sourceRows() {
    Parameter queries = fileRow("capture.queries", "Queries", "seeded words",
                                "A .safetensors or .npy file with the queries of a layer: heads × tokens × "
                                "channels; empty: seeded words.");
    queries.advanced = false;
    return {
        bound(
            std::move(queries), [](auto& scene) -> auto& { return scene.capture.queries; }),
        bound(
            fileRow("capture.keys", "Keys", "the same file",
                    "The file with the keys; empty: that of the queries."),
            [](auto& scene) -> auto& { return scene.capture.keys; }),
        bound(
            fileRow("capture.values", "Values", "the same file",
                    "The file with the values; empty: that of the queries, where it has some."),
            [](auto& scene) -> auto& { return scene.capture.values; }),
        bound(
            tensorRow("capture.query_tensor", "Query tensor",
                      "Name of the queries in a .safetensors file; empty: q, query, q_proj or the like."),
            [](auto& scene) -> auto& { return scene.capture.queryTensor; }),
        bound(
            tensorRow("capture.key_tensor", "Key tensor",
                      "Name of the keys in a .safetensors file; empty: k, key, k_proj or the like."),
            [](auto& scene) -> auto& { return scene.capture.keyTensor; }),
        bound(
            tensorRow("capture.value_tensor", "Value tensor",
                      "Name of the values in a .safetensors file; empty: v, value, v_proj or the like."),
            [](auto& scene) -> auto& { return scene.capture.valueTensor; }),
        boundChoice<CaptureAxes>(
            {.id = "capture.axes",
             .label = "Dimensions",
             .group = "Real heads",
             .help = "What the three dimensions of the arrays are, where their sizes do not tell.",
             .source = "Phaseladder",
             .applies = hasCapture,
             .advanced = true},
            {{CaptureAxes::by_shape, "by_shape", "By shape"},
             {CaptureAxes::heads_tokens_dim, "heads_tokens_dim", "Heads × tokens × channels"},
             {CaptureAxes::tokens_heads_dim, "tokens_heads_dim", "Tokens × heads × channels"}},
            [](auto& scene) -> auto& { return scene.capture.axes; }),
    };
}

std::vector<Parameter> rotationRows() {
    return {
        boundChoice<CaptureRotation>(
            {.id = "capture.rotation",
             .label = "Taken",
             .group = "Real heads",
             .help = "Whether the file's queries and keys are those before RoPE, or after it; then they are "
                     "turned back.",
             .source = "RoFormer, eq. 34",
             .applies = hasCapture},
            {{CaptureRotation::before, "before", "Before RoPE"},
             {CaptureRotation::after, "after", "After RoPE"}},
            [](auto& scene) -> auto& { return scene.capture.rotation; }),
        bound(
            {.id = "capture.theta",
             .label = "Turned by theta",
             .group = "Real heads",
             .hardMinimum = 0.0,
             .hardMaximum = 1e15,
             .minimumExcluded = true,
             .help = "Theta base of the plain ladder that turned the file's queries and keys.",
             .source = "rope_theta of Hugging Face",
             .applies = [](const Scene& scene) { return isTurned(scene) && scene.capture.config.empty(); }},
            [](auto& scene) -> auto& { return scene.capture.theta; }),
        bound(
            {.id = "capture.config",
             .label = "Turned by config",
             .group = "Real heads",
             .kind = ParameterKind::text,
             .control = ParameterControl::file,
             .zeroText = "the plain ladder",
             .extensions = {"json"},
             .help = "The model's config.json, whose ladder, scaling and layout turned the file's queries "
                     "and keys; empty: theta alone.",
             .source = "config.json of Hugging Face",
             .applies = isTurned},
            [](auto& scene) -> auto& { return scene.capture.config; }),
        boundChoice<CaptureLayout>(
            {.id = "capture.layout",
             .label = "Turned pairs",
             .group = "Real heads",
             .help =
                 "Which channels of the file RoPE had turned together; without a config half-split, as in "
                 "Hugging Face's models.",
             .source = "modeling_llama.py (half), modeling_gptj.py (interleaved)",
             .applies = isTurned},
            {{CaptureLayout::by_config, "by_config", "As the config says"},
             {CaptureLayout::half, "half", "Half-split"},
             {CaptureLayout::interleaved, "interleaved", "Interleaved"}},
            [](auto& scene) -> auto& { return scene.capture.layout; }),
    };
}

std::vector<Parameter> placeRows() {
    return {
        bound(
            {.id = "capture.row_offset",
             .label = "First query at",
             .unit = "tokens",
             .group = "Real heads",
             .kind = ParameterKind::integer,
             .hardMaximum = lastPosition,
             .help = "Position of the first query: row i of the map is token i + this.",
             .source = "Phaseladder",
             .applies = hasCapture,
             .advanced = true},
            [](auto& scene) -> auto& { return scene.capture.rowOffset; }),
        bound(
            {.id = "capture.column_offset",
             .label = "First key at",
             .unit = "tokens",
             .group = "Real heads",
             .kind = ParameterKind::integer,
             .hardMaximum = lastPosition,
             .help = "Position of the first key: column j of the map is token j + this.",
             .source = "Phaseladder",
             .applies = hasCapture,
             .advanced = true},
            [](auto& scene) -> auto& { return scene.capture.columnOffset; }),
        bound(
            {.id = "capture.labels",
             .label = "Tokens",
             .group = "Real heads",
             .kind = ParameterKind::text,
             .control = ParameterControl::file,
             .zeroText = "position numbers",
             .extensions = {"json", "txt"},
             .help = "A JSON list or a text with one token for each position from 0; empty: the positions' "
                     "numbers.",
             .source = "resources/capture_qk.py",
             .applies = hasCapture},
            [](auto& scene) -> auto& { return scene.capture.labels; }),
    };
}

}  // namespace

std::vector<Parameter> captureRows() {
    std::vector<Parameter> rows = sourceRows();
    for (std::vector<Parameter> more : {rotationRows(), placeRows()}) {
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

}  // namespace phaseladder
