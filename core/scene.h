#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/shared_list.h"

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

enum class ColorScale { linear, log };

/// Whether the column of the first key, which draws most of the attention in many heads, counts when the
/// range of the colours is found.
enum class SinkColors { included, excluded };

/// How the rows of an absolute encoding meet the token vectors: x + p, or [x, p] with matrices twice as tall.
enum class AbsoluteJoin { add, concatenate };

/// ALiBi's slopes where the number of heads is no power of two: as every code does, or the paper's ratio.
enum class AlibiSlopes { common, paper };

/// T5's buckets: of both directions, of the past only, or as the mask asks.
enum class T5Direction { by_mask, bidirectional, causal };

/// Which position has growth 0 in xPos: n - n/2 rounded down (flash-attention), rounded up (torchscale), or
/// 0.
enum class XposCentre { flash_attention, torchscale, none };

/// Which position turns which pair. With pairs 0 .. P-1 and sections (t, h, w):
///   text                  all by the position in the text
///   mrope                 t pairs, then h, then w: t t t h h h h w w w w (Qwen2-VL)
///   mrope_interleaved     t h w t h w t h w t t (Qwen3-VL)
///   vision_2d             row: first half, column: second half, each with its own ladder (Qwen2-VL vision)
///   vision_2d_alternating row: even pairs, column: odd pairs of one ladder (Pixtral)
enum class RopeAxes { text, mrope, mrope_interleaved, vision_2d, vision_2d_alternating };

/// Queries and keys of the figure `decay`.
enum class DecayContent { ones, gaussian, scene };

/// What the dimensions of captured queries and keys are: told by the shapes where they can, or said.
enum class CaptureAxes { by_shape, heads_tokens_dim, tokens_heads_dim };

/// Whether captured queries and keys were taken before RoPE turned them, or after.
enum class CaptureRotation { before, after };

/// Which channels RoPE turned together in captured queries and keys: as the config.json that names the ladder
/// says (its fields, or its model family), half-split as Hugging Face's models where there is none; or said.
enum class CaptureLayout { by_config, half, interleaved };

struct RopeSettings {
    double theta = 10000.0;
    int dim = 0;           ///< rotary width r; 0 means head_dim × partial, truncated
    double partial = 1.0;  ///< share of the head's channels that rotate
    RopeLayout layout = RopeLayout::half;
    RopeAxes axes = RopeAxes::text;
    std::vector<double> sections;  ///< M-RoPE: pairs of t, h and w; empty: shares as in the published models
    std::int64_t gridStart = 0;    ///< M-RoPE: position of the image's first patch
    std::int64_t gridRows = 2;     ///< of the image, in patches
    std::int64_t gridColumns = 2;

    friend bool operator==(const RopeSettings&, const RopeSettings&) = default;
};

struct SinusoidalSettings {
    SinusoidalLayout layout = SinusoidalLayout::interleaved;
    SinusoidalSpacing spacing = SinusoidalSpacing::paper;

    friend bool operator==(const SinusoidalSettings&, const SinusoidalSettings&) = default;
};

/// A table with one row a position.
struct LearnedSettings {
    std::int64_t rows = 512;  ///< of the seeded table; a file brings its own number
    std::int64_t offset = 0;  ///< position p reads row p + offset (OPT and RoBERTa: 2)
    std::string table;        ///< path of a .npy or .safetensors file; empty: seeded
    std::string tensor;       ///< its name in a .safetensors file; empty: the one that looks like a table

    friend bool operator==(const LearnedSettings&, const LearnedSettings&) = default;
};

/// b of i - j, clipped at ±clip.
struct RelativeBiasSettings {
    int clip = 4;         ///< K
    bool shared = false;  ///< one table for all heads
    /// b of -K .. K, for each head in turn (or once where shared); empty: seeded.
    std::vector<double> values;

    friend bool operator==(const RelativeBiasSettings&, const RelativeBiasSettings&) = default;
};

struct ShawSettings {
    int clip = 4;  ///< K
    bool valueVectors = false;

    friend bool operator==(const ShawSettings&, const ShawSettings&) = default;
};

struct T5Settings {
    int buckets = 32;
    int maximumDistance = 128;
    T5Direction direction = T5Direction::by_mask;

    friend bool operator==(const T5Settings&, const T5Settings&) = default;
};

struct XposSettings {
    double scaleBase = 512.0;  ///< B: growth is ζ^(p/B)
    XposCentre centre = XposCentre::flash_attention;

    friend bool operator==(const XposSettings&, const XposSettings&) = default;
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

/// Queries, keys and values of a model's layer, read from files, in the place of seeded words.
struct CaptureSettings {
    std::string queries;  ///< path of a .npy or .safetensors file; empty: seeded words
    std::string keys;     ///< empty: the same file
    std::string values;   ///< empty: those of the same file where it has some
    std::string queryTensor, keyTensor, valueTensor;  ///< names; empty: the one whose name looks like it
    CaptureAxes axes = CaptureAxes::by_shape;
    CaptureRotation rotation = CaptureRotation::before;
    double theta = 10000.0;  ///< after: base of the plain ladder that turned them
    std::string config;      ///< after: path of the config.json whose ladder turned them; empty: theta
    CaptureLayout layout = CaptureLayout::by_config;  ///< after: of the pairs that were turned
    std::int64_t rowOffset = 0;                       ///< position of the first query
    std::int64_t columnOffset = 0;                    ///< position of the first key
    std::string labels;  ///< path of a text or a JSON list: a token a position; empty: numbers

