#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/parameter.h"

namespace phaseladder {

// The rows of the parameter table, by group. parameter.cpp puts them into one list; everyone else asks
// parameters().
[[nodiscard]] std::vector<Parameter> encodingRows();   ///< Encoding, Rotary
[[nodiscard]] std::vector<Parameter> relativeRows();   ///< Encoding: of those that read the offset
[[nodiscard]] std::vector<Parameter> scalingRows();    ///< Scaling, Lengths
[[nodiscard]] std::vector<Parameter> attentionRows();  ///< Attention, Text, View, Model
[[nodiscard]] std::vector<Parameter> captureRows();    ///< Real heads

/// A row that reads and writes one field of Scene: `field` is called with a Scene, const or not, and returns
/// a reference. Works for switches, numbers, texts and lists.
template <class Field>
Parameter bound(Parameter row, Field field) {
    using Value = std::remove_cvref_t<std::invoke_result_t<Field, Scene&>>;
    constexpr bool isNumber = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;
    using Held = std::conditional_t<isNumber, double, Value>;
    row.get = [field](const Scene& scene) -> ParameterValue { return static_cast<Held>(field(scene)); };
    row.set = [field](Scene& scene, const ParameterValue& value) {
        field(scene) = static_cast<Value>(std::get<Held>(value));
    };
    return row;
}

/// A value of an enumeration with its id and its label.
template <class Value>
struct NamedValue {
    Value value;
    std::string id;
    std::string label;
};

/// A choice row that reads and writes an enumeration of Scene.
template <class Value, class Field>
Parameter boundChoice(Parameter row, std::vector<NamedValue<Value>> values, Field field) {
    row.kind = ParameterKind::choice;
    for (const NamedValue<Value>& named : values) {
        row.choices.push_back({named.id, named.label});
    }
    row.get = [field, values](const Scene& scene) -> ParameterValue {
        for (const NamedValue<Value>& named : values) {
            if (named.value == field(scene)) {
                return named.id;
            }
        }
        return std::string();
    };
    row.set = [field, values](Scene& scene, const ParameterValue& value) {
        for (const NamedValue<Value>& named : values) {
            if (named.id == std::get<std::string>(value)) {
                field(scene) = named.value;
            }
        }
    };
    return row;
}

/// A choice row whose choices are a list of registered things with an id and a label.
template <class Registered>
std::vector<Choice> choicesOf(const Registered& registered) {
    std::vector<Choice> choices;
    for (const auto& item : registered) {
        choices.push_back({item.id, item.label});
    }
    return choices;
}

[[nodiscard]] inline bool always(const Scene&) {
    return true;
}
[[nodiscard]] inline bool usesRope(const Scene& scene) {
    return scene.encoding == "rope";
}
/// RoPE, or xPos, which is RoPE with growth.
[[nodiscard]] inline bool usesRotation(const Scene& scene) {
    return scene.encoding == "rope" || scene.encoding == "xpos";
}

}  // namespace phaseladder
