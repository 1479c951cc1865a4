#include "core/import/rotary_fields.h"

#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/number_text.h"

namespace phaseladder {

namespace {

using Number = ConfigField<double>;

struct HeadWidth {
    double width = 0.0;
    std::string path;    ///< "head_dim", "hidden_size / num_attention_heads"
    std::string values;  ///< "12 / 4" for a quotient
};

std::optional<HeadWidth> dividedWidth(const std::optional<Number>& hidden,
                                      const std::optional<Number>& heads) {
    if (!hidden || !heads || heads->value < 1.0) {
        return std::nullopt;
    }
    return HeadWidth{std::floor(hidden->value / heads->value),
                     fmt::format("{} / {}", hidden->path, heads->path),
                     fmt::format("{} / {}", formatNumber(hidden->value), formatNumber(heads->value))};
}

std::optional<Number> statedHeadDim(const ConfigFields& file, const ModelFamily& family,
                                    const ConfigDraft& draft) {
    if (const auto rotaryPart = file.wholeNumber({"qk_rope_head_dim"})) {
        return rotaryPart;
    }
    const bool fullLayers = draft.config.scene.layerType == Scene{}.layerType;
    if (const auto global = file.wholeNumber({"global_head_dim"}); global && fullLayers) {
        return global;
    }
    if (fullLayers && family.fullHeadDim > 0) {
        return Number{static_cast<double>(family.fullHeadDim),
                      fmt::format("default of {}", family.modelType)};
    }
    if (const auto stated = file.wholeNumber({"head_dim", "kv_channels", "d_kv", "d_head"})) {
        return stated;
    }
    if (family.headDim > 0) {
        return Number{static_cast<double>(family.headDim), fmt::format("default of {}", family.modelType)};
    }
    return std::nullopt;
}

/// Theta outside of a dictionary. Where full layers have several names for it, the first one counts and all
/// are listed.
std::optional<Number> topLevelTheta(const ConfigFields& file, bool slidingLayers, ConfigDraft& draft) {
    if (slidingLayers) {
        return file.number({"rope_local_base_freq", "local_rope_theta"});
    }
    std::optional<Number> first;
    int names = 0;
    for (const std::string_view name :
         {"global_rope_theta", "rope_theta", "rotary_emb_base", "rope_base", "rotary_base"}) {
        if (const auto field = file.number({name})) {
            ++names;
            first = first ? first : field;
        }
    }
    if (names < 2) {
        return first;
    }
    std::vector<std::string> all;
    for (const std::string_view name : {"global_rope_theta", "rope_theta", "rotary_emb_base", "rope_base",
                                        "rotary_base", "rope_local_base_freq", "local_rope_theta"}) {
        if (const auto field = file.number({name})) {
            all.push_back(fmt::format("{} {}", field->path, formatNumber(field->value)));
        }
    }
    draft.config.notes.push_back(
        fmt::format("{} is used for these layers; the file has {}.", first->path, fmt::join(all, ", ")));
    return first;
}

std::optional<Number> statedTheta(const ConfigFields& file, const RopeDictionary& dictionary,
                                  ConfigDraft& draft) {
    const auto inside = dictionary.fields.number({"rope_theta"});
    const auto outside = topLevelTheta(file, dictionary.slidingLayers, draft);
    if (inside && outside && inside->value != outside->value) {
        draft.config.warnings.push_back(fmt::format("{} {} is used; {} says {}.", inside->path,
                                                    formatNumber(inside->value), outside->path,
                                                    formatNumber(outside->value)));
    }
    if (inside || outside) {
        return inside ? inside : outside;
    }
    if (const auto ratio = file.number({"rope_ratio"})) {
        return Number{1e4 * ratio->value, "10000 × " + ratio->path};
    }
    // rope_scaling won over a version 5 dictionary, which may still hold the base of full layers.
    if (const auto parameters = file.object({"rope_parameters"}); parameters && !dictionary.slidingLayers) {
        return ConfigFields({{parameters->path + ".", parameters->value}}, draft).number({"rope_theta"});
    }
    return std::nullopt;
}

}  // namespace

void readHeads(const ConfigFields& file, const ModelFamily& family, ConfigDraft& draft) {
    const auto heads = file.wholeNumber({"num_attention_heads", "n_head", "n_heads", "num_heads"});
    const auto hidden = file.wholeNumber({"hidden_size", "n_embd", "d_model", "dim"});
    if (heads) {
        draft.set("heads", "heads", *heads);
    } else {
        draft.config.defaulted.emplace_back("heads");
    }
    const auto divided = dividedWidth(hidden, heads);
    const auto stated = statedHeadDim(file, family, draft);
    if (!stated && !divided) {
        draft.refuse(
            "The head dimension is missing: the file has neither head_dim nor hidden_size with "
            "num_attention_heads.");
        return;
    }
    const HeadWidth head = stated ? HeadWidth{stated->value, stated->path, ""} : *divided;
    if (std::fmod(head.width, 2.0) != 0.0 && head.width > 2.0) {
        draft.refuse(fmt::format("Head dimension must be even ({}{} is {}); try {} or {}.", head.path,
                                 head.values.empty() ? "" : " = " + head.values, formatNumber(head.width),
                                 formatNumber(head.width - 1.0), formatNumber(head.width + 1.0)));
        return;
    }
    draft.set("head_dim", "head_dim", {head.width, head.path});

    if (stated && stated->path.starts_with("default")) {
        draft.config.defaulted.emplace_back("head_dim");
    }
    if (const auto rest = file.wholeNumber({"qk_nope_head_dim"}); rest && file.has({"qk_rope_head_dim"})) {
        draft.config.notes.push_back(fmt::format(
            "Head dimension {} is the rotary part ({}); {} more channels of each head carry no position.",
            formatNumber(head.width), head.path, formatNumber(rest->value)));
    } else if (stated && divided && divided->width != stated->value) {
        draft.config.notes.push_back(fmt::format("Head dimension {} is used ({}); {} = {} would give {}.",
                                                 formatNumber(head.width), head.path, divided->path,
                                                 divided->values, formatNumber(divided->width)));
    }
}

void readRotaryShare(const ConfigFields& file, const RopeDictionary& dictionary, const ModelFamily& family,
                     ConfigDraft& draft) {
    Scene& scene = draft.config.scene;
    if (file.has({"qk_rope_head_dim"})) {
        draft.config.sources["rotary_dim"] = draft.config.sources["head_dim"];
        return;
    }
    auto share = dictionary.fields.number({"partial_rotary_factor"});
    if (!share) {
        share = file.number(
            {"partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_percentage", "rotary_emb_fraction"});
    }
    const auto width = file.wholeNumber({"rotary_dim"});
    if (share) {
        draft.set("rope.partial", "rotary_dim", *share);
    } else if (width) {
        draft.set("rope.dim", "rotary_dim", *width);
    } else if (family.rotaryDim > 0 || family.partial < 1.0) {
        scene.rope.dim = family.rotaryDim;
        scene.rope.partial = family.partial;
        draft.config.defaulted.emplace_back("rotary_dim");
    }
}

/// Refuses a share of the head that leaves an odd number of channels to rotate.
void checkRotaryShare(ConfigDraft& draft) {
    const Scene& scene = draft.config.scene;
    const double channels = scene.headDim * scene.rope.partial;
    const double cut = std::trunc(channels);
    if (draft.problem || scene.rope.dim > 0 || scene.scaling.method == "proportional" ||
        std::fmod(cut, 2.0) == 0.0) {
        return;
    }
    const auto shareSource = draft.config.sources.find("rotary_dim");
    draft.refuse(fmt::format(
        "Rotary width must be even ({} {} × {} {} is {}, cut to {}); {} or {} channels can rotate.",
        draft.config.sources["head_dim"], scene.headDim,
        shareSource == draft.config.sources.end() ? "default share" : shareSource->second,
        formatNumber(scene.rope.partial), formatForPeople(channels, 6), formatNumber(cut),
        formatNumber(cut - 1.0), formatNumber(cut + 1.0)));
}

void readTheta(const ConfigFields& file, const RopeDictionary& dictionary, const ModelFamily& family,
               ConfigDraft& draft) {
    if (const auto stated = statedTheta(file, dictionary, draft)) {
        draft.set("rope.theta", "theta", *stated);
        return;
    }
    const bool sliding = dictionary.slidingLayers && family.slidingTheta > 0.0;
    const double theta = sliding ? family.slidingTheta : family.theta;
    draft.config.scene.rope.theta = theta;
    draft.config.defaulted.emplace_back("theta");
    const bool anySetting =
        file.has({"rope_scaling", "rope_parameters", "rope_theta", "rope_local_base_freq", "local_rope_theta",
                  "partial_rotary_factor", "rotary_pct", "rotary_dim"});
    const std::string name = familyName(std::string(family.modelType));
    draft.config.notes.push_back(
        anySetting ? fmt::format("No theta in this file; {} default {} used.", name, formatNumber(theta))
                   : fmt::format("No RoPE settings in this file; {} defaults used: theta {}.", name,
                                 formatNumber(theta)));
}

void readLayout(const ConfigFields& file, const ModelFamily& family, ConfigDraft& draft) {
    RopeLayout& layout = draft.config.scene.rope.layout;
    layout = family.layout;
    if (const auto interleaved =
            file.flag({"rope_interleave", "rope_interleaved", "rotary_emb_interleaved"})) {
        layout = interleaved->value ? RopeLayout::interleaved : RopeLayout::half;
        draft.config.sources["layout"] = interleaved->path;
    } else if (!family.modelType.empty()) {
        draft.config.sources["layout"] = fmt::format("model_type {}", family.modelType);
    } else {
        draft.config.defaulted.emplace_back("layout");
    }
}

}  // namespace phaseladder
