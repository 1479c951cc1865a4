#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace phaseladder {

/// What a .npy header says; nothing where it does not say it.
struct NpyDictionary {
    std::optional<std::string> type;                 ///< 'descr': "<f8"
    std::optional<bool> columnMajor;                 ///< 'fortran_order'
    std::optional<std::vector<std::int64_t>> shape;  ///< none is negative
};

/// Takes the text of a .npy header apart: a Python dictionary as NumPy writes it,
///
///     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
///
/// with the three keys in any order, texts in either quotes without escapes, and spaces around it. Anything
/// else, an expression above all, is refused with its place, counted from 1 (invalidInput); nothing is ever
/// evaluated.
[[nodiscard]] Result<NpyDictionary> parseNpyDictionary(std::string_view text);

}  // namespace phaseladder
