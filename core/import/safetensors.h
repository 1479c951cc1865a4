#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/number_table.h"
#include "core/import/read_file.h"
#include "core/result.h"

namespace phaseladder {

inline constexpr std::size_t safetensorsLengthBytes = 8;
inline constexpr std::size_t maximumSafetensorsHeaderBytes = 8u << 20;
inline constexpr std::size_t maximumTensors = 65'536;
inline constexpr std::size_t maximumTensorRank = 8;

/// One entry of a .safetensors header.
struct TensorEntry {
    std::string name;
    std::string type;  ///< as the file calls it: "F32", "BF16", "I64" ...
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0;  ///< its bytes, from the file's beginning
};

/// The tensors of a header, in its order. The file is
///
///     header length (8 bytes, little-endian)  header (JSON)  data
///
/// `header` is the JSON, `dataBytes` what follows it in the file. Refused with one sentence (invalidInput):
/// what parseCheckedJson refuses, more than maximumTensors, more than maximumTensorRank dimensions, a size
/// that is not that of shape and type, ranges that overlap, leave a gap or do not end with the data. A type
/// that nobody here knows is listed; only its size cannot be checked.
[[nodiscard]] Result<std::vector<TensorEntry>> parseSafetensorsHeader(std::string_view header,
                                                                      std::uint64_t dataBytes);

/// Whether a file that begins so can be a .safetensors: a length within the limit, then an object.
[[nodiscard]] bool looksLikeSafetensors(std::string_view beginning);

/// Reads the header alone, however large the file is.
[[nodiscard]] Result<std::vector<TensorEntry>> listTensors(OpenFile& file);

/// Where the numbers of a tensor stand; F16, BF16, F32 and F64 are read, another type is refused.
[[nodiscard]] Result<NumberLayout> layoutOf(const TensorEntry& tensor);

/// The tensor of a name; one that is not there is refused with the nearest one.
[[nodiscard]] Result<TensorEntry> findTensor(const std::vector<TensorEntry>& tensors, std::string_view name);

/// For messages: "'q' [8, 512, 128], 'k' [8, 512, 128]", eight of them at most.
[[nodiscard]] std::string tensorNames(const std::vector<TensorEntry>& tensors);

/// Reads one tensor that listTensors gave: F16, BF16, F32 or F64.
[[nodiscard]] Result<NumberTable> readTensor(OpenFile& file, const TensorEntry& tensor);

/// The same by its name. A name that is not there is refused with the nearest one.
[[nodiscard]] Result<NumberTable> readTensor(OpenFile& file, std::string_view name);

}  // namespace phaseladder
