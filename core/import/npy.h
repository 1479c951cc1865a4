#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/import/number_table.h"
#include "core/import/read_file.h"
#include "core/result.h"

namespace phaseladder {

/// The longest header that is read, as in NumPy itself, and what stands before it.
inline constexpr std::size_t maximumNpyHeaderBytes = 10'000;
inline constexpr std::size_t maximumNpyPrefixBytes = 12;

/// Whether a file that begins so is NumPy's .npy, or a .npz (any ZIP archive).
[[nodiscard]] bool looksLikeNpy(std::string_view beginning);
[[nodiscard]] bool looksLikeArchive(std::string_view beginning);

/// What the beginning of a .npy file says (NEP 1):
///
///     \x93NUMPY  version (2 bytes)  header length (2 bytes in version 1, else 4)  header  data
///
/// with the header a Python dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }, padded
/// with spaces. It is taken apart as exactly that, never evaluated. `beginning` holds the prefix and the
/// header, or all of a shorter file; `fileBytes` is the size of the file. Read are versions 1 to 3, <f2, <f4
/// and <f8, up to four dimensions, a header of at most maximumNpyHeaderBytes, data that fills the file
/// exactly; everything else is refused with one sentence (invalidInput).
[[nodiscard]] Result<NumberLayout> parseNpyHeader(std::string_view beginning, std::uint64_t fileBytes);

/// The same of an open file: its header alone is read.
[[nodiscard]] Result<NumberLayout> readNpyLayout(OpenFile& file);

/// The array of a .npy file, named like the file without its ending.
[[nodiscard]] Result<NumberTable> readNpy(OpenFile& file);

}  // namespace phaseladder
