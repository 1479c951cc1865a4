#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/import/number_table.h"
#include "core/import/read_file.h"
#include "core/result.h"

namespace phaseladder {

/// What an array of a capture holds.
enum class CaptureSide { queries, keys, values };

/// "Q", "K" or "V".
[[nodiscard]] std::string_view sideLetter(CaptureSide side);

/// An array of a file, not read yet.
struct CaptureTensor {
    std::string name;  ///< in a .safetensors, or of the file without its ending
    NumberLayout layout;
};

/// Whether a tensor's name is one of captured queries, keys or values: q, query, query_states, q_proj,
/// layers.3.q, q.3 ... A matrix of weights (q_proj.weight) is none.
[[nodiscard]] bool looksLikeSide(std::string_view tensorName, CaptureSide side);

/// The array of a side: of a .safetensors the tensor with the name, or, where that is empty, the one whose
/// name looks like the side; where several do, the one that stands beside `beside` ("layers.3.q" has
/// "layers.3.k" beside it). Of a .npy its one array. Refused with one sentence: none, or more than one (the
/// message names them), what the readers of the headers refuse.
[[nodiscard]] Result<CaptureTensor> chooseCaptureTensor(OpenFile& file, CaptureSide side,
                                                        const std::string& name, std::string_view beside);

/// Likewise; nothing where the file is a .npy or no name looks like the side.
[[nodiscard]] Result<std::optional<CaptureTensor>> findCaptureTensor(OpenFile& file, CaptureSide side,
                                                                     std::string_view beside);

}  // namespace phaseladder
