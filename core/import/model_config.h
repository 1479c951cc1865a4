#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// The position settings of a Hugging Face config.json.
struct ModelConfig {
    Scene scene;            ///< the given scene with the model's settings put in
    std::string modelType;  ///< "llama"; empty when the file does not say
    std::vector<std::string>
        layerTypes;  ///< of a file that differs by layer ("full_attention", "sliding_attention")
    std::map<std::string, std::string> sources;  ///< "theta" → "rope_parameters.rope_theta", "head_dim" →
                                                 ///< "hidden_size / num_attention_heads"
    std::vector<std::string> defaulted;          ///< settings the file leaves to their defaults
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
};

inline constexpr std::size_t maximumConfigBytes = 4u << 20;

/// Reads the old layout (rope_theta, rope_scaling with `type` or `rope_type`), v5 (rope_parameters, also
/// nested per layer type) and the names of other families (rotary_pct, rotary_emb_base, rotary_dim, n_embd,
/// qk_rope_head_dim, text_config …), by numerics.md sections 4 to 6. Token text, seed, mask and view of
/// `scene` are kept. `layerType` picks one of a file whose layers differ; one that it does not have is an
/// error that names those it has. Refused with one sentence (invalidInput): what parseCheckedJson refuses, a
/// value of the wrong kind or outside its limits, an unknown rope type, a model whose encoding is
/// not ours (core/encodings).
[[nodiscard]] Result<ModelConfig> readModelConfig(std::string_view json, const Scene& scene,
                                                  const std::string& layerType = "full_attention");

/// Whether a JSON text is a model's config rather than a scene file (has no "phaseladder" key).
[[nodiscard]] bool looksLikeModelConfig(std::string_view json);

}  // namespace phaseladder
