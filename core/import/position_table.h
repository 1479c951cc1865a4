#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/import/number_table.h"
#include "core/import/read_file.h"
#include "core/result.h"

namespace phaseladder {

/// A table of positions × width (rank 2, row-major, all finite) from a .npy or a .safetensors file; the
/// content decides which it is. Leading dimensions of 1 are dropped: [1, 197, 768] is [197, 768].
///
/// `tensorName` picks a tensor of a .safetensors; a .npy holds one array and ignores it. With an empty name
/// the tensor is taken whose name looks like a position table (looksLikePositionTable) and whose rank is 2;
/// where there is none, or more than one, the message names the candidates. Refused with one sentence that
/// names the file (invalidInput): what the two readers refuse, another rank (with the shape), an empty table,
/// a NaN or an infinity (with row and column, counted from 0).
///
/// The last few answers are kept, so that asking again for an unchanged file (path, size, time of the last
/// change) costs a look at the file, and nothing where the newest answer will do (FileLook::remembered, which
/// looks only where there is none). May be called from any thread.
[[nodiscard]] Result<std::shared_ptr<const NumberTable>> readPositionTable(const std::filesystem::path& path,
                                                                           const std::string& tensorName,
                                                                           FileLook look = FileLook::now);

/// Whether a tensor's name is one that models give their position table: wpe.weight (GPT-2),
/// embeddings.position_embeddings.weight (BERT, RoBERTa), decoder.embed_positions.weight (OPT, BART,
/// Whisper), positions_embed.weight (GPT), pos_embed (ViT), positional_embedding (CLIP) ...
[[nodiscard]] bool looksLikePositionTable(std::string_view tensorName);

}  // namespace phaseladder
