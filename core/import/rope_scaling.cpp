#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/import/rope_dictionary.h"
#include "core/import/rope_lengths.h"
#include "core/number_text.h"

namespace phaseladder {

namespace {

using Number = ConfigField<double>;

/// A key of the dictionary, and the scalings (ids of core/ladder/scaling.h) that read it; none named: all of
/// them.
struct KnownKey {
    std::string_view name;
    std::string_view readers;
};

constexpr auto knownKeys = std::to_array<KnownKey>({
    {"rope_type", ""},
    {"type", ""},
    {"rope_theta", ""},
    {"partial_rotary_factor", ""},
    {"max_position_embeddings", ""},
    {"original_max_position_embeddings", ""},
    {"mrope_section", ""},
    {"mrope_interleaved", ""},
    {"llama_4_scaling_beta", ""},
    {"finetuned", ""},
    {"factor", "linear ntk dynamic_ntk yarn longrope llama3 proportional"},
    {"alpha", "ntk"},
    {"attention_factor", "yarn longrope"},
    {"beta_fast", "yarn"},
    {"beta_slow", "yarn"},
    {"mscale", "yarn"},
    {"mscale_all_dim", "yarn"},
    {"truncate", "yarn"},
    {"attn_factor", "yarn"},
    {"extrapolation_factor", "yarn"},
    {"short_factor", "longrope"},
    {"long_factor", "longrope"},
    {"short_mscale", "longrope"},
    {"long_mscale", "longrope"},
    {"low_freq_factor", "llama3"},
    {"high_freq_factor", "llama3"},
});

void checkKeys(const RopeDictionary& dictionary, std::string_view method, std::string_view type,
               ConfigDraft& draft) {
    std::vector<std::string> names;
    std::ranges::transform(knownKeys, std::back_inserter(names),
                           [](const KnownKey& key) { return std::string(key.name); });
    for (const ConfigFields::Object& object : dictionary.fields.objects()) {
        for (const auto& [name, value] : object.json->items()) {
            const auto* key = std::ranges::find(knownKeys, name, &KnownKey::name);
            if (key == knownKeys.end()) {
                draft.warnUnknown(object.prefix, name, names);
            } else if (!value.is_null() && !key->readers.empty() &&
                       key->readers.find(method) == std::string_view::npos) {
                draft.config.notes.push_back(
                    fmt::format("{}{} is not read by rope type {}.", object.prefix, name, type));
            }
        }
    }
}

/// Other names of the same type. `su`, and `yarn` with factor lists, are how early Phi-3 files say longrope;
/// `mrope` splits the pairs of an unscaled ladder; `dynamic` with an alpha is a fixed NTK base (HunYuan).
std::string commonType(const std::string& type, const ConfigFields& dictionary) {
    if (type == "mrope" || type == "no_scaling" || type == "none") {
        return "default";
    }
    if (type == "su" || (type == "yarn" && dictionary.has({"short_factor", "long_factor"}))) {
        return "longrope";
    }
    if (type == "dynamic" && dictionary.has({"alpha"})) {
        return "ntk";
    }
    return type == "deepseek_yarn" ? "yarn" : type;
}

std::string readType(const RopeDictionary& dictionary, ConfigDraft& draft) {
    const auto type = dictionary.fields.text({"rope_type", "type"});
    if (!type) {
        if (dictionary.fields.has({"factor", "short_factor", "long_factor"})) {
            draft.config.warnings.push_back(fmt::format(
                "{} has a factor but neither rope_type nor type; read as unscaled, as Hugging Face does.",
                dictionary.path));
        }
        return "default";
    }
    draft.config.sources["scaling"] = type->path;
    const std::string common = commonType(type->value, dictionary.fields);
    if (const auto other = dictionary.fields.text({"type"});
        other && commonType(other->value, dictionary.fields) != common) {
        draft.config.warnings.push_back(fmt::format("{} has rope_type '{}' and type '{}'; rope_type wins.",
                                                    dictionary.path, type->value, other->value));
    }
    return common;
}

/// The id of the scaling that a type names; a problem that lists the known types for another.
std::string scalingMethod(const std::string& type, ConfigDraft& draft) {
    constexpr std::array plainNames{"linear", "ntk", "yarn", "longrope", "llama3", "proportional"};
    if (type == "default") {
        return "none";
    }
    if (type == "dynamic") {
        return "dynamic_ntk";
    }
    if (std::ranges::find(plainNames, type) == plainNames.end()) {
        draft.refuse(fmt::format(
            "Unknown rope type '{}'; known: default, linear, dynamic, yarn, longrope, llama3, proportional.",
            type));
    }
    return type;
}

/// A setting that the file leaves to `value`, which the scene has already.
void setOrDefault(std::string_view parameterId, std::string_view name, const std::optional<Number>& field,
                  ConfigDraft& draft) {
    if (field) {
        draft.set(parameterId, name, *field);
    } else {
        draft.config.defaulted.emplace_back(name);
    }
}

double slope(double factor, double mscale) {
    return factor > 1.0 ? 0.1 * mscale * std::log(factor) + 1.0 : 1.0;
}

void readYarn(const ConfigFields& file, const RopeDictionary& dictionary, ConfigDraft& draft) {
    ScalingSettings& scaling = draft.config.scene.scaling;
    setOrDefault("scaling.beta_fast", "beta_fast", dictionary.fields.number({"beta_fast"}), draft);
    setOrDefault("scaling.beta_slow", "beta_slow", dictionary.fields.number({"beta_slow"}), draft);
    if (const Result<void> ordered = checkBetaOrder(scaling); !ordered) {
        draft.config.warnings.push_back(ordered.error().message);
    }
    if (const auto truncate = dictionary.fields.flag({"truncate"})) {
        scaling.truncate = truncate->value;
        draft.config.sources["truncate"] = truncate->path;
    }
    const auto mscale = dictionary.fields.number({"mscale"});
    const auto mscaleAllDim = dictionary.fields.number({"mscale_all_dim"});
    if (mscale) {
        draft.set("scaling.mscale", "mscale", *mscale);
    }
    if (mscaleAllDim) {
        draft.set("scaling.mscale_all_dim", "mscale_all_dim", *mscaleAllDim);
    }
    if (mscaleAllDim && mscaleAllDim->value != 0.0 && file.has({"qk_rope_head_dim"})) {
        const double growth = slope(scaling.factor, mscaleAllDim->value);
        draft.set("scaling.softmax_multiplier", "softmax_multiplier",
                  {growth * growth, "(0.1 mscale_all_dim ln factor + 1)²"});
    }
    const auto extra = dictionary.fields.number({"attn_factor"});
    if (extra && !dictionary.fields.has({"attention_factor"})) {
        draft.set("scaling.attention_factor", "attention_factor",
                  {extra->value * slope(scaling.factor, 1.0), extra->path + " × (0.1 ln factor + 1)"});
    }
    const auto extrapolation = dictionary.fields.number({"extrapolation_factor"});
    if (extrapolation && extrapolation->value != 1.0) {
        draft.config.warnings.push_back(fmt::format("{} {} is not drawn; the ladder is that of 1.",
                                                    extrapolation->path, formatNumber(extrapolation->value)));
    }
}

void readLongRope(const RopeDictionary& dictionary, ConfigDraft& draft) {
    const auto shortFactors = dictionary.fields.numberList({"short_factor"});
    const auto longFactors = dictionary.fields.numberList({"long_factor"});
    if (!shortFactors || !longFactors) {
        draft.refuse(fmt::format("{} of type longrope needs short_factor and long_factor; {} is missing.",
                                 dictionary.path, shortFactors ? "long_factor" : "short_factor"));
        return;
    }
    draft.set("scaling.short_factors", "short_factor", *shortFactors);
    draft.set("scaling.long_factors", "long_factor", *longFactors);
}

void readLlama3(const RopeDictionary& dictionary, ConfigDraft& draft) {
    setOrDefault("scaling.low_freq_factor", "low_freq_factor", dictionary.fields.number({"low_freq_factor"}),
                 draft);
    setOrDefault("scaling.high_freq_factor", "high_freq_factor",
                 dictionary.fields.number({"high_freq_factor"}), draft);
    std::vector<std::string_view> missing;
    for (const char* name : {"low_freq_factor", "high_freq_factor"}) {
        if (!dictionary.fields.has({name})) {
            missing.emplace_back(name);
        }
    }
    if (!missing.empty()) {
        draft.config.warnings.push_back(
            fmt::format("{} of type llama3 leaves out {}; the default (1 and 4) is used, while Hugging Face "
                        "refuses the file.",
                        dictionary.path, fmt::join(missing, " and ")));
    }
}

/// Phi-3.5-MoE states the attention factor of each list; the one of the list in use counts.
void readListScales(const RopeDictionary& dictionary, ConfigDraft& draft) {
    const Scene& scene = draft.config.scene;
    const bool usesLong = scene.length.target > originalLength(scene);
    const auto scale =
        usesLong ? dictionary.fields.number({"long_mscale"}) : dictionary.fields.number({"short_mscale"});
    if (scale && !dictionary.fields.has({"attention_factor"})) {
        draft.set("scaling.attention_factor", "attention_factor", *scale);
    }
}

/// A file without a dictionary is drawn unscaled; some families' classes would fill one in.
void warnOfDefaultScaling(const RopeDictionary& dictionary, const ModelFamily& family, ConfigDraft& draft) {
    const std::string_view scaling = defaultScaling(family.modelType);
    if (dictionary.path.empty() && !dictionary.slidingLayers && !scaling.empty()) {
        draft.config.warnings.push_back(
            fmt::format("No rope_parameters in this file; transformers would scale {} by its default ({}), "
                        "which is not drawn.",
                        family.modelType, scaling));
    }
}

/// M-RoPE: which pairs turn by time, by row and by column, after the scaling. A text alone has the three
/// equal.
void readSections(const RopeDictionary& dictionary, ConfigDraft& draft) {
    const auto sections = dictionary.fields.numberList({"mrope_section"});
    if (!sections) {
        return;
    }
    RopeSettings& rope = draft.config.scene.rope;
    const auto interleaved = dictionary.fields.flag({"mrope_interleaved"});
    rope.axes = interleaved && interleaved->value ? RopeAxes::mrope_interleaved : RopeAxes::mrope;
    draft.set("rope.sections", "sections", *sections);
    rope.gridRows = 1;
    rope.gridColumns = 1;
    draft.config.notes.push_back(
        fmt::format("{} [{}] shares the pairs among time, row and column; give the image rows and columns to "
                    "see them part.",
                    sections->path, fmt::join(sections->value, ", ")));
}

void noteUndrawnSettings(const RopeDictionary& dictionary, ConfigDraft& draft) {
    if (const auto beta = dictionary.fields.number({"llama_4_scaling_beta"})) {
        draft.config.notes.push_back(
            fmt::format("{} {} also scales the queries by 1 + beta ln(1 + floor(p / L)); that is not drawn.",
                        beta->path, formatNumber(beta->value)));
    }
}

}  // namespace

void readScaling(const ConfigFields& file, const RopeDictionary& dictionary, const ModelFamily& family,
                 ConfigDraft& draft) {
    ScalingSettings& scaling = draft.config.scene.scaling;
    const std::string type = readType(dictionary, draft);
    readSections(dictionary, draft);
    scaling.method = scalingMethod(type, draft);
    const std::optional<Number> maximum = readMaximumLength(file, family, draft);
    if (draft.problem) {
        return;
    }
    checkKeys(dictionary, scaling.method, type, draft);
    warnOfDefaultScaling(dictionary, family, draft);
    noteUndrawnSettings(dictionary, draft);
    const std::optional<Number> original = readOriginalLength(file, dictionary, scaling.method, draft);
    if (scaling.method == "none") {
        readLengths(maximum, std::nullopt, family, draft);
        return;
    }

    readFactor(dictionary, type, maximum, original, draft);
    const bool startsFromOriginal =
        scaling.method == "yarn" || scaling.method == "longrope" || scaling.method == "llama3";
    if (original) {
        draft.set("scaling.original_length", "original_length", *original);
    } else if (startsFromOriginal && maximum) {
        draft.config.defaulted.emplace_back("original_length");
        draft.config.notes.push_back(fmt::format(
            "original_max_position_embeddings is not in this file; {} {} used, as Hugging Face does.",
            maximum->path, formatNumber(maximum->value)));
    }
    readLengths(maximum, original, family, draft);

    if (const auto attention = dictionary.fields.number({"attention_factor"})) {
        if (attention->value > 0.0) {
            draft.set("scaling.attention_factor", "attention_factor", *attention);
        } else {
            draft.refuse(
                fmt::format("{} must be above 0 (got {}).", attention->path, formatNumber(attention->value)));
        }
    }
    if (scaling.method == "yarn") {
        readYarn(file, dictionary, draft);
    } else if (scaling.method == "longrope") {
        readLongRope(dictionary, draft);
        readListScales(dictionary, draft);
    } else if (scaling.method == "llama3") {
        readLlama3(dictionary, draft);
    }
}

}  // namespace phaseladder
