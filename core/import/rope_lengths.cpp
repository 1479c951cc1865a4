#include "core/import/rope_lengths.h"

#include <cmath>

#include <fmt/format.h>

#include "core/number_text.h"

namespace phaseladder {

std::optional<ConfigField<double>> readMaximumLength(const ConfigFields& file, const ModelFamily& family,
                                                     ConfigDraft& draft) {
    const bool qwen1 = family.modelType == "qwen";  // its max_position_embeddings is the extended length
    auto maximum = qwen1 ? file.wholeNumber({"seq_length"}) : file.wholeNumber({"max_trained_positions"});
    if (!maximum) {
        maximum = file.wholeNumber({"max_position_embeddings", "n_positions", "seq_length", "max_seq_len",
                                    "max_sequence_length", "max_seq_length", "n_ctx"});
    }
    if (!maximum && family.maximumPositions > 0) {
        maximum = ConfigField<double>{static_cast<double>(family.maximumPositions),
                                      fmt::format("default of {}", family.modelType)};
        draft.config.defaulted.emplace_back("trained_length");
        draft.config.notes.push_back(
            fmt::format("max_position_embeddings is not in this file; {} default {} used.", family.modelType,
                        family.maximumPositions));
    }
    return maximum;
}

std::optional<ConfigField<double>> readOriginalLength(const ConfigFields& file,
                                                      const RopeDictionary& dictionary,
                                                      std::string_view method, ConfigDraft& draft) {
    const auto top = file.wholeNumber({"original_max_position_embeddings"});
    const auto inside = dictionary.fields.wholeNumber({"original_max_position_embeddings"});
    if (top && inside && top->value != inside->value) {
        draft.config.warnings.push_back(fmt::format("{} {} is used; {} says {}.", top->path,
                                                    formatNumber(top->value), inside->path,
                                                    formatNumber(inside->value)));
    }
    const auto stated = top ? top : inside;
    if (stated && stated->value < 1.0) {
        draft.refuse(
            fmt::format("{}: must be 1 or more (got {}).", stated->path, formatNumber(stated->value)));
        return std::nullopt;
    }
    if (method == "none" || method == "proportional") {
        return std::nullopt;
    }
    if (method == "dynamic_ntk") {
        if (stated) {
            draft.config.notes.push_back(
                fmt::format("{} is not read by rope type dynamic, which starts from max_position_embeddings.",
                            stated->path));
        }
        return std::nullopt;
    }
    return stated;
}

void readFactor(const RopeDictionary& dictionary, const std::string& type,
                const std::optional<ConfigField<double>>& maximum,
                const std::optional<ConfigField<double>>& original, ConfigDraft& draft) {
    const auto stated =
        type == "ntk" ? dictionary.fields.number({"alpha", "factor"}) : dictionary.fields.number({"factor"});
    const bool impliedCounts =
        (type == "yarn" || type == "longrope") && maximum && original && original->value > 0.0;
    if (!stated && type == "proportional") {
        draft.config.scene.scaling.factor = 1.0;
        return;
    }
    if (!stated && !impliedCounts) {
        draft.refuse(
            fmt::format("{}.factor is missing; rope type {} needs it (1 or more).", dictionary.path, type));
        return;
    }
    if (!stated) {
        const std::string path = fmt::format("{} / {}", maximum->path, original->path);
        draft.set("scaling.factor", "factor", {maximum->value / original->value, path});
        return;
    }
    draft.set("scaling.factor", "factor", *stated);
    if (!impliedCounts) {
        return;
    }
    const double implied = maximum->value / original->value;
    if (implied != 1.0 && std::abs(implied - stated->value) > 1e-9 * implied) {
        draft.config.warnings.push_back(fmt::format("{} {} is used; {} / {} = {} / {} is {}.", stated->path,
                                                    formatNumber(stated->value), maximum->path,
                                                    original->path, formatNumber(maximum->value),
                                                    formatNumber(original->value), formatNumber(implied)));
    }
}

void readLengths(const std::optional<ConfigField<double>>& maximum,
                 const std::optional<ConfigField<double>>& original, const ModelFamily& family,
                 ConfigDraft& draft) {
    Scene& scene = draft.config.scene;
    const std::optional<ConfigField<double>> trained = original ? original : maximum;
    if (!trained) {
        draft.config.warnings.push_back(
            fmt::format("This file states no length; {} tokens are assumed.", scene.length.trained));
        draft.config.defaulted.emplace_back("trained_length");
        scene.length.target = scene.length.trained;
        return;
    }
    draft.set("length.trained", "trained_length", *trained);
    if (scene.scaling.method == "none") {
        scene.length.target = scene.length.trained;
        return;
    }
    const bool includesScaling = family.maximumIncludesScaling && scene.scaling.method == "linear";
    if (maximum && (maximum->value > trained->value || includesScaling)) {
        draft.set("length.target", "extended_length", *maximum);
        if (includesScaling) {
            draft.config.notes.push_back(
                fmt::format("max_position_embeddings ({}) already counts the factor in this family.",
                            formatNumber(maximum->value)));
        }
        return;
    }
    draft.set("length.target", "extended_length",
              {std::round(trained->value * scene.scaling.factor), fmt::format("{} × factor", trained->path)});
}

}  // namespace phaseladder
