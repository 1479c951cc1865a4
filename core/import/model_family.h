#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/import/config_fields.h"
#include "core/scene.h"

namespace phaseladder {

/// What a family of models uses where its config.json says nothing, as its configuration class has it.
struct ModelFamily {
    std::string_view modelType;            ///< "llama"; empty for a family that is not in the table
    RopeLayout layout = RopeLayout::half;  ///< how its code pairs the channels
    double theta = 10000.0;                ///< of layers with full attention
    double slidingTheta = 0.0;             ///< of sliding layers; 0 where all layers are alike
    double partial = 1.0;                  ///< share of the head's channels that rotate
    int rotaryDim = 0;                     ///< rotary width; 0 for head_dim × partial
    int headDim = 0;                       ///< 0 for hidden_size / num_attention_heads
    std::int64_t maximumPositions = 0;     ///< 0 for unknown
    bool maximumIncludesScaling =
        false;            ///< max_position_embeddings already counts a linear factor (Gemma 3)
    int fullHeadDim = 0;  ///< head_dim of layers with full attention; 0 where it is headDim
};

/// The family of a `model_type`; common values with an empty name for an unknown one.
[[nodiscard]] ModelFamily modelFamily(std::string_view modelType);

/// The scaling that a family's class uses for a file without a rotary dictionary ("yarn"); empty for none.
[[nodiscard]] std::string_view defaultScaling(std::string_view modelType);

/// The family's name in a sentence: its model_type, or "common".
[[nodiscard]] std::string familyName(const std::string& modelType);

/// How the model of a file tells positions apart: the id of one of our encodings ("rope", "learned"), or the
/// words that name another one ("relative position vectors (Shaw)"). By model_type, and by the switches of
/// families that have a choice.
[[nodiscard]] std::string modelEncoding(const ConfigFields& fields, std::string_view modelType);

}  // namespace phaseladder
