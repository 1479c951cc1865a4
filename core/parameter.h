#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/scene.h"

namespace phaseladder {

/// A value of any row: switch, number, text (also a choice's id, or tokens as text), whole numbers (order),
/// numbers (lists).
using ParameterValue =
    std::variant<bool, double, std::string, SharedList<std::string>, SharedList<int>, std::vector<double>>;

enum class ParameterKind { number, integer, toggle, choice, tokens, order, numberList, text };

/// How a slider maps its way to a value.
enum class SliderScale { none, linear, log10, log2 };

/// How the panel lets a person set a row: by its kind; as the path of a file (text); as one of the text's
/// tokens, by its word (integer); or not at all, because files and models set it (text).
enum class ParameterControl { byKind, file, token, none };

struct Choice {
    std::string id;
    std::string label;

    friend bool operator==(const Choice&, const Choice&) = default;
};

/// One adjustable thing. Sliders, undo ids, JSON, --set, `list parameters` and help all read this row.
struct Parameter {
    std::string id{};     ///< "rope.theta"
    std::string label{};  ///< "Theta base"
    std::string unit{};   ///< "tokens", "turns"; may be empty
    std::string group{};  ///< heading in the panel: "Text", "Encoding", "Rotary", "Scaling", "Lengths",
                          ///< "Attention", "Real heads", "View"
    ParameterKind kind = ParameterKind::number;
    ParameterControl control = ParameterControl::byKind;

    double hardMinimum = 0.0;  ///< numbers only; values outside are refused
    double hardMaximum = 0.0;
    bool minimumExcluded = false;  ///< "above 0" instead of "0 or more"
    bool evenOnly = false;         ///< integers: odd values are refused
    std::string zeroText{};        ///< what 0, an empty text or list stands for ("formula"); empty: itself
    double sliderMinimum = 0.0;    ///< a typed value outside the slider range widens the slider
    double sliderMaximum = 0.0;
    SliderScale scale = SliderScale::none;  ///< none: a field without a slider
    std::vector<double> ticks{};            ///< labelled slider ticks, ascending
    std::vector<Choice> choices{};          ///< of a choice, in order
    std::vector<std::string> parts{};       ///< names of a short list's numbers, each of which has a field
    std::vector<std::string> extensions{};  ///< of the files that a file row takes: "npy"

    std::string help{};    ///< one line
    std::string source{};  ///< where the semantics come from

    /// Lists that are drawn elsewhere, in a figure: what is there, in a few words; the panel shows that
    /// instead of a field. Null for the others.
    std::function<std::string(const Scene&)> summary{};

    /// Whether the row has an effect in this scene (YaRN's betas only under yarn ...); the panel hides the
    /// others.
    std::function<bool(const Scene&)> applies{};
    bool advanced = false;  ///< few scenes use it: the panel folds it away where isFolded says so
    /// Advanced rows: whether another setting gives this one a meaning, at its default too. May be null.
    std::function<bool(const Scene&)> needed{};
    std::function<ParameterValue(const Scene&)> get{};
    /// Sets without checking; use setParameter.
    std::function<void(Scene&, const ParameterValue&)> set{};
};

/// The one ordered table of everything adjustable.
[[nodiscard]] std::span<const Parameter> parameters();

/// Whether a row can be left out of sight: it is advanced, has the table's default and no other setting needs
/// it.
[[nodiscard]] bool isFolded(const Parameter& row, const Scene& scene);

/// Null when there is none of that id.
[[nodiscard]] const Parameter* findParameter(std::string_view id);

/// The row, or a usage error that names the nearest known id.
[[nodiscard]] Result<const Parameter*> requireParameter(std::string_view id);

/// Checks kind, hard limits, evenness and choices: one sentence with the id, the value seen and what is
/// allowed.
[[nodiscard]] Result<void> checkParameter(const Parameter& row, const ParameterValue& value);

/// Checks as checkParameter does, then sets. The scene is unchanged on failure. Cross-field rules are
/// validate()'s.
[[nodiscard]] Result<void> setParameter(Scene& scene, const Parameter& row, const ParameterValue& value);

/// Reads a value as typed by a person or given to --set: `1e6`, `1 000 000`, `1_000_000`, `500k`, `2^20`,
/// `1/4`, `2*pi`, true/false/on/off/1/0, a choice's id, words or a JSON list for tokens, numbers
/// and ranges (`0..31`) between commas for lists.
[[nodiscard]] Result<ParameterValue> parseValue(const Parameter& row, std::string_view text);

/// The text that parseValue reads back to the same value (numbers: shortest form that reads back).
[[nodiscard]] std::string formatValue(const Parameter& row, const ParameterValue& value);

/// Applies `id=value` settings in order, then validates once, refusing swapped betas too (settings are a
/// person's wish; files may hold them). With captured heads the scene follows their files (followCapture).
/// All or nothing.
[[nodiscard]] Result<Scene> applySettings(const Scene& scene,
                                          std::span<const std::pair<std::string, std::string>> settings);

}  // namespace phaseladder
