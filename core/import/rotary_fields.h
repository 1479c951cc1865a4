#pragma once

#include "core/import/config_fields.h"
#include "core/import/model_family.h"
#include "core/import/rope_dictionary.h"

namespace phaseladder {

/// Number of heads and their width: qk_rope_head_dim (MLA), global_head_dim on full layers, head_dim, the
/// family's default, or hidden_size / num_attention_heads, in this order (numerics.md section 4).
void readHeads(const ConfigFields& file, const ModelFamily& family, ConfigDraft& draft);

/// Which share of a head's channels rotates, or how many: the dictionary, the file, the family's default.
void readRotaryShare(const ConfigFields& file, const RopeDictionary& dictionary, const ModelFamily& family,
                     ConfigDraft& draft);

/// A problem when the channels that rotate are no even number, with the fields they come from. Needs the
/// scaling.
void checkRotaryShare(ConfigDraft& draft);

/// The base of the asked layers. Where a file gives it several names, the one of these layers counts and all
/// are listed.
void readTheta(const ConfigFields& file, const RopeDictionary& dictionary, const ModelFamily& family,
               ConfigDraft& draft);

/// Which channels form a pair.
void readLayout(const ConfigFields& file, const ModelFamily& family, ConfigDraft& draft);

}  // namespace phaseladder
