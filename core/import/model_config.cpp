#include "core/import/model_config.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/encodings/encoding.h"
#include "core/import/checked_json.h"
#include "core/import/config_fields.h"
#include "core/import/model_family.h"
#include "core/import/rope_dictionary.h"
#include "core/import/rotary_fields.h"
#include "core/import/unrotated_fields.h"
#include "core/number_text.h"

namespace phaseladder {

namespace {

using Json = nlohmann::ordered_json;

/// The objects to look in, innermost first: a text model's settings stand in an object of their own in models
/// that also see or hear, and in attn_config in MPT.
std::vector<ConfigFields::Object> configObjects(const Json& root) {
    std::vector<ConfigFields::Object> objects{{"", &root}};
    const auto enter = [&objects](std::initializer_list<const char*> names) {
        const ConfigFields::Object outer = objects.front();
        for (const char* name : names) {
            const auto inner = outer.json->find(name);
            if (inner != outer.json->end() && inner->is_object()) {
                objects.insert(objects.begin(), {fmt::format("{}{}.", outer.prefix, name), &*inner});
                return;
            }
        }
    };
    enter({"thinker_config"});
    enter({"text_config", "llm_config", "language_config"});
    enter({"attn_config"});
    return objects;
}

/// The name in the file without its owner ("meta-llama/Llama-3.1-8B"), or the model type.
std::string modelName(const ConfigFields& file, const std::string& modelType) {
    constexpr std::size_t longest = 100;
    for (const ConfigFields::Object& object : file.objects()) {
        const auto name = object.json->find("_name_or_path");
        if (name != object.json->end() && name->is_string()) {
            const std::string path = name->get<std::string>();
            const std::string last = path.substr(path.find_last_of('/') + 1);
            if (!last.empty() && last.size() <= longest) {
                return last;
            }
        }
    }
    return modelType;
}

/// Notes on what a family does besides its ladder, and warnings about rotary settings outside a dictionary
/// that nobody knows.
void noteOtherSettings(const ConfigFields& file, ConfigDraft& draft) {
    static const std::vector<std::string> known{"rope_base",
                                                "rope_deltas",
                                                "rope_hf_config",
                                                "rope_impl",
                                                "rope_dail_config",
                                                "rope_interleave",
                                                "rope_interleaved",
                                                "rope_local_base_freq",
                                                "rope_parameters",
                                                "rope_pct",
                                                "rope_ratio",
                                                "rope_scaling",
                                                "rope_theta",
                                                "rotary_base",
                                                "rotary_dim",
                                                "rotary_emb_base",
                                                "rotary_emb_fraction",
                                                "rotary_emb_interleaved",
                                                "rotary_emb_scale_base",
                                                "rotary_pct",
                                                "rotary_percentage",
                                                "rotary_scaling_factor"};
    for (const ConfigFields::Object& object : file.objects()) {
        for (const auto& [name, value] : object.json->items()) {
            const bool rotary = name.starts_with("rope_") || name.starts_with("rotary_");
            if (rotary && std::ranges::find(known, name) == known.end()) {
                draft.warnUnknown(object.prefix, name, known);
            }
        }
    }
    const auto isOn = [&file](std::string_view name) {
        const auto flag = file.flag({name});
        return flag && flag->value;
    };
    if (isOn("use_dynamic_ntk")) {
        draft.config.notes.emplace_back(
            "use_dynamic_ntk: beyond the trained length Qwen raises theta in steps of its own; the ladder "
            "within the "
            "trained length is drawn.");
    }
    if (isOn("use_logn_attn")) {
        draft.config.notes.emplace_back(
            "use_logn_attn: beyond the trained length queries are also scaled by a logarithm; that is not "
            "drawn.");
    }
    if (const auto interval = file.wholeNumber({"no_rope_layer_interval"});
        interval && interval->value > 0.0) {
        draft.config.notes.push_back(
            fmt::format("{}: every layer whose number is a multiple of {} has no rotation.", interval->path,
                        formatNumber(interval->value)));
    }
}

/// The scene with everything that a model decides at its start-up value; text, seed, mask and view are kept.
Scene withoutModel(const Scene& scene) {
    const Scene start;
    Scene cleared = scene;
    cleared.encoding = start.encoding;
    cleared.rope = start.rope;
    cleared.sinusoidal = start.sinusoidal;
    cleared.learned = start.learned;
    cleared.join = start.join;
    cleared.t5 = start.t5;
    cleared.alibiSlopes = start.alibiSlopes;
    cleared.transformerXlClamp = start.transformerXlClamp;
    cleared.relativeBias.values.clear();  // one table a head
    cleared.scaling = start.scaling;
    cleared.length = start.length;
    cleared.heads = start.heads;
    cleared.headDim = start.headDim;
    cleared.layerType = start.layerType;
    cleared.model.clear();
    return cleared;
}

void readRope(const ConfigFields& file, const std::string& layerType, ConfigDraft& draft) {
    const ModelFamily family = modelFamily(draft.config.modelType);
    const RopeDictionary dictionary = findRopeDictionary(file, family, layerType, draft);
    if (draft.problem) {
        return;
    }
    readHeads(file, family, draft);
    readRotaryShare(file, dictionary, family, draft);
    readTheta(file, dictionary, family, draft);
    readLayout(file, family, draft);
    readScaling(file, dictionary, family, draft);
    checkRotaryShare(draft);
    noteOtherSettings(file, draft);
    draft.countUnknown();
}

/// "none, learned, sinusoidal ...".
std::string encodingNames() {
    std::vector<std::string> names;
    for (const Encoding& encoding : encodings()) {
        names.push_back(encoding.id);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Result<ModelConfig> readModelConfig(std::string_view json, const Scene& scene, const std::string& layerType) {
    const Result<Json> root = parseCheckedJson(json, maximumConfigBytes);
    if (!root) {
        return tl::unexpected<Error>(root.error());
    }
    if (!root->is_object()) {
        return fail(ErrorKind::invalidInput,
                    fmt::format("Not a model's config: an object is needed (got {}).", shownJson(*root)));
    }
    if (root->contains("phaseladder")) {
        return fail(ErrorKind::invalidInput, "This is a Phaseladder scene, not a model's config.");
    }
    ConfigDraft draft;
    draft.config.scene = withoutModel(scene);
    const ConfigFields file(configObjects(*root), draft);
    if (const auto type = file.text({"model_type"})) {
        draft.config.modelType = type->value;
    }
    const std::string encoding = modelEncoding(file, draft.config.modelType);
    if (encoding == "rope") {
        readRope(file, layerType, draft);
    } else if (findEncoding(encoding) != nullptr) {
        draft.config.scene.encoding = encoding;
        readHeads(file, modelFamily(draft.config.modelType), draft);
        readUnrotated(file, draft);
    } else {
        draft.refuse(fmt::format("This model ({}) uses {}, which is none of the encodings here: {}.",
                                 familyName(draft.config.modelType), encoding, encodingNames()));
    }
    if (draft.problem) {
        return tl::unexpected<Error>(*draft.problem);
    }
    draft.config.scene.model = modelName(file, draft.config.modelType);
    if (draft.config.scene.head >= draft.config.scene.heads) {
        draft.config.scene.head = 0;
    }
    if (const Result<void> valid = validate(draft.config.scene); !valid) {
        return fail(ErrorKind::invalidInput, valid.error().message);
    }
    return std::move(draft.config);
}

bool looksLikeModelConfig(std::string_view json) {
    constexpr std::string_view space = " \t\r\n";
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    constexpr std::string_view sceneKey = "\"phaseladder\"";
    if (json.starts_with(byteOrderMark)) {
        json.remove_prefix(byteOrderMark.size());
    }
    const std::size_t first = json.find_first_not_of(space);
    if (first == std::string_view::npos || json[first] != '{') {
        return false;
    }
    for (std::size_t at = json.find(sceneKey); at != std::string_view::npos;
         at = json.find(sceneKey, at + 1)) {
        const std::size_t next = json.find_first_not_of(space, at + sceneKey.size());
        if (next != std::string_view::npos && json[next] == ':') {
            return false;
        }
    }
    return true;
}

}  // namespace phaseladder
