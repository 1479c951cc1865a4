#include "core/import/model_family.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace phaseladder {

namespace {

constexpr RopeLayout half = RopeLayout::half;
constexpr RopeLayout interleaved = RopeLayout::interleaved;

// Defaults of the configuration classes of huggingface/transformers (c9de1097); qwen, chatglm, phi-msft,
// baichuan and minicpm3 from the code that ships with their weights. Columns: model_type, layout, theta,
// theta of sliding layers, partial, rotary_dim, head_dim, max_position_embeddings.
constexpr auto families = std::to_array<ModelFamily>({
    {"apertus", half, 1.2e7, 0, 1, 0, 0, 65536},
    {"baichuan", half, 1e4, 0, 1, 0, 0, 4096},
    {"blt", interleaved, 5e5, 0, 1, 0, 0, 0},
    {"chatglm", interleaved, 1e4, 0, 0.5, 0, 0, 0},
    {"codegen", interleaved, 1e4, 0, 1, 64, 0, 2048},
    {"cohere", interleaved, 5e5, 0, 1, 0, 0, 8192},
    {"cohere2", interleaved, 5e5, 0, 1, 0, 0, 8192},
    {"deepseek_v2", interleaved, 1e4, 0, 1, 0, 64, 2048},
    {"deepseek_v3", interleaved, 1e4, 0, 1, 0, 64, 4096},
    {"deepseek_v32", interleaved, 1e4, 0, 1, 0, 64, 0},
    {"deepseek_v4", interleaved, 1e4, 0, 1, 0, 0, 0},
    {"ernie4_5", interleaved, 5e5, 0, 1, 0, 0, 131072},
    {"ernie4_5_moe", interleaved, 5e5, 0, 1, 0, 0, 131072},
    {"falcon", half, 1e4, 0, 1, 0, 0, 2048},
    {"gemma", half, 1e4, 0, 1, 0, 256, 8192},
    {"gemma2", half, 1e4, 0, 1, 0, 256, 8192},
    {"gemma3", half, 1e6, 1e4, 1, 0, 256, 131072, true},
    {"gemma3_text", half, 1e6, 1e4, 1, 0, 256, 131072, true},
    {"gemma3n", half, 1e6, 1e4, 1, 0, 256, 32768},
    {"gemma3n_text", half, 1e6, 1e4, 1, 0, 256, 32768},
    {"gemma4", half, 1e6, 1e4, 1, 0, 256, 131072},
    {"gemma4_text", half, 1e6, 1e4, 1, 0, 256, 131072},
    {"glm", interleaved, 1e4, 0, 0.5, 0, 128, 131072},
    {"glm4", interleaved, 1e4, 0, 0.5, 0, 128, 131072},
    {"glm4_moe", half, 1e4, 0, 0.5, 0, 128, 131072},
    {"glm4v", interleaved, 1e4, 0, 0.5, 0, 0, 32768},
    {"glm4v_text", interleaved, 1e4, 0, 0.5, 0, 0, 32768},
    {"glm_ocr", interleaved, 1e4, 0, 0.5, 0, 0, 0},
    {"glm_ocr_text", interleaved, 1e4, 0, 0.5, 0, 0, 0},
    {"gpt_neox", half, 1e4, 0, 0.25, 0, 0, 2048},
    {"gpt_oss", half, 1.5e5, 0, 1, 0, 64, 131072},
    {"gptj", interleaved, 1e4, 0, 1, 64, 0, 2048},
    {"granite", half, 1e4, 0, 1, 0, 0, 2048},
    {"helium", interleaved, 1e5, 0, 1, 0, 128, 4096},
    {"internlm", half, 1e4, 0, 1, 0, 0, 2048},
    {"internlm2", half, 1e4, 0, 1, 0, 0, 0},
    {"internlm3", half, 1e4, 0, 1, 0, 0, 0},
    {"kimi_k2", interleaved, 5e4, 0, 1, 0, 64, 0},
    {"llama", half, 1e4, 0, 1, 0, 0, 2048},
    {"llama4", interleaved, 5e5, 0, 1, 0, 128, 131072},
    {"llama4_text", interleaved, 5e5, 0, 1, 0, 128, 131072},
    {"minicpm", half, 1e4, 0, 1, 0, 0, 0},
    {"minicpm3", half, 1e4, 0, 1, 0, 0, 0},
    {"minimax_m2", half, 5e6, 0, 1, 0, 0, 0},
    {"ministral", half, 1e4, 0, 1, 0, 0, 131072},
    {"ministral3", half, 1e4, 0, 1, 0, 128, 262144},
    {"mistral", half, 1e4, 0, 1, 0, 0, 131072},
    {"mixtral", half, 1e6, 0, 1, 0, 0, 131072},
    {"mllama", half, 5e5, 0, 1, 0, 0, 131072},
    {"mllama_text_model", half, 5e5, 0, 1, 0, 0, 131072},
    {"modernbert", half, 1.6e5, 1e4, 1, 0, 0, 8192},
    {"modernbert-decoder", half, 1.6e5, 1e4, 1, 0, 0, 8192},
    {"moonshine", interleaved, 1e4, 0, 0.9, 0, 0, 512},
    {"nemotron", half, 1e4, 0, 0.5, 0, 0, 4096},
    {"nomic_bert", half, 1e4, 0, 1, 0, 0, 2048},
    {"olmo", half, 1e4, 0, 1, 0, 0, 2048},
    {"olmo2", half, 1e4, 0, 1, 0, 0, 2048},
    {"openai_privacy_filter", interleaved, 1e4, 0, 1, 0, 0, 0},
    {"persimmon", half, 1e4, 0, 0.5, 0, 0, 16384},
    {"phi", half, 1e4, 0, 0.5, 0, 0, 2048},
    {"phi-msft", half, 1e4, 0, 1, 32, 0, 2048},
    {"phi3", half, 1e4, 0, 1, 0, 0, 4096},
    {"phimoe", half, 1e6, 0, 1, 0, 0, 131072},
    {"qwen", half, 1e4, 0, 1, 0, 0, 8192},
    {"qwen2", half, 1e4, 0, 1, 0, 0, 32768},
    {"qwen2_5_vl", half, 1e6, 0, 1, 0, 0, 32768},
    {"qwen2_5_vl_text", half, 1e6, 0, 1, 0, 0, 32768},
    {"qwen2_moe", half, 1e4, 0, 1, 0, 0, 32768},
    {"qwen2_vl", half, 1e6, 0, 1, 0, 0, 32768},
    {"qwen2_vl_text", half, 1e6, 0, 1, 0, 0, 32768},
    {"qwen3", half, 1e4, 0, 1, 0, 128, 32768},
    {"qwen3_5", half, 1e4, 0, 0.25, 0, 256, 32768},
    {"qwen3_5_text", half, 1e4, 0, 0.25, 0, 256, 32768},
    {"qwen3_moe", half, 1e4, 0, 1, 0, 0, 32768},
    {"qwen3_next", half, 1e4, 0, 0.25, 0, 256, 32768},
    {"qwen3_vl", half, 5e5, 0, 1, 0, 128, 128000},
    {"qwen3_vl_text", half, 5e5, 0, 1, 0, 128, 128000},
    {"roformer", interleaved, 1e4, 0, 1, 0, 0, 1536},
    {"smollm3", half, 2e6, 0, 1, 0, 0, 32768},
    {"stablelm", half, 1e4, 0, 0.25, 0, 0, 4096},
    {"starcoder2", half, 1e4, 0, 1, 0, 0, 4096},
    {"t5gemma2", half, 1e6, 1e4, 1, 0, 256, 131072},
    {"t5gemma2_text", half, 1e6, 1e4, 1, 0, 256, 131072},
});

constexpr std::string_view learned = "learned absolute positions";
constexpr std::string_view alibi = "ALiBi";
constexpr std::string_view t5 = "T5's relative position buckets";
constexpr std::string_view shaw = "relative position vectors (Shaw)";
constexpr std::string_view sinusoidal = "sinusoidal positions added to the embeddings";

// Families that never rotate (numerics.md sections 2 and 3).
constexpr auto otherEncodings = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"albert", learned},
    {"bart", learned},
    {"bert", learned},
    {"bloom", alibi},
    {"camembert", learned},
    {"deberta", "DeBERTa's disentangled relative positions"},
    {"deberta-v2", "DeBERTa's disentangled relative positions"},
    {"distilbert", learned},
    {"electra", learned},
    {"fsmt", sinusoidal},
    {"gpt2", learned},
    {"gpt_bigcode", learned},
    {"gpt_neo", learned},
    {"imagegpt", learned},
    {"longt5", t5},
    {"m2m_100", sinusoidal},
    {"marian", sinusoidal},
    {"mbart", learned},
    {"mt5", t5},
    {"openai-gpt", learned},
    {"opt", learned},
    {"pegasus", sinusoidal},
    {"roberta", learned},
    {"speecht5", shaw},
    {"t5", t5},
    {"transfo-xl", "Transformer-XL's relative positions"},
    {"umt5", t5},
    {"wav2vec2-bert", shaw},
    {"whisper", sinusoidal},
    {"xglm", sinusoidal},
    {"xlm-roberta", learned},
    {"xlnet", "Transformer-XL's relative positions"},
});

