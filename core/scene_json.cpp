#include "core/scene_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/import/checked_json.h"
#include "core/import/text.h"
#include "core/nearest_name.h"
#include "core/number_text.h"
#include "core/parameter.h"

namespace phaseladder {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* versionKey = "phaseladder";
constexpr std::size_t maximumSceneBytes = 16u << 20;
/// Room for a text of the most tokens that we read and for its order: what we save, we can open.
constexpr std::size_t maximumSceneValues = 2 * maximumTokens + 100'000;
/// A file full of unknown keys gets this many sentences about them.
constexpr std::size_t maximumUnknownWarnings = 20;

std::string quotedJson(const std::string& text) {
    const auto isPlain = [](char character) {
        return character >= ' ' && character <= '~' && character != '"' && character != '\\';
    };
    if (std::ranges::all_of(text, isPlain)) {  // as most words of a long text
        return '"' + text + '"';
    }
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <class Values, class Write>
std::string listed(const Values& values, Write write) {
    std::string text = "[";
    for (const auto& value : values) {
        text += (text.size() == 1 ? "" : ", ") + write(value);
    }
    return text + "]";
}

struct ValueWriter {
    std::string operator()(bool on) const { return on ? "true" : "false"; }
    std::string operator()(double number) const { return formatNumber(number); }
    std::string operator()(const std::string& text) const { return quotedJson(text); }
    std::string operator()(const SharedList<std::string>& texts) const { return listed(texts, quotedJson); }
    std::string operator()(const SharedList<int>& numbers) const {
        return listed(numbers, [](int number) { return std::to_string(number); });
    }
    std::string operator()(const std::vector<double>& numbers) const { return listed(numbers, formatNumber); }
};

std::optional<std::vector<double>> numbersOf(const Json& json) {
    if (!json.is_array()) {
        return std::nullopt;
    }
    std::vector<double> numbers;
    numbers.reserve(json.size());
    for (const Json& item : json) {
        if (!item.is_number()) {
            return std::nullopt;
        }
        numbers.push_back(item.get<double>());
    }
    return numbers;
}

std::optional<ParameterValue> orderOf(const Json& json) {
    const std::optional<std::vector<double>> numbers = numbersOf(json);
    if (!numbers) {
        return std::nullopt;
    }
    std::vector<int> order;
    order.reserve(numbers->size());
    for (const double number : *numbers) {
        if (std::abs(number) > std::numeric_limits<int>::max() || number != std::floor(number)) {
            return std::nullopt;
        }
        order.push_back(static_cast<int>(number));
    }
    return order;
}

std::optional<ParameterValue> textsOf(const Json& json) {
    if (!json.is_array()) {
        return std::nullopt;
    }
    std::vector<std::string> texts;
    texts.reserve(json.size());
    for (const Json& item : json) {
        if (!item.is_string()) {
            return std::nullopt;
        }
        texts.push_back(item.get<std::string>());
    }
    return texts;
}

/// The value as a row of this kind holds it, or nothing when it is of another kind.
std::optional<ParameterValue> valueOf(const Parameter& row, const Json& json) {
    switch (row.kind) {
        case ParameterKind::number:
        case ParameterKind::integer:
            return json.is_number() ? std::optional<ParameterValue>(json.get<double>()) : std::nullopt;
        case ParameterKind::toggle:
            return json.is_boolean() ? std::optional<ParameterValue>(json.get<bool>()) : std::nullopt;
        case ParameterKind::choice:
        case ParameterKind::text:
            return json.is_string() ? std::optional<ParameterValue>(json.get<std::string>()) : std::nullopt;
        case ParameterKind::tokens:
            return textsOf(json);
        case ParameterKind::order:
            return orderOf(json);
        case ParameterKind::numberList: {
            std::optional<std::vector<double>> numbers = numbersOf(json);
            return numbers ? std::optional<ParameterValue>(std::move(*numbers)) : std::nullopt;
        }
    }
    return std::nullopt;
}

const char* wantedKind(ParameterKind kind) {
    switch (kind) {
        case ParameterKind::number:
            return "a finite number";
        case ParameterKind::integer:
            return "a whole number";
        case ParameterKind::toggle:
            return "true or false";
        case ParameterKind::choice:
        case ParameterKind::text:
            return "a text";
        case ParameterKind::tokens:
            return "a list of texts";
        case ParameterKind::order:
            return "a list of whole numbers";
        case ParameterKind::numberList:
            return "a list of numbers";
    }
    return "";
}

tl::unexpected<Error> invalid(std::string message) {
    return fail(ErrorKind::invalidInput, std::move(message));
}

Result<void> checkVersion(const Json& file) {
    const auto version = file.is_object() ? file.find(versionKey) : file.end();
    if (!file.is_object() || version == file.end()) {
        return invalid(fmt::format("Not a scene of Phaseladder: the key '{}' is missing.", versionKey));
    }
    if (!version->is_number_integer() || *version < 1) {
        return invalid(fmt::format("'{}' must be a version from 1 to {} (got {}).", versionKey,
                                   sceneFileVersion, quotedText(version->dump())));
    }
    if (*version > sceneFileVersion) {
        return invalid(fmt::format("Written by a newer version ({}); this one reads up to {}. Not opened.",
                                   version->dump(), sceneFileVersion));
    }
    return {};
}

std::vector<std::string> unknownKeys(const Json& file) {
    std::vector<std::string> ids;
    for (const Parameter& row : parameters()) {
        ids.push_back(row.id);
    }
    std::vector<std::string> warnings;
    std::size_t unnamed = 0;
    for (const auto& [key, value] : file.items()) {
        if (key == versionKey || findParameter(key) != nullptr) {
            continue;
        }
        if (warnings.size() == maximumUnknownWarnings) {
            ++unnamed;
            continue;
        }
        const std::string near = nearestName(key, ids);
        warnings.push_back(fmt::format("Unknown setting {} ignored{}", quotedText(key),
                                       near.empty() ? "." : "; did you mean '" + near + "'?"));
    }
    if (unnamed > 0) {
        warnings.push_back(fmt::format("{} more unknown settings ignored.", unnamed));
    }
    return warnings;
}

}  // namespace

std::string writeScene(const Scene& scene) {
    std::string text = fmt::format("{{\n  \"{}\": {}", versionKey, sceneFileVersion);
    for (const Parameter& row : parameters()) {
        text += fmt::format(",\n  \"{}\": {}", row.id, std::visit(ValueWriter(), row.get(scene)));
    }
    return text + "\n}\n";
}

Result<SceneFile> readScene(std::string_view text) {
    Result<Json> file = parseCheckedJson(text, maximumSceneBytes, maximumSceneValues);
    if (!file) {
        return tl::unexpected(file.error());
    }
    if (file->is_object() && !file->contains(versionKey) && file->contains("panels") &&
        file->contains("scene")) {
        file = Json(std::move((*file)["scene"]));  // a figure written as JSON
    }
    if (Result<void> checked = checkVersion(*file); !checked) {
        return tl::unexpected(checked.error());
    }
    SceneFile result;
    for (const Parameter& row : parameters()) {
        const auto found = file->find(row.id);
        if (found == file->end() || found->is_null()) {
            continue;
        }
        const std::optional<ParameterValue> value = valueOf(row, *found);
        if (!value) {
            return invalid(fmt::format("{} must be {} (got {}).", row.id, wantedKind(row.kind),
                                       quotedText(found->dump())));
        }
        if (Result<void> set = setParameter(result.scene, row, *value); !set) {
            return invalid(set.error().message);
        }
    }
    if (Result<void> valid = validate(result.scene); !valid) {
        return invalid(valid.error().message);
    }
    result.warnings = unknownKeys(*file);
    if (Result<void> ordered = checkBetaOrder(result.scene.scaling); !ordered) {
        result.warnings.push_back(ordered.error().message);
    }
    return result;
}

}  // namespace phaseladder
