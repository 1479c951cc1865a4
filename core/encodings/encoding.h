#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ladder/scaling.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// Rotation of channel pairs: pair k of the token at position p turns by p · turnsPerToken[k] (of 2^64).
struct PairRotation {
    std::vector<std::uint64_t> turnsPerToken;  ///< r/2 pairs; 0 leaves a pair as it is
    RopeLayout layout = RopeLayout::half;
    int rotaryDim = 0;             ///< the first r channels of a head rotate, the others pass through
    double attentionFactor = 1.0;  ///< multiplies cos and sin of the rotated channels
    /// Axis whose position turns each pair; empty: axis 0 for all.
    std::vector<std::uint8_t> axisOfPair{};
    std::vector<std::string> axisNames{};  ///< "time", "row", "column"; one or none: the text's
    /// Tokens × axes, row-major: where each token stands; empty: token p stands at p on every axis.
    std::vector<std::int64_t> axisPositions{};
    /// xPos: g per pair; queries are multiplied by exp(g (p - growthCentre)), keys divided by it. Empty:
    /// none.
    std::vector<double> logGrowthPerToken{};
    std::int64_t growthCentre = 0;

    friend bool operator==(const PairRotation&, const PairRotation&) = default;
};

/// A number for each offset key - query, the same beyond ±reach.
struct ScoreBias {
    std::int64_t reach = 0;
    std::vector<double> values{};  ///< of offsets -reach .. reach

    [[nodiscard]] double at(std::int64_t offset) const {
        return values[static_cast<std::size_t>(std::clamp(offset, -reach, reach) + reach)];
    }
    friend bool operator==(const ScoreBias&, const ScoreBias&) = default;
};

/// A vector for each offset key - query, the same beyond ±reach.
struct RelativeVectors {
    std::int64_t reach = 0;
    std::vector<double> rows{};  ///< (2 reach + 1) × d, row-major, of offsets -reach .. reach

    friend bool operator==(const RelativeVectors&, const RelativeVectors&) = default;
};

/// Transformer-XL: u meets the keys, v meets the relative key vectors; d numbers each.
struct QueryOffsets {
    std::vector<double> content{};   ///< u
    std::vector<double> position{};  ///< v

    friend bool operator==(const QueryOffsets&, const QueryOffsets&) = default;
};

/// What an encoding does, as data. Backends know plans, never encodings.
struct EncodingPlan {
    /// Tokens × width, row-major, added to the token vectors; empty for none.
    std::vector<double> additiveRows{};
    /// Tokens × width, row-major, joined to the token vectors: the projections are twice as tall.
    std::vector<double> concatenatedRows{};
    /// Tokens from here on have no code: neither queries nor keys. It may lie past the tokens; all have one
    /// where it is absent.
    std::optional<std::int64_t> definedTokens{};
    std::optional<PairRotation> rotation{};           ///< of queries and keys
    std::optional<ScoreBias> scoreBias{};             ///< added to the logits after every factor
    std::optional<RelativeVectors> relativeKeys{};    ///< r: (q + v)·r is added to (q + u)·k
    std::optional<RelativeVectors> relativeValues{};  ///< added to the values that a query sums up
    std::optional<QueryOffsets> queryOffsets{};
    bool scaleByRootWidth = true;    ///< logits are divided by √d
    double softmaxMultiplier = 1.0;  ///< further factor on the logits; of YaRN only (DeepSeek)

    friend bool operator==(const EncodingPlan&, const EncodingPlan&) = default;
};

/// Whether a plan has rows of positions, added or concatenated: an absolute encoding.
[[nodiscard]] bool hasRows(const EncodingPlan& plan);

/// The rows of positions, added or concatenated: tokens × width, or empty.
[[nodiscard]] const std::vector<double>& positionRows(const EncodingPlan& plan);

/// Whether a plan turns pairs of channels by an amount that grows or fades with the position (xPos).
[[nodiscard]] bool hasGrowth(const EncodingPlan& plan);

/// Whether a plan turns pairs of channels and does nothing else to them, so that the turn is all of the code.
[[nodiscard]] bool isPureRotation(const EncodingPlan& plan);

/// Whether anything in a plan depends on where tokens stand.
[[nodiscard]] bool hasPositions(const EncodingPlan& plan);

/// An encoding only describes itself.
struct Encoding {
    std::string id;
    std::string label;
    std::string help;     ///< two sentences
    std::string formula;  ///< one line of plain text
    std::string limits;   ///< one sentence: where it ends
    std::string source;
    /// The formula with the scene's numbers: "b = 10 000, r = 64: wavelengths 6.28 .. 54 410 tokens".
    std::function<std::string(const Scene& scene)> numbers;
    /// Plan for positions 0 .. tokens-1.
    std::function<Result<EncodingPlan>(const Scene& scene, std::int64_t tokens)> plan;
    /// The frequencies at which its codes turn, before and after scaling; null for an encoding without.
    std::function<Result<SceneLadders>(const Scene& scene)> ladders{};
};

/// In order: none, learned, sinusoidal, relative_bias, shaw, t5, alibi, transformer_xl, rope, xpos. One
/// self-contained file each in core/encodings.
[[nodiscard]] std::span<const Encoding> encodings();
[[nodiscard]] const Encoding* findEncoding(std::string_view id);

}  // namespace phaseladder
