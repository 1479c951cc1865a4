#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <QTest>

#include "core/import/model_config.h"

namespace phaseladder::tests {

/// A config with heads of 128 channels, as Llama and Qwen have.
inline std::string config(const std::string& fields) {
    return R"({"hidden_size": 4096, "num_attention_heads": 32, )" + fields + "}";
}

/// The config that was read; an empty one, and a failed check that shows the message, if it was refused.
inline ModelConfig read(const std::string& json, const std::string& layerType = "full_attention") {
    const Result<ModelConfig> result = readModelConfig(json, Scene{}, layerType);
    if (!result) {
        QTest::qFail(result.error().message.c_str(), __FILE__, __LINE__);
        return {};
    }
    return *result;
}

/// The message of a config that must be refused.
inline std::string refusal(const std::string& json, const std::string& layerType = "full_attention") {
    const Result<ModelConfig> result = readModelConfig(json, Scene{}, layerType);
    return result ? "accepted"
                  : (result.error().kind == ErrorKind::invalidInput ? "" : "wrong kind: ") +
                        result.error().message;
}

/// Whether one of the sentences has a part.
inline bool contains(const std::vector<std::string>& texts, std::string_view part) {
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(part) != text.npos; });
}

}  // namespace phaseladder::tests