// Values of position_embedding_type (BERT and its kin, ESM, Granite) and position_embeddings_type (wav2vec
// 2).
constexpr auto namedTypes = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"absolute", learned},
    {"alibi", alibi},
    {"learned", learned},
    {"learned_absolute", learned},
    {"nope", "none"},
    {"relative", "Transformer-XL's relative positions"},
    {"relative_key", shaw},
    {"relative_key_query", shaw},
    {"rope", "rope"},
    {"rotary", "rope"},
    {"sinusoidal", sinusoidal},
});

template <std::size_t count>
std::string_view lookUp(const std::array<std::pair<std::string_view, std::string_view>, count>& table,
                        std::string_view key) {
    const auto row = std::ranges::find(table, key, &std::pair<std::string_view, std::string_view>::first);
    return row == table.end() ? std::string_view{} : row->second;
}

bool isOn(const std::optional<ConfigField<bool>>& flag) {
    return flag && flag->value;
}

}  // namespace

ModelFamily modelFamily(std::string_view modelType) {
    const auto* row = std::ranges::find(families, modelType, &ModelFamily::modelType);
    return row == families.end() ? ModelFamily{} : *row;
}

std::string familyName(const std::string& modelType) {
    return modelType.empty() ? "common" : modelType;
}

std::string modelEncoding(const ConfigFields& fields, std::string_view modelType) {
    if (isOn(fields.flag({"alibi"}))) {
        return std::string(alibi);
    }
    if (const auto type = fields.text({"position_embedding_type", "position_embeddings_type"})) {
        const std::string_view encoding = lookUp(namedTypes, type->value);
        return encoding.empty() ? fmt::format("{} \"{}\"", type->path, type->value) : std::string(encoding);
    }
    if (modelType == "mpt") {
        return isOn(fields.flag({"rope"})) ? "rope" : std::string(learned);
    }
    if (modelType == "baichuan") {
        // The 7B model (width 4096) rotates; the 13B model has the same model_type and uses ALiBi.
        const auto width = fields.wholeNumber({"hidden_size"});
        return width && width->value != 4096 ? std::string(alibi) : "rope";
    }
    if (const std::string_view encoding = lookUp(otherEncodings, modelType); !encoding.empty()) {
        return std::string(encoding);
    }
    if (fields.has({"relative_attention_num_buckets"})) {
        return std::string(t5);
    }
    return "rope";
}

}  // namespace phaseladder
