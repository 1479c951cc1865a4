#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/import/config_fields.h"
#include "core/import/model_family.h"
#include "core/import/rope_dictionary.h"

namespace phaseladder {

/// max_position_embeddings and its other names, or the family's default.
[[nodiscard]] std::optional<ConfigField<double>> readMaximumLength(const ConfigFields& file,
                                                                   const ModelFamily& family,
                                                                   ConfigDraft& draft);

/// L of the scaling where the file states it. The top level wins over the dictionary, as in Hugging Face;
/// dynamic NTK never reads it.
[[nodiscard]] std::optional<ConfigField<double>> readOriginalLength(const ConfigFields& file,
                                                                    const RopeDictionary& dictionary,
                                                                    std::string_view method,
                                                                    ConfigDraft& draft);

/// The factor of the file, or the ratio of its lengths where it states none. A stated factor wins over a
/// ratio that differs.
void readFactor(const RopeDictionary& dictionary, const std::string& type,
                const std::optional<ConfigField<double>>& maximum,
                const std::optional<ConfigField<double>>& original, ConfigDraft& draft);

/// length.trained: the original length, else the maximum. length.target: the maximum where it exceeds the
/// trained length, else trained × factor; without a scaling the trained length. Needs the scaling's method
/// and factor.
void readLengths(const std::optional<ConfigField<double>>& maximum,
                 const std::optional<ConfigField<double>>& original, const ModelFamily& family,
                 ConfigDraft& draft);

}  // namespace phaseladder
