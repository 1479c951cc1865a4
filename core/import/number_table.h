#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/import/read_file.h"
#include "core/result.h"

namespace phaseladder {

/// Numbers read from a file, whatever they were there.
struct NumberTable {
    std::vector<std::int64_t> shape;  ///< empty: one number
    std::vector<double> values;       ///< row-major: the last dimension runs fastest
    std::string name;                 ///< of the tensor, or of the file without its ending; valid UTF-8
};

/// At most this many numbers are read, 256 MiB as doubles: 32,768 positions of width 1024.
inline constexpr std::uint64_t maximumTableNumbers = std::uint64_t{1} << 25;

enum class NumberType { float16, bfloat16, float32, float64 };  // all little-endian

enum class NumberOrder {
    rowMajor,     ///< C: the last dimension runs fastest
    columnMajor,  ///< Fortran: the first dimension runs fastest
};

/// Where the numbers of a table stand in a file, and how.
struct NumberLayout {
    std::vector<std::int64_t> shape;
    NumberType type = NumberType::float64;
    NumberOrder order = NumberOrder::rowMajor;
    std::uint64_t offset = 0;  ///< of the first number, from the file's beginning
};

[[nodiscard]] std::size_t bytesPerNumber(NumberType type);

/// For messages: "[1024, 768]"; "[]" is one number.
[[nodiscard]] std::string shapeText(const std::vector<std::int64_t>& shape);

/// Product of the dimensions (none is negative) and of `unit`; nothing where it needs more than 64 bits.
[[nodiscard]] std::optional<std::uint64_t> checkedProduct(const std::vector<std::int64_t>& shape,
                                                          std::uint64_t unit);

/// The numbers as doubles, row-major. The file holds them: its reader has checked that. Above
/// maximumTableNumbers refused before any allocation; takes 1 MiB besides the result.
[[nodiscard]] Result<std::vector<double>> readNumbers(OpenFile& file, const NumberLayout& layout);

/// A part of a table: number (i, j) of rows × columns is the one at first + i · rowStep + j · columnStep,
/// counted in numbers in the order of the file.
struct NumberRows {
    std::int64_t rows = 0, columns = 0;
    std::uint64_t first = 0, rowStep = 0, columnStep = 1;
};

/// Reads rows begin .. end-1 of a part, row-major, into (end - begin) × columns numbers. The file holds them;
/// numbers that stand together are read together. May be called from many threads; ask checkUnchanged() after
/// the last.
[[nodiscard]] Result<void> readRows(const OpenFile& file, const NumberLayout& layout, const NumberRows& part,
                                    std::int64_t begin, std::int64_t end, std::span<double> into);

}  // namespace phaseladder
