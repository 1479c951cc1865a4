#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// Rotation of channel pairs: pair k of the token at position p turns by p · turnsPerToken[k] (of 2^64).
struct PairRotation {
    std::vector<std::uint64_t> turnsPerToken;  ///< r/2 pairs; 0 leaves a pair as it is
    RopeLayout layout = RopeLayout::half;
    int rotaryDim = 0;             ///< the first r channels of a head rotate, the others pass through
    double attentionFactor = 1.0;  ///< multiplies cos and sin of the rotated channels

    friend bool operator==(const PairRotation&, const PairRotation&) = default;
};

/// What an encoding does, as data. Backends know plans, never encodings.
struct EncodingPlan {
    /// Tokens × width, row-major, added to the token vectors; empty for none.
    std::vector<double> additiveRows{};
    std::optional<PairRotation> rotation{};  ///< of queries and keys
    bool scaleByRootWidth = true;            ///< logits are divided by √d
    double softmaxMultiplier = 1.0;          ///< further factor on the logits; of YaRN only (DeepSeek)

    friend bool operator==(const EncodingPlan&, const EncodingPlan&) = default;
};

/// An encoding only describes itself.
struct Encoding {
    std::string id;
    std::string label;
    std::string help;     ///< two sentences
    std::string formula;  ///< one line of plain text
    std::string source;
    /// Plan for positions 0 .. tokens-1.
    std::function<Result<EncodingPlan>(const Scene& scene, std::int64_t tokens)> plan;
};

/// In order: none, sinusoidal, rope. One self-contained file each in core/encodings.
[[nodiscard]] std::span<const Encoding> encodings();
[[nodiscard]] const Encoding* findEncoding(std::string_view id);

}  // namespace phaseladder
