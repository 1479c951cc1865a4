#pragma once

#include "core/import/config_fields.h"

namespace phaseladder {

/// Puts what a config.json says of an encoding that does not rotate (learned, sinusoidal, alibi, t5,
/// transformer_xl) into the draft's scene, whose encoding, heads and head_dim are set already: rows and
/// offset of the table, columns and exponents, buckets, clamp, trained length. Notes say what the scene
/// cannot hold.
void readUnrotated(const ConfigFields& file, ConfigDraft& draft);

}  // namespace phaseladder
