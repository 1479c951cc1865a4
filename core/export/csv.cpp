#include <cmath>
#include <cstddef>

#include "core/export/figure_text.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

std::string cell(double value) {
    return std::isnan(value) ? std::string() : formatNumber(value);
}

std::string tableCsv(const std::vector<TableColumn>& table) {
    std::string text;
    for (const TableColumn& column : table) {
        text += text.empty() ? "" : ",";
        text += column.name;
    }
    text += '\n';
    for (std::size_t row = 0; row < table.front().values.size(); ++row) {
        for (std::size_t column = 0; column < table.size(); ++column) {
            text += column == 0 ? "" : ",";
            text += cell(table[column].values[row]);
        }
        text += '\n';
    }
    return text;
}

/// A stack of matrices says before each row which of them it is of: "head,row,column,value".
std::string matrixCsv(const Matrix& matrix) {
    const bool isStack = matrix.partRows > 0;
    std::string text = (isStack ? matrix.partName + ',' : "") + "row,column,value\n";
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        const std::string place =
            isStack ? std::to_string(row / matrix.partRows) + ',' + std::to_string(row % matrix.partRows)
                    : std::to_string(row);
        for (std::int64_t column = 0; column < matrix.columns; ++column) {
            const auto index = static_cast<std::size_t>(row * matrix.columns + column);
            text += place + ',' + std::to_string(column) + ',' + cell(matrix.values[index]) + '\n';
        }
    }
    return text;
}

}  // namespace

std::string writeCsv(const Figure& figure) {
    if (!figure.table.empty()) {
        return tableCsv(figure.table);
    }
    return matrixCsv(figure.matrix.value_or(Matrix{}));
}

}  // namespace phaseladder
