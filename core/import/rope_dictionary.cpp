#include "core/import/rope_dictionary.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/import/text.h"

namespace phaseladder {

namespace {

using Json = nlohmann::ordered_json;

bool isNested(const Json& dictionary) {
    return std::ranges::any_of(dictionary, [](const Json& value) { return value.is_object(); });
}

/// A name of a file as a sentence can hold it: as it is, or in quotes where it has control characters or is
/// long.
std::string shownName(const std::string& name) {
    const std::string quoted = quotedText(name);
    return quoted == "'" + name + "'" ? name : quoted;
}

/// "full_attention, sliding_attention and 3 more".
std::string shownNames(const std::vector<std::string>& names) {
    constexpr std::size_t mostShown = 10;
    std::vector<std::string> shown;
    for (std::size_t at = 0; at < std::min(names.size(), mostShown); ++at) {
        shown.push_back(shownName(names[at]));
    }
    const std::string rest =
        names.size() > mostShown ? fmt::format(" and {} more", names.size() - mostShown) : "";
    return fmt::format("{}{}", fmt::join(shown, ", "), rest);
}

/// Whether a layer type is among those of the file; a problem that names them if not.
bool requireLayerType(const std::string& layerType, const std::string& where, ConfigDraft& draft) {
    const std::vector<std::string>& known = draft.config.layerTypes;
    if (std::ranges::find(known, layerType) != known.end()) {
        draft.config.scene.layerType = layerType;
        return true;
    }
    draft.refuse(
        fmt::format("No layer type {} in {}; it has: {}.", quotedText(layerType), where, shownNames(known)));
    return false;
}

RopeDictionary pickLayer(const ConfigField<const Json*>& nested, const std::string& layerType,
                         ConfigDraft& draft) {
    for (const auto& [name, value] : nested.value->items()) {
        if (value.is_object()) {
            draft.config.layerTypes.push_back(name);
        } else if (!value.is_null()) {
            draft.config.warnings.push_back(
                fmt::format("{}.{} stands beside layer types and is ignored.", nested.path, shownName(name)));
        }
    }
    if (!requireLayerType(layerType, nested.path, draft)) {
        return {ConfigFields({}, draft), "", false};
    }
    const std::string path = fmt::format("{}.{}", nested.path, shownName(layerType));
    return {ConfigFields({{path + ".", &nested.value->at(layerType)}}, draft), path,
            layerType.find("full") == std::string::npos && layerType != "global"};
}

/// The dictionary that counts: rope_scaling wins over rope_parameters, as in Hugging Face; an empty one
/// counts as absent.
std::optional<ConfigField<const Json*>> findAnyDictionary(const ConfigFields& file, ConfigDraft& draft) {
    auto scaling = file.object({"rope_scaling", "rope_hf_config"});
    auto parameters = file.object({"rope_parameters"});
    if (scaling && scaling->value->empty()) {
        scaling.reset();
    }
    if (parameters && parameters->value->empty()) {
        parameters.reset();
    }
    if (scaling && parameters && *scaling->value != *parameters->value) {
        draft.config.warnings.push_back(
            fmt::format("The file has both {} and {}; {} wins, as in Hugging Face.", scaling->path,
                        parameters->path, scaling->path));
    }
    return scaling ? scaling : parameters;
}

}  // namespace

RopeDictionary findRopeDictionary(const ConfigFields& file, const ModelFamily& family,
                                  const std::string& layerType, ConfigDraft& draft) {
    draft.config.scene.layerType = Scene{}.layerType;
    const auto found = findAnyDictionary(file, draft);
    if (found && isNested(*found->value)) {
        return pickLayer(*found, layerType, draft);
    }
    RopeDictionary dictionary{ConfigFields({}, draft), "", false};
    if (family.slidingTheta > 0.0 || file.has({"rope_local_base_freq", "local_rope_theta"})) {
        draft.config.layerTypes = {"full_attention", "sliding_attention"};
        requireLayerType(layerType, "this file", draft);
        dictionary.slidingLayers = layerType == "sliding_attention";
    }
    if (found && !dictionary.slidingLayers) {
        return {ConfigFields({{found->path + ".", found->value}}, draft), found->path, false};
    }
    return dictionary;
}

}  // namespace phaseladder
