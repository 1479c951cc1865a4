#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace phaseladder {

/// Which channels form a rotated pair. With r = 8:
///   half         (k, k + r/2):  0-4 1-5 2-6 3-7     interleaved  (2k, 2k+1):  0-1 2-3 4-5 6-7
enum class RopeLayout { half, interleaved };

/// Columns of the sinusoidal encoding: sin and cos alternate, or all sines come first.
enum class SinusoidalLayout { interleaved, halves };

/// Exponents of the sinusoidal encoding: 2k/d (paper), or k/(d/2 - 1) (tensor2tensor, fairseq, Whisper).
enum class SinusoidalSpacing { paper, tensor2tensor };

/// The variable in which YaRN's ramp is linear: the pair index (every code) or rotations (the paper's text).
enum class YarnRamp { code, paper };

/// Which LongRoPE list divides the frequencies: by the target length (long when above the original length),
/// or always one.
enum class LongRopeList { by_length, always_short, always_long };

/// Rows and columns of an attention map: positions, or tokens in their original order (shows PᵀAP).
enum class ViewBy { position, token };

enum class ViewValues { weights, logits };

struct RopeSettings {
    double theta = 10000.0;
    int dim = 0;           ///< rotary width r; 0 means head_dim × partial, truncated
    double partial = 1.0;  ///< share of the head's channels that rotate
    RopeLayout layout = RopeLayout::half;

    friend bool operator==(const RopeSettings&, const RopeSettings&) = default;
};

struct SinusoidalSettings {
    SinusoidalLayout layout = SinusoidalLayout::interleaved;
    SinusoidalSpacing spacing = SinusoidalSpacing::paper;

    friend bool operator==(const SinusoidalSettings&, const SinusoidalSettings&) = default;
};

/// Context extension. Each scaling reads the fields that it needs.
struct ScalingSettings {
    std::string method = "none";      ///< id in the list of scalings (core/ladder/scaling.h)
    double factor = 4.0;              ///< s ≥ 1
    std::int64_t originalLength = 0;  ///< L of the scaling; 0 means length.trained
    double betaFast = 32.0;           ///< YaRN: pairs with more turns than this within L are kept
    double betaSlow = 1.0;            ///< YaRN: pairs with fewer turns are divided by the factor
    YarnRamp ramp = YarnRamp::code;
    bool truncate = true;          ///< YaRN code ramp: floor the low and ceil the high bound
    double attentionFactor = 0.0;  ///< on cos and sin; 0 means the method's formula
    double mscale = 0.0;           ///< DeepSeek's pair of slopes; 0 means absent
    double mscaleAllDim = 0.0;
    double softmaxMultiplier = 1.0;    ///< on the logits before softmax (DeepSeek's MLA models)
    double lowFrequencyFactor = 1.0;   ///< Llama 3
    double highFrequencyFactor = 4.0;  ///< Llama 3
    std::vector<double> shortFactors;  ///< LongRoPE, one divisor a pair
    std::vector<double> longFactors;
    LongRopeList longRopeList = LongRopeList::by_length;

    friend bool operator==(const ScalingSettings&, const ScalingSettings&) = default;
};

struct LengthSettings {
    std::int64_t trained = 2048;  ///< tokens seen in pretraining
    std::int64_t target =
        8192;  ///< tokens the model shall run at: also the current length n of dynamic NTK and LongRoPE

    friend bool operator==(const LengthSettings&, const LengthSettings&) = default;
};

struct ViewSettings {
    ViewBy by = ViewBy::position;
    ViewValues values = ViewValues::weights;
    std::int64_t positions = 512;  ///< how many positions `phases` and `encoding` show
    std::int64_t start = 0;        ///< the first of them

    friend bool operator==(const ViewSettings&, const ViewSettings&) = default;
};

/// Everything that a person chose: a plain value. The defaults are the start-up scene.
/// Undo, cache keys, session files and the command line all rest on it. Each field has a row in the parameter
/// table.
struct Scene {
    std::vector<std::string> tokens{"dog", "bites", "man"};
    std::vector<int> order;  ///< position i of the token list holds token order[i]; empty means the identity
    std::int64_t textLength =
        0;  ///< tokens in the text; 0 means the token count; above it the ordered list repeats
    std::int64_t seed = 1;  ///< of the token vectors and of W_q, W_k, W_v

    std::string encoding = "rope";  ///< id in the list of encodings (core/encodings/encoding.h)
    RopeSettings rope;
    SinusoidalSettings sinusoidal;
    ScalingSettings scaling;
    LengthSettings length;

    bool causal = false;
    int heads = 1;
    int head = 0;      ///< the head that is shown
    int headDim = 64;  ///< d, also the width of the token vectors

    ViewSettings view;
    std::string layerType = "full_attention";  ///< of a model whose layers differ
    std::string model;                         ///< name of the model the settings came from; empty for none

    friend bool operator==(const Scene&, const Scene&) = default;
};

/// Number of positions n: textLength, or the token count where it is 0.
[[nodiscard]] std::int64_t sequenceLength(const Scene& scene);

/// Index into scene.tokens of the token at a position in 0 .. n-1 (the ordered list, repeated).
[[nodiscard]] std::int64_t tokenAtPosition(const Scene& scene, std::int64_t position);

/// One label a token: repeats are told apart by subscripts ("the₁", "the₂"); a NUL is shown as ␀.
[[nodiscard]] std::vector<std::string> tokenLabels(const Scene& scene);

/// Rotary width r: rope.dim, or int(head_dim × rope.partial); head_dim for `proportional`, whose slow tail
/// does not turn.
[[nodiscard]] int rotaryDim(const Scene& scene);

/// L of the scaling: scaling.original_length, or length.trained where it is 0.
[[nodiscard]] std::int64_t originalLength(const Scene& scene);

/// Checks what no single row of the table can: an odd rotary width with its source fields, rope.dim above
/// head_dim, NTK with r = 2, list lengths, an order that is no permutation, a head outside the heads ...
/// First problem found.
[[nodiscard]] Result<void> validate(const Scene& scene);

/// Refuses beta_fast below beta_slow: in settings of a person, and a warning beside a file that holds them
/// (case B10).
[[nodiscard]] Result<void> checkBetaOrder(const ScalingSettings& scaling);

/// A sentence that belongs beside a valid scene, and the row of the parameter table that it is about.
struct SceneNote {
    std::string parameterId;
    std::string sentence;

    friend bool operator==(const SceneNote&, const SceneNote&) = default;
};

/// "All pairs rotate at the same speed", swapped betas read from a file, a target below the trained length, a
/// rotary width that was cut to an even number ...
struct SceneNotes {
    std::vector<SceneNote> notes;
    std::vector<SceneNote> warnings;
};
[[nodiscard]] SceneNotes sceneNotes(const Scene& scene);
/// The sentences of the notes alone, in their order.
[[nodiscard]] std::vector<std::string> sentencesOf(const std::vector<SceneNote>& notes);

}  // namespace phaseladder
