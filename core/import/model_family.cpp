#include "core/import/model_family.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace phaseladder {

namespace {

constexpr RopeLayout half = RopeLayout::half;
constexpr RopeLayout interleaved = RopeLayout::interleaved;

// What a configuration class sets where config.json says nothing. Source of a row, read in the
// releases 5.23.0, 5.8.0 and 4.57.1 of transformers: models/DIR/configuration_DIR.py and, for the layout,
// modeling_DIR.py, where DIR is the model_type with "_" for "-" and without "_text" or "_text_model"; a
// family with a text_config has the values of its text model. Those releases that have the family agree
// unless a comment says otherwise. A comment that names repositories and commits tells what was read instead:
// code that ships with the weights or copies it. Columns: model_type, layout, theta, theta of sliding layers,
// partial, rotary_dim, head_dim, max_position_embeddings, whether that counts a linear factor, head_dim of
// full layers where it differs.
constexpr auto families = std::to_array<ModelFamily>({
    {"apertus", half, 1.2e7, 0, 1, 0, 0, 65536},
    {"baichuan", half, 1e4, 0, 1, 0, 0, 4096},  // baichuan-inc/Baichuan-7B 2d531e9f, 0ae400d6
    {"blt", interleaved, 5e5, 0, 1, 0, 0, 4096},
    // vllm-project/vllm 0531c222, THUDM/LongAlign 21d6e845
    {"chatglm", interleaved, 1e4, 0, 0.5, 0, 128, 2048},
    {"codegen", interleaved, 1e4, 0, 1, 64, 0, 2048},
    {"cohere", interleaved, 5e5, 0, 1, 0, 0, 8192},  // theta 10000 in 4.57.1
    {"cohere2", interleaved, 1e4, 0, 1, 0, 0, 8192},
    {"cohere2_moe", interleaved, 1e4, 0, 1, 0, 128, 8192},
    {"deepseek_v2", interleaved, 1e4, 0, 1, 0, 64, 2048},
    {"deepseek_v3", interleaved, 1e4, 0, 1, 0, 64, 4096},
    {"deepseek_v32", interleaved, 1e4, 0, 1, 0, 64, 163840},
    {"deepseek_v4", interleaved, 1e4, 0, 0.125, 0, 512, 1048576},
    {"ernie4_5", interleaved, 5e5, 0, 1, 0, 128, 131072},
    {"ernie4_5_moe", interleaved, 5e5, 0, 1, 0, 0, 131072},
    {"ernie4_5_vl_moe", interleaved, 5e5, 0, 1, 0, 0, 131072},
    {"ernie4_5_vl_moe_text", interleaved, 5e5, 0, 1, 0, 0, 131072},
    {"falcon", half, 1e4, 0, 1, 0, 0, 2048},
    {"gemma", half, 1e4, 0, 1, 0, 256, 8192},
    {"gemma2", half, 1e4, 0, 1, 0, 256, 8192},
    {"gemma3", half, 1e6, 1e4, 1, 0, 256, 131072, true},
    {"gemma3_text", half, 1e6, 1e4, 1, 0, 256, 131072, true},
    {"gemma3n", half, 1e6, 1e4, 1, 0, 256, 32768},
    {"gemma3n_text", half, 1e6, 1e4, 1, 0, 256, 32768},
    {"gemma4", half, 1e6, 1e4, 1, 0, 256, 131072, false, 512},
    {"gemma4_text", half, 1e6, 1e4, 1, 0, 256, 131072, false, 512},
    {"glm", interleaved, 1e4, 0, 0.5, 0, 128, 131072},
    {"glm4", interleaved, 1e4, 0, 0.5, 0, 128, 131072},
    {"glm4_moe", half, 1e4, 0, 0.5, 0, 0, 131072},
    {"glm4_moe_lite", interleaved, 1e4, 0, 1, 0, 64, 202752},
    {"glm4v", interleaved, 1e4, 0, 1, 0, 0, 32768},
    {"glm4v_text", interleaved, 1e4, 0, 1, 0, 0, 32768},
    {"glm_moe_dsa", interleaved, 1e4, 0, 1, 0, 64, 202752},
    {"glm_ocr", interleaved, 1e4, 0, 1, 0, 0, 131072},
    {"glm_ocr_text", interleaved, 1e4, 0, 1, 0, 0, 131072},
    {"gpt_neox", half, 1e4, 0, 0.25, 0, 0, 2048},
    {"gpt_oss", half, 1.5e5, 0, 1, 0, 64, 131072},
    {"gptj", interleaved, 1e4, 0, 1, 64, 0, 2048},
    {"granite", half, 1e4, 0, 1, 0, 0, 2048},
    {"helium", interleaved, 1e5, 0, 1, 0, 128, 4096},
    {"internlm", half, 1e4, 0, 1, 0, 0, 2048},         // InternLM/InternLM d4a81fad, 02414577
    {"internlm2", half, 1e4, 0, 1, 0, 0, 2048},        // OpenGVLab/InternVL 0c158c32, 0c8993dc
    {"internlm3", half, 1e4, 0, 1, 0, 128, 32768},     // runs as Llama, not in 5.8.0
    {"kimi_k2", interleaved, 1e4, 0, 1, 0, 64, 4096},  // as DeepSeek-V3, whose class its loaders reuse
    {"llama", half, 1e4, 0, 1, 0, 0, 2048},
    {"llama4", interleaved, 5e5, 0, 1, 0, 128, 131072},
    {"llama4_text", interleaved, 5e5, 0, 1, 0, 128, 131072},
    {"longcat_flash", interleaved, 1e7, 0, 1, 0, 64, 131072},
    {"minicpm", half, 1e4, 0, 1, 0, 0, 2048},  // OpenBMB/MiniCPM 5977a637
    {"minicpm3", half, 1e4, 0, 1, 0, 32, 32768},
    {"minimax_m2", half, 5e6, 0, 1, 0, 128, 196608},
    {"ministral", half, 1e4, 0, 1, 0, 0, 131072},
    {"ministral3", half, 1e6, 0, 1, 0, 128, 262144},  // theta 10000 beside a dictionary without one
    {"mistral", half, 1e4, 0, 1, 0, 0, 131072},
    {"mistral4", interleaved, 1e4, 0, 1, 0, 64, 1048576},
    {"mixtral", half, 1e6, 0, 1, 0, 0, 131072},
    {"mllama", half, 5e5, 0, 1, 0, 0, 131072},
    {"mllama_text_model", half, 5e5, 0, 1, 0, 0, 131072},
    {"modernbert", half, 1.6e5, 1e4, 1, 0, 0, 8192},
    {"modernbert-decoder", half, 1.6e5, 1e4, 1, 0, 0, 8192},  // sliding theta 160000 in 4.57.1
    {"moonshine", interleaved, 1e4, 0, 0.9, 0, 0, 512},
    {"nemotron", half, 1e4, 0, 0.5, 0, 0, 4096},
    {"nomic_bert", half, 1e3, 0, 1, 0, 0, 2048},
    {"olmo", half, 1e4, 0, 1, 0, 0, 2048},
    {"olmo2", half, 1e4, 0, 1, 0, 0, 2048},
    {"openai_privacy_filter", interleaved, 1.5e5, 0, 1, 0, 64, 131072},
    {"persimmon", half, 1e4, 0, 0.5, 0, 0, 16384},  // theta 25000 in 4.57.1
    {"phi", half, 1e4, 0, 0.5, 0, 0, 2048},
    {"phi-msft", half, 1e4, 0, 1, 32, 0, 2048},  // vikhyat/moondream 0b689c3c
    {"phi3", half, 1e4, 0, 1, 0, 0, 4096},
    {"phimoe", half, 1e6, 0, 1, 0, 0, 131072},
    // x1ngzai/Qwen-VL-Chat-Int4 1cd721a2, QwenLM/Qwen-Audio 0b0e882e
    {"qwen", half, 1e4, 0, 1, 0, 128, 8192},
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
    {"qwen3_vl", half, 5e5, 0, 1, 0, 128, 128000},       // theta 5000000 in 4.57.1
    {"qwen3_vl_text", half, 5e5, 0, 1, 0, 128, 128000},  // theta 5000000 in 4.57.1
    {"roformer", interleaved, 1e4, 0, 1, 0, 0, 1536},
    {"smollm3", half, 2e6, 0, 1, 0, 0, 32768},
    {"stablelm", half, 1e4, 0, 0.25, 0, 0, 4096},
    {"starcoder2", half, 1e4, 0, 1, 0, 0, 4096},
    {"t5gemma2", half, 1e6, 1e4, 1, 0, 256, 131072},
    {"t5gemma2_text", half, 1e6, 1e4, 1, 0, 256, 131072},
    {"youtu", interleaved, 1e4, 0, 1, 0, 64, 131072},
});

// Families whose class fills in a scaling where the file has no rotary dictionary (same source as above).
constexpr auto defaultScalings = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"apertus", "llama3"},
    {"gemma4", "proportional"},
    {"gemma4_text", "proportional"},
    {"gpt_oss", "yarn"},
    {"ministral3", "yarn"},
    {"mistral4", "yarn"},
    {"openai_privacy_filter", "yarn"},
});

constexpr std::string_view learned = "learned";
constexpr std::string_view alibi = "alibi";
constexpr std::string_view t5 = "t5";
constexpr std::string_view shaw = "relative position vectors (Shaw)";
constexpr std::string_view sinusoidal = "sinusoidal";

// Families that never rotate. Source: modeling_DIR.py as above; openai-gpt is in models/openai, transfo-xl in
// models/deprecated/transfo_xl of 4.57.1.
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
    {"transfo-xl", "transformer_xl"},
    {"umt5", t5},
    {"wav2vec2-bert", shaw},
    {"whisper", "sinusoidal positions in the encoder and learned ones in the decoder"},
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

std::string_view defaultScaling(std::string_view modelType) {
    return lookUp(defaultScalings, modelType);
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
        // Only a stated "alibi": false turns ALiBi off.
        const std::string_view unrotated = fields.has({"alibi"}) ? learned : alibi;
        return isOn(fields.flag({"rope"})) ? "rope" : std::string(unrotated);
    }
    if (modelType == "chatglm" && isOn(fields.flag({"position_encoding_2d"}))) {
        return "two-dimensional rotary positions";  // ChatGLM-6B; its successors have the same model_type
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
