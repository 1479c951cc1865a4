#pragma once

#include <string>

#include "core/parameter.h"
#include "core/scene.h"

namespace phaseladder {

/// A label as it stands inside a sentence: "Theta base" is "theta base"; "YaRN ramp" stays.
[[nodiscard]] std::string insideSentence(std::string text);

/// "500,000", "1.1386", "infinite": a number as captions write it.
[[nodiscard]] std::string numberInWords(double value);

/// "theta base 500,000", "encoding RoPE (rotary)": a row and a value of it, inside a sentence.
[[nodiscard]] std::string settingText(const Parameter& row, const ParameterValue& value);

/// What two scenes differ in, as each has it: "theta base 10,000" and "theta base 500,000".
/// Settings without effect in both are left out; after three, the rest is counted.
struct ComparedSettings {
    std::string pinned, live;  ///< empty where nothing differs

    [[nodiscard]] bool areSame() const { return pinned.empty() && live.empty(); }
};
[[nodiscard]] ComparedSettings comparedSettings(const Scene& pinned, const Scene& live);

}  // namespace phaseladder