    friend bool operator==(const CaptureSettings&, const CaptureSettings&) = default;
};

struct ViewSettings {
    ViewBy by = ViewBy::position;
    ViewValues values = ViewValues::weights;
    ColorScale color = ColorScale::linear;   ///< of weights
    double floor = 1e-6;                     ///< lowest weight that log colours tell apart
    SinkColors sink = SinkColors::included;  ///< whether the first key counts for the colours' range
    std::int64_t positions = 512;            ///< how many positions `phases` and `encoding` show
    std::int64_t start = 0;                  ///< the first of them
    int token = 2;  ///< query token that is looked at, in the text's own order; past the end: the last
    int key = 0;    ///< key token, likewise
    int pair = 0;   ///< frequency pair; past the end: the last
    std::vector<double> heads;   ///< whose attention is shown as one, their mean; empty: the shown head alone
    std::int64_t position = 64;  ///< of the hands of `clocks`
    std::int64_t shift = 3;      ///< tokens by which `translation` and `shift` move both tokens
    DecayContent decayContent = DecayContent::ones;

    friend bool operator==(const ViewSettings&, const ViewSettings&) = default;
};

/// Everything that a person chose: a plain value. The defaults are the start-up scene.
/// Undo, cache keys, session files and the command line all rest on it. Each field has a row in the parameter
/// table.
struct Scene {
    SharedList<std::string> tokens{"dog", "bites", "man"};
    SharedList<int> order;  ///< position i of the token list holds token order[i]; empty means the identity
    std::int64_t textLength =
        0;  ///< tokens in the text; 0 means the token count; above it the ordered list repeats
    std::int64_t seed = 1;  ///< of the token vectors and of W_q, W_k, W_v

    std::string encoding = "rope";  ///< id in the list of encodings (core/encodings/encoding.h)
    RopeSettings rope;
    SinusoidalSettings sinusoidal;
    LearnedSettings learned;
    AbsoluteJoin join = AbsoluteJoin::add;  ///< of learned and sinusoidal
    RelativeBiasSettings relativeBias;
    ShawSettings shaw;
    T5Settings t5;
    AlibiSlopes alibiSlopes = AlibiSlopes::common;
    std::int64_t transformerXlClamp = 0;  ///< distances above it count as it (clamp_len); 0: never
    XposSettings xpos;
    ScalingSettings scaling;
    LengthSettings length;

    bool causal = false;
    int layers = 1;  ///< attention layers with a residual path, without MLP
    int heads = 1;
    int head = 0;      ///< the head that is shown
    int headDim = 64;  ///< d, also the width of the token vectors
    /// Hands that were turned: records of six numbers, head, token, side (0 query, 1 key), pair, x, y. They
    /// replace two channels of the token's query or key before its position is added; other heads and tokens
    /// keep their seeded content. Every token with the same word follows.
    std::vector<double> content;
    /// Where it has queries, tokens, heads and head_dim follow the files (core/attention/captured.h).
    CaptureSettings capture;

    ViewSettings view;
    std::string layerType = "full_attention";  ///< of a model whose layers differ
    std::string model;                         ///< name of the model the settings came from; empty for none

    friend bool operator==(const Scene&, const Scene&) = default;
};

/// Whether queries and keys come from files.
[[nodiscard]] inline bool hasCapture(const Scene& scene) {
    return !scene.capture.queries.empty();
}

/// The scene with another text: its words in their own order, once, and no captured heads.
[[nodiscard]] Scene withWords(Scene scene, SharedList<std::string> words);

/// Number of positions n: textLength, or the token count where it is 0.
[[nodiscard]] std::int64_t sequenceLength(const Scene& scene);

/// Index into scene.tokens of the token at a position in 0 .. n-1 (the ordered list, repeated).
[[nodiscard]] std::int64_t tokenAtPosition(const Scene& scene, std::int64_t position);

/// The first position that holds a token (index into scene.tokens); sequenceLength() where the text, which
/// may be shorter than the list, has none.
[[nodiscard]] std::int64_t positionOfToken(const Scene& scene, int token);

/// One label a token: repeats are told apart by subscripts ("the₁", "the₂"); a NUL is shown as ␀. A position
/// of captured heads without a token has none.
[[nodiscard]] std::vector<std::string> tokenLabels(const Scene& scene);

/// The token that is looked at, as an index into scene.tokens: view.token, or the last one where it is past
/// the end. -1 without tokens.
[[nodiscard]] int viewedToken(const Scene& scene);
[[nodiscard]] int viewedKey(const Scene& scene);

/// The heads that the figure attention shows as their mean, each once, ascending: view.heads, or the shown
/// head.
[[nodiscard]] std::vector<int> chosenHeads(const Scene& scene);
/// "head 3", "heads 0–3, 7".
[[nodiscard]] std::string headsText(const std::vector<int>& heads);

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
