#include <bit>
#include <cstddef>
#include <string_view>

#include "core/export/figure_text.h"

namespace phaseladder {
namespace {

/// The table as a matrix: a row for each row, a column for each column.
Matrix tableMatrix(const std::vector<TableColumn>& table) {
    Matrix matrix;
    matrix.columns = static_cast<std::int64_t>(table.size());
    matrix.rows = table.empty() ? 0 : static_cast<std::int64_t>(table.front().values.size());
    matrix.values.reserve(static_cast<std::size_t>(matrix.rows * matrix.columns));
    for (std::size_t row = 0; row < static_cast<std::size_t>(matrix.rows); ++row) {
        for (const TableColumn& column : table) {
            matrix.values.push_back(column.values[row]);
        }
    }
    return matrix;
}

/// Magic, version 1.0, length and dictionary, padded with spaces so that the data begins at a multiple of 64
/// bytes.
std::string header(const Matrix& matrix) {
    // A stack of matrices has three axes.
    const std::string rows = matrix.partRows > 0 ? std::to_string(matrix.rows / matrix.partRows) + ", " +
                                                       std::to_string(matrix.partRows)
                                                 : std::to_string(matrix.rows);
    std::string dictionary = std::string("{'descr': '") + (matrix.isSingle ? "<f4" : "<f8") +
                             "', 'fortran_order': False, 'shape': (" + rows + ", " +
                             std::to_string(matrix.columns) + "), }";
    constexpr std::string_view magic("\x93NUMPY\x01\x00", 8);
    constexpr std::size_t lengthBytes = 2;
    const std::size_t unpadded = magic.size() + lengthBytes + dictionary.size() + 1;
    dictionary.append((64 - unpadded % 64) % 64, ' ');
    dictionary += '\n';
    std::string text(magic);
    text += static_cast<char>(dictionary.size() & 0xFF);
    text += static_cast<char>(dictionary.size() >> 8);
    return text + dictionary;
}

template <class Bits>
void addLittleEndian(std::vector<std::uint8_t>& bytes, Bits bits) {
    for (std::size_t byte = 0; byte < sizeof(Bits); ++byte) {
        bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * byte)));
    }
}

}  // namespace

std::vector<std::uint8_t> writeNpy(const Figure& figure) {
    const Matrix table = figure.matrix ? Matrix{} : tableMatrix(figure.table);
    const Matrix& matrix = figure.matrix ? *figure.matrix : table;
    const std::string head = header(matrix);
    std::vector<std::uint8_t> bytes(head.begin(), head.end());
    bytes.reserve(bytes.size() + matrix.values.size() * sizeof(double));
    for (const double value : matrix.values) {
        if (matrix.isSingle) {
            addLittleEndian(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
        } else {
            addLittleEndian(bytes, std::bit_cast<std::uint64_t>(value));
        }
    }
    return bytes;
}

}  // namespace phaseladder
