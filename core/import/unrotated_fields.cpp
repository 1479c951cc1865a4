#include "core/import/unrotated_fields.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "core/number_text.h"

namespace phaseladder {
namespace {

/// Where a family's table begins. Source: huggingface/transformers 4.57.1, models/*/modeling_*.py.
struct TableStart {
    std::string_view modelType;
    bool fromPadding = false;  ///< the first used row is pad_token_id + 1; the rows are counted in the length
    int added = 0;             ///< rows before the first used one, which the table has besides the length
};
constexpr auto tableStarts = std::to_array<TableStart>({
    {"bart", false, 2},
    {"camembert", true, 0},
    {"longformer", true, 0},
    {"mbart", false, 2},
    {"opt", false, 2},
    {"roberta", true, 0},
    {"xlm-roberta", true, 0},
    {"xlm-roberta-xl", true, 0},
});

/// Families whose sinusoids are laid out as fairseq's: halves, exponents k/(d/2 - 1), first position
/// pad_token_id + 1. Marian and Pegasus have halves and the paper's exponents.
constexpr auto fairseqFamilies = std::to_array<std::string_view>({"fsmt", "m2m_100", "xglm"});

constexpr double usualPadding = 1.0;  // pad_token_id of RoBERTa and its kin

/// The length that the file states becomes the trained and the target length.
std::optional<ConfigField<double>> readLength(const ConfigFields& file, ConfigDraft& draft) {
    const auto length = file.wholeNumber(
        {"n_positions", "max_position_embeddings", "n_ctx", "max_seq_len", "seq_length", "model_max_length"});
    if (length) {
        draft.set("length.trained", "trained_length", *length);
        draft.config.scene.length.target = draft.config.scene.length.trained;
    } else {
        draft.config.defaulted.emplace_back("trained_length");
    }
    return length;
}

void readTable(const ConfigFields& file, const ConfigField<double>& length, ConfigDraft& draft) {
    const auto* start = std::ranges::find(tableStarts, draft.config.modelType, &TableStart::modelType);
    double rows = length.value;
    double offset = 0.0;
    if (start != tableStarts.end()) {
        const auto padding = file.wholeNumber({"pad_token_id", "padding_idx"});
        offset = start->fromPadding ? (padding ? padding->value : usualPadding) + 1.0 : start->added;
        rows += start->added;
    }
    draft.set("learned.rows", "rows", {rows, length.path});
    draft.set("learned.offset", "offset",
              {offset, offset > 0.0 ? "pad_token_id + 1, or the family's" : "none"});
    if (draft.problem) {
        return;  // numbers beyond all limits are no lengths
    }
    draft.config.scene.length.trained = static_cast<std::int64_t>(std::max(rows - offset, 1.0));
    draft.config.scene.length.target = draft.config.scene.length.trained;
    draft.config.notes.push_back(
        fmt::format("A config.json holds no table: a seeded one of {} rows, as wide as a head, "
                    "stands in. Open the model's own from a .npy or .safetensors file.",
                    formatNumber(rows)));
}

void readSinusoids(ConfigDraft& draft) {
    const bool isFairseq =
        std::ranges::find(fairseqFamilies, draft.config.modelType) != fairseqFamilies.end();
    SinusoidalSettings& settings = draft.config.scene.sinusoidal;
    settings.layout = SinusoidalLayout::halves;
    settings.spacing = isFairseq ? SinusoidalSpacing::tensor2tensor : SinusoidalSpacing::paper;
    if (isFairseq) {
        draft.config.notes.emplace_back(
            "This family's first position is pad_token_id + 1; positions are counted from 0 here.");
    }
}

void readSlopes(const ConfigFields& file, ConfigDraft& draft) {
    if (const auto largest = file.number({"alibi_bias_max"}); largest && largest->value != 8.0) {
        draft.config.warnings.push_back(
            fmt::format("{} is {}; slopes for 8 are drawn.", largest->path, formatNumber(largest->value)));
    }
    if (draft.config.modelType == "falcon") {
        draft.config.notes.emplace_back(
            "Falcon adds the bias before it divides by √d, and rounds slopes to bf16; that is not drawn.");
    }
}

void readBuckets(const ConfigFields& file, ConfigDraft& draft) {
    if (const auto buckets = file.wholeNumber({"relative_attention_num_buckets"})) {
        draft.set("t5.buckets", "buckets", *buckets);
    } else {
        draft.config.defaulted.emplace_back("buckets");
    }
    if (const auto distance = file.wholeNumber({"relative_attention_max_distance"})) {
        draft.set("t5.max_distance", "max_distance", *distance);
    } else {
        draft.config.defaulted.emplace_back("max_distance");
    }
}

}  // namespace

void readUnrotated(const ConfigFields& file, ConfigDraft& draft) {
    const std::string& encoding = draft.config.scene.encoding;
    if (draft.problem) {
        return;
    }
    const auto length = readLength(file, draft);
    if (encoding == "learned") {
        if (length) {
            readTable(file, *length, draft);
        }
    } else if (encoding == "sinusoidal") {
        readSinusoids(draft);
    } else if (encoding == "alibi") {
        readSlopes(file, draft);
    } else if (encoding == "t5") {
        readBuckets(file, draft);
    } else if (encoding == "transformer_xl") {
        if (const auto clamp = file.wholeNumber({"clamp_len"}); clamp && clamp->value > 0.0) {
            draft.set("transformer_xl.clamp", "clamp", *clamp);
        }
    }
}

}  // namespace phaseladder
