#pragma once

#include <string>

#include "core/import/config_fields.h"
#include "core/import/model_family.h"

namespace phaseladder {

/// The dictionary of a config file that holds the rotary settings of one kind of layer: `rope_scaling` of the
/// old layout, `rope_parameters` of version 5, or one entry of a dictionary that is nested by layer type.
struct RopeDictionary {
    ConfigFields fields;         ///< no objects where the file has no such dictionary
    std::string path;            ///< "rope_parameters.full_attention"; empty for none
    bool slidingLayers = false;  ///< sliding layers of a file that differs by layer
};

/// Finds the dictionary of a layer type and fills `draft.config.layerTypes`. A layer type that the file does
/// not have is a problem that names those it has.
[[nodiscard]] RopeDictionary findRopeDictionary(const ConfigFields& file, const ModelFamily& family,
                                                const std::string& layerType, ConfigDraft& draft);

/// Puts scaling.* and both lengths into the draft, with warnings about keys that nobody knows and about
/// statements that contradict each other. Needs the head's width and the rotary share to be set already.
void readScaling(const ConfigFields& file, const RopeDictionary& dictionary, const ModelFamily& family,
                 ConfigDraft& draft);

}  // namespace phaseladder
